/** What holds for large deliveries holds for several collections, too. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { build } from '../../src/build/build.ts'
import { collectionOfConfig } from '../../src/collections/of-config.ts'
import { COLLECTIONS } from '../../src/dataset/format.ts'
import { wordsOfCollection } from '../../src/explain/words.ts'
import { memorySource } from '../helpers/workspace.ts'

/** Builds two collections, as if they were so large that they are remembered. */
function createLarge(files: Record<'a.json' | 'b.json', string>) {
  const out = mkdtempSync(join(tmpdir(), 'manyurls-large-'))
  onTestFinished(() => rmSync(out, { recursive: true, force: true }))

  const reads: string[] = []
  const collections = Object.keys(files).map((name) => {
    const collection = collectionOfConfig(name[0] as string, { files: name, id: 'id' }, '.')
    const source = memorySource([name], async () => {
      reads.push(name)
      return Buffer.from(files[name as keyof typeof files])
    })
    return { collection, source, words: wordsOfCollection(collection, '') }
  })
  const digestContent = () => 'the same'
  const run = () => {
    return build({ collections, layout: COLLECTIONS, out, digestContent, largeFrom: 0 })
  }
  return { run, out, reads }
}

test('if nothing is new, the datasets stay, and each file was read once', async () => {
  const { run, reads } = createLarge({ 'a.json': '[{"id":1}]', 'b.json': '[{"id":2}]' })
  await run()
  reads.length = 0
  expect(await run()).toMatchObject([
    { ok: true, wasCurrent: true, manifest: { totals: { kept: 1 } } },
    { ok: true, wasCurrent: true, manifest: { totals: { kept: 1 } } },
  ])
  expect(reads).toEqual(['a.json', 'b.json'])
})

test('what was remembered of one collection is never taken for another one', async () => {
  const files = { 'a.json': '[{"id":1}]', 'b.json': '[{"id":1}]' }
  const { run, out } = createLarge(files)
  await run()
  const remembered = readdirSync(join(out, '.cache')).filter((name) => name.startsWith('batch-'))
  expect(remembered).toHaveLength(2)
})

test('a dataset that somebody has torn is written again', async () => {
  const { run, out } = createLarge({ 'a.json': '[{"id":1}]', 'b.json': '[{"id":2}]' })
  await run()
  writeFileSync(join(out, 'b.json'), '')
  expect(await run()).toMatchObject([{ outdated: ['b.json'] }, { outdated: ['b.json'] }])
})
