/** A site whose pages refer to another collection. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../../src/command/run.ts'
import { page } from '../helpers/page.ts'
import { createWorkspace, importing, SCHEMA, Text } from '../helpers/workspace.ts'

/** Builds a site of one page by Ada, beside a file of authors. */
async function buildWithAuthors(authors: string) {
  const { folder, batches, batch, out, read } = createWorkspace()
  batch('a.json', [page()])
  const files = join(folder, 'authors.json')
  writeFileSync(files, authors)

  const content = { files: batches, schema: SCHEMA, references: () => ({ authors: ['ada'] }) }
  const load = async () => ({ content, collections: { authors: { files, id: 'code' } } })
  const [stdout, stderr] = [new Text(), new Text()]
  const terminal = { stdout, stderr, env: {}, ...importing(), load }
  const status = await run(['--out', out, '--config', 'tests/README.md'], terminal)
  return { status, output: stdout.text + stderr.text, read }
}

test('each collection has a dataset, and the pages keep theirs', async () => {
  const { status, read } = await buildWithAuthors('[{ "code": "ada" }]')
  expect(status).toBe(0)
  expect(JSON.parse(read('dataset.json'))).toEqual([page()])
  expect(JSON.parse(read('authors.json'))).toEqual([{ code: 'ada' }])
})

test('a reference to another collection than the pages names that collection', async () => {
  const { output } = await buildWithAuthors('[{ "code": "bob" }]')
  expect(output).toContain('No record of "authors" has the id "ada".')
})

test('a reference to another collection that cannot be checked names that collection', async () => {
  const { output } = await buildWithAuthors('[{ "code": "bob" }, { "name": "Ada" }]')
  expect(output).toContain('1 reference to "authors" wasn\'t checked')
})
