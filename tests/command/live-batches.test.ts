import { cpSync, renameSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { createLogger, createServer } from 'vite'
import { expect, it, onTestFinished } from 'vitest'
import { collectionOfConfig, collectionOfContent } from '../../src/collections/of-config.ts'
import { liveBatches } from '../../src/command/live-batches.ts'
import { TEMPLATE } from '../../src/command/template.ts'
import { content } from '../helpers/content.ts'
import { page } from '../helpers/page.ts'
import { createWorkspace, SCHEMA } from '../helpers/workspace.ts'

/** Starts Vite with live batches, and a module that imports the dataset. */
async function start(onInfo = () => {}, schema = SCHEMA, pattern = '') {
  const workspace = createWorkspace()
  const { folder, batches, out } = workspace
  const save = (text: string) =>
    workspace.batch('a.json', [page({ contentHtml: `<p>${text}</p>` })])
  save('First.')
  writeFileSync(join(folder, 'main.js'), `export { default } from './out/dataset.json'`)
  const files = pattern ? join(folder, pattern) : batches
  const pages = collectionOfContent({ ...content, files, schema }, '.')
  const customLogger = { ...createLogger('silent'), info: onInfo }
  const server = await createServer({
    root: folder,
    configFile: false,
    customLogger,
    server: { middlewareMode: true, ws: false },
    plugins: [
      liveBatches(
        { file: 'content.ts', folder: '.', collections: [pages] },
        { ...TEMPLATE, out: relative('', out) },
      ),
    ],
  })
  onTestFinished(() => server.close())
  await server.transformRequest('/main.js')
  return {
    batches,
    save,
    dataset: () => workspace.read('dataset.json'),
    types: () => workspace.read('dataset.d.ts'),
  }
}

it('reads what is saved after a copy has taken the place of the folder', async () => {
  const { batches, save, dataset } = await start()
  for (const round of ['first', 'second']) {
    renameSync(batches, `${batches}-${round}`)
    cpSync(`${batches}-${round}`, batches, { recursive: true, preserveTimestamps: true })
    for (const text of [`After the ${round} move.`, `Again after the ${round} move.`]) {
      save(text)
      await expect.poll(dataset).toContain(text)
    }
  }
})

it('reads what is saved after an update has failed', async () => {
  let failures = 0
  const { save, dataset } = await start(() => {
    failures += 1
    if (failures === 1) throw new Error('The terminal is gone.')
  })
  for (const text of ['Failed.', 'Next.']) {
    save(text)
    await expect.poll(dataset).toContain(text)
  }
})

it('reads a file beside the schema when that is saved', async () => {
  const { folder } = createWorkspace()
  const schema = join(folder, 'own.json')
  const savePage = (properties: object) =>
    writeFileSync(join(folder, 'page.json'), JSON.stringify({ type: 'object', properties }))
  writeFileSync(schema, '{ "type": "array", "items": { "$ref": "page.json" } }')
  savePage({ title: { type: 'string' } })

  const { types } = await start(undefined, schema)
  expect(types()).not.toContain('author')
  savePage({ title: { type: 'string' }, author: { type: 'string' } })
  await expect.poll(types).toContain('author')
})

it('leaves out the dataset that it writes, though a pattern matches that', async () => {
  const { save, dataset } = await start(undefined, undefined, '**/a*.json')
  expect(dataset()).toContain('First.')
  save('Next.')
  await expect.poll(dataset).toContain('Next.')
})

it('reads what is saved in any collection', async () => {
  const { folder, batch, out, read } = createWorkspace()
  const save = (name: string) =>
    writeFileSync(join(folder, 'authors.json'), JSON.stringify([{ id: name }]))
  batch('a.json', [page()])
  save('first')
  const pages = collectionOfContent(
    { ...content, files: join(folder, 'batches'), schema: SCHEMA },
    '.',
  )
  const authors = collectionOfConfig(
    'authors',
    { files: join(folder, 'authors.json'), id: 'id' },
    '.',
  )
  const config = { file: 'content.ts', folder: '.', collections: [pages, authors] }
  const server = await createServer({
    root: folder,
    configFile: false,
    customLogger: createLogger('silent'),
    server: { middlewareMode: true, ws: false },
    plugins: [liveBatches(config, { ...TEMPLATE, out: relative('', out) })],
  })
  onTestFinished(() => server.close())
  save('second')
  await expect.poll(() => read('authors.json')).toContain('second')
})
