/**
 * Follows the guide of a site of one's own (src/page/README.md), "Add a field" and "Add a rule" to the
 * letter, in copies of the project.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Locator } from '@playwright/test'
import { expect, onTestFinished, test } from 'vitest'
import { chromium as installed } from '../browser/chromium.ts'
import { NOT_RUN } from '../helpers/guides.ts'
import { isLong } from '../helpers/long.ts'
import { page } from '../helpers/page.ts'
import { start } from '../helpers/serve.ts'
import { commitAll, copyAll, follow, followGuide, makeSiteOfGuide, npm } from './follow.ts'

const ROOT = join(import.meta.dirname, '../..')

/** A copy of the project, changed as the guide says. */
function followed(): string {
  const folder = copyAll()
  followGuide(folder)
  return folder
}

/** Adds a batch to a copy. */
function addBatch(folder: string, records: unknown): void {
  writeFileSync(join(folder, 'raw-batches/more.json'), JSON.stringify(records))
}

/** What npm prints before the output of a script. */
const SCRIPT_LINES = /^\n?(?:> .*\n)+\n/

test('the commands of the guide make the site, and say what it shows', () => {
  const { folder: cwd, commands } = makeSiteOfGuide()
  const notRun = Object.values(NOT_RUN).flat()
  for (const { command, output } of commands) {
    if (notRun.includes(command)) continue

    const printed = execFileSync('sh', ['-ec', command], { cwd, encoding: 'utf8', stdio: 'pipe' })
    const [shown = ''] = output.split(/^…\n/m)
    expect(printed.replace(SCRIPT_LINES, '').slice(0, shown.length)).toBe(shown)
  }
  expect(existsSync(join(cwd, 'dist/places/tram-9.html'))).toBe(true)
})

test('the site of the guide passes "npm run check"', async () => {
  const { folder: cwd } = makeSiteOfGuide()
  await npm(cwd, 'build-data -- --fix --verbose')
  // Then no test is one of changed code.
  commitAll(cwd)
  await npm(cwd, 'check')
})

test.runIf(isLong)('authors beside the pages are checked and written', async () => {
  const cwd = followed()
  addBatch(cwd, [{ id: 'cafe', name: 'Café', author: 'ada' }])
  await npm(cwd, 'build-data')
  const authors = readFileSync(join(cwd, 'src/generated/authors.json'), 'utf8')
  expect(JSON.parse(authors)).toEqual([{ code: 'ada', name: 'Ada Lovelace' }])
  await npm(cwd, 'build-data -- --check authors')

  const { stdout } = spawnSync('npx tsc && npx knip', { cwd, encoding: 'utf8', shell: true })
  expect(stdout).toBe('')

  // In the image, nothing is missing that the site needs.
  const leftOut = readFileSync(join(cwd, '.dockerignore'), 'utf8').match(/^[\w./]+$/gm) ?? []
  for (const name of leftOut.filter((name) => name !== 'node_modules'))
    rmSync(join(cwd, name), { recursive: true, force: true })
  await npm(cwd, 'build')

  writeFileSync(join(cwd, 'authors/people.json'), '[{ "code": "bob" }]')
  const { stderr } = spawnSync('npm run build-data', { cwd, encoding: 'utf8', shell: true })
  expect(stderr).toContain('No record of "authors" has the id "ada".')
})

test.runIf(isLong)('the site of the guide passes every test, as its CI runs them', async () => {
  const { folder: cwd } = makeSiteOfGuide()
  await npm(cwd, 'build-data -- --fix --verbose')
  await npm(cwd, 'build-data -- --check --report report.html')
  await npm(cwd, 'test')
})

test.runIf(isLong)(
  'without those of the sample, every test passes with other content: 300 pages, in another language',
  async () => {
    const cwd = followed()
    const more = Array.from({ length: 298 }, (_, at) => {
      const near = [at === 0 ? 'bread' : `more-${at - 1}`]
      return { id: `more-${at}`, name: `Place ${at}`, html: `<p>With <em>${at}</em>.</p>`, near }
    })
    addBatch(cwd, more)
    await npm(cwd, 'format')
    await npm(cwd, 'test', { SITE_URL: 'https://me.github.io/examples/' })
  },
)

test.runIf(isLong)('a field and a rule that are added as described pass every test', async () => {
  const cwd = copyAll()
  follow(cwd, 'src/accept/README.md')
  // These make sites whose pages lack the field.
  for (const name of ['own-content.test.ts', 'later-version.test.ts', 'follow.ts'])
    rmSync(join(cwd, 'tests/sample', name))
  const batch = join(cwd, 'raw-batches/batch-01.json')
  const [first, ...others] = JSON.parse(readFileSync(batch, 'utf8'))
  const records = [{ ...first, author: 'Ada Lovelace' }, ...others]
  writeFileSync(batch, `${JSON.stringify(records, null, 2)}\n`)
  await npm(cwd, 'format')
  await npm(cwd, 'test')
  const built = readFileSync(join(cwd, `dist${first.path}.html`), 'utf8')
  expect(built).toContain('<p class="author">Ada Lovelace</p>')
  const field = { name: 'message', label: 'x', type: 'text', placeholder: 'x', required: true }
  const form = { fields: [field] }
  writeFileSync(
    join(cwd, 'raw-batches/batch-06.json'),
    JSON.stringify([page({ path: '/about/099', form })]),
  )
  const { status, stderr } = spawnSync('npm run build-data', { cwd, encoding: 'utf8', shell: true })
  expect([status, stderr]).toEqual([1, expect.stringContaining('must ask for "email", too.')])
})

test.runIf(isLong)('a schema that does not fit the site is one error of the compiler', async () => {
  const cwd = followed()
  const text = { type: 'string' }
  const properties = { path: text, title: text, contentHtml: text, kind: text }
  const items = { type: 'object', required: ['path', 'contentHtml'], properties }
  const schema = JSON.stringify({ type: 'array', items })
  writeFileSync(join(cwd, 'schema/batch.schema.json'), schema)
  rmSync(join(cwd, 'raw-batches'), { recursive: true })
  mkdirSync(join(cwd, 'raw-batches'))
  addBatch(cwd, [{ path: '/a', title: 'A', contentHtml: '' }])
  writeFileSync(
    join(cwd, 'src/content.ts'),
    `import { defineContent } from './page/content.ts'
    export const content = defineContent({})`,
  )
  await npm(cwd, 'build-data')
  const { stdout } = spawnSync('npx tsc', { cwd, encoding: 'utf8', shell: true })
  expect(stdout.match(/^\S+(?=\(.*error)/gm)).toEqual(['src/page/page.ts'])
})

test.runIf(isLong)(
  'the compiler accepts the tests beside a schema that allows no other keys',
  async () => {
    const cwd = followed()
    const file = join(cwd, 'schema/batch.schema.json')
    const schema = JSON.parse(readFileSync(file, 'utf8'))
    schema.items.additionalProperties = false
    writeFileSync(file, JSON.stringify(schema))
    await npm(cwd, 'build-data')
    const { stdout } = spawnSync('npx tsc && npx biome check', {
      cwd,
      encoding: 'utf8',
      shell: true,
    })
    expect(stdout).not.toContain('error')
  },
)

test.runIf(isLong)('records of several kinds have their types in content.ts', async () => {
  const cwd = followed()
  const text = { type: 'string' }
  const kinds = [
    { title: 'App', properties: { kind: { const: 'app' }, name: text, price: { type: 'number' } } },
    {
      title: 'Tool',
      properties: { kind: { const: 'tool' }, name: text, path: { type: 'integer' } },
    },
  ].map((kind, at) => ({
    ...{ type: 'object', required: Object.keys(kind.properties), additionalProperties: at === 0 },
    ...kind,
  }))
  const record = { type: 'object', oneOf: kinds }
  const discriminator = { propertyName: 'kind' }
  const apps = { type: 'object', additionalProperties: { ...record, discriminator } }
  const schema = { type: 'object', required: ['apps'], properties: { apps } }
  writeFileSync(join(cwd, 'schema/batch.schema.json'), JSON.stringify(schema))
  const chess = { kind: 'app', name: 'Chess', price: 1, more: 2 }
  const batch = { apps: { chess, hammer: { kind: 'tool', name: 'Hammer', path: 3 } } }
  rmSync(join(cwd, 'raw-batches'), { recursive: true })
  mkdirSync(join(cwd, 'raw-batches'))
  addBatch(cwd, batch)
  const write = (shown: string) =>
    writeFileSync(
      join(cwd, 'src/content.ts'),
      `import { defineContent } from './page/content.ts'
      export const content = defineContent({
        card: (page) => [page.title, page.kind === 'app' ? ${shown} : page.path],
        records: ({ apps }) => Object.values(apps),
        page: ({ name }, { key, file }) => ({ path: \`/\${key ?? file}\`, title: name, contentHtml: '' }),
        identity: ({ kind }) => kind,
      })`,
    )
  write('page.price.toFixed(2)')
  await npm(cwd, 'build-data')
  const errors = () => {
    const { stdout } = spawnSync('npx tsc', { cwd, encoding: 'utf8', shell: true })
    return stdout.match(/^src\/content\.ts.*error/gm)
  }
  expect(errors()).toBeNull()
  write('page.cost')
  expect(errors()).toHaveLength(1)
})

test.runIf(isLong)('the guide leads to a German site with images and other HTML', async () => {
  const cwd = followed()
  addBatch(cwd, [
    {
      ...{ id: 'kürbis', name: 'Kürbishaus', kind: 'bath', image: '/images/cake.png' },
      html: '<p>Ein <em>leichter</em> <a href="https://example.com/">Kuchen</a>, dann <a href="/places/bread">Brot</a>.</p><p><img src="https://example.com/suppe.png" alt="Ein Teller Suppe"></p>',
      near: ['tram-9'],
    },
  ])
  const picture = readFileSync(join(ROOT, 'src/app/apple-touch-icon.png'))
  mkdirSync(join(cwd, 'src/public/images'), { recursive: true })
  writeFileSync(join(cwd, 'src/public/images/cake.png'), picture)
  await npm(cwd, 'build', { SITE_URL: 'https://me.github.io/docs/' })
  const { origin, file } = await start({ cwd })
  expect(origin).toMatch(/\/docs$/)
  const response = await fetch(`${origin}/images/cake.png`)
  expect(response.headers.get('content-type')).toBe('image/png')
  expect(Buffer.from(await response.arrayBuffer())).toEqual(picture)

  const browser = await chromium.launch(installed())
  onTestFinished(() => browser.close())
  const tab = await browser.newPage()
  const errors: string[] = []
  tab.on('pageerror', (error) => errors.push(error.message))
  const asked: string[] = []
  await tab.route('https://example.com/**', (route) => {
    asked.push(route.request().url())
    return route.fulfill({ path: join(ROOT, 'src/app/apple-touch-icon.png') })
  })
  await tab.goto(`${origin}/`)
  expect(await tab.title()).toBe('Orte')
  expect(await tab.locator('html').getAttribute('lang')).toBe('de')
  await tab.getByText('Orte: 3').waitFor()
  expect(await tab.locator('.card').allInnerTexts()).toEqual([
    expect.stringMatching(/^Bread Museum\s+museum$/),
    expect.stringMatching(/^Kürbishaus\s+bath$/),
    expect.stringMatching(/^Tram 9\s+tour$/),
  ])
  await isShown(tab.locator('.card img'))
  const footer = tab.getByRole('contentinfo').getByRole('link')
  expect(await footer.allInnerTexts()).toEqual(['Impressum', 'Kontakt'])
  await tab.getByRole('searchbox', { name: 'Suche' }).fill('tram-9')
  await expect.poll(() => tab.locator('.card').count(), { timeout: 60_000 }).toBe(1)
  await tab.getByRole('searchbox', { name: 'Suche' }).fill('kuchen')
  await tab.getByRole('link', { name: 'Kürbishaus' }).click()
  await tab.waitForURL(`${origin}/places/k%C3%BCrbis`)
  await isShown(tab.getByRole('img', { name: 'Ein Teller Suppe' }))
  expect(await tab.getByRole('main').innerText()).toContain('Siehe auch')
  expect(await tab.locator('dl').innerText()).toMatch(/^Kind\s+bath$/)
  expect(await tab.locator('.kind').innerText()).toBe('bath')
  expect(await tab.locator('.body em').innerText()).toBe('leichter')
  const [outside, inside] = await tab.locator('.body a').all()
  expect(await outside?.getAttribute('href')).toBe('https://example.com/')
  expect(await inside?.getAttribute('href')).toBe('/docs/places/bread')
  const documents: string[] = []
  tab.on('request', (request) => request.isNavigationRequest() && documents.push(request.url()))
  await inside?.click()
  await tab.waitForURL(`${origin}/places/bread`)
  await tab.locator('.body').getByText('Ovens.').waitFor()
  expect(documents).toEqual([])
  expect([...new Set(asked)]).toEqual(['https://example.com/suppe.png'])
  expect(errors).toEqual([])
  // No page has a form, so there is nothing to keep.
  expect(() => readFileSync(file)).toThrow('ENOENT')
})

/** Waits until the browser has loaded an image, which the policy of the site may refuse. */
async function isShown(image: Locator) {
  await expect
    .poll(() => image.evaluate((each: HTMLImageElement) => each.naturalWidth), { timeout: 60_000 })
    .toBeGreaterThan(0)
}
