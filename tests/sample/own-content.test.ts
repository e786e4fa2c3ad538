/**
 * Follows "Build a site of your own" (README.md), "A site of your own" (schema/README.md), "Add a field"
 * and "Add a rule" to the letter, in copies of the project.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Locator } from '@playwright/test'
import { expect, onTestFinished, test } from 'vitest'
import { chromium as installed } from '../browser/chromium.ts'
import { isLong } from '../helpers/long.ts'
import { page } from '../helpers/page.ts'
import { start } from '../helpers/serve.ts'
import { commitAll, copyAll, follow, followGuide, makeSiteOfReadme, npm } from './follow.ts'

const ROOT = join(import.meta.dirname, '../..')

/** A copy of the project, changed as "A site of your own" says. */
function followed(): string {
  const folder = copyAll()
  followGuide(folder)
  return folder
}

test('the site of the README passes "npm run check"', async () => {
  const cwd = makeSiteOfReadme()
  await npm(cwd, 'build-data -- --fix --verbose')
  // Then no test is one of changed code.
  commitAll(cwd)
  await npm(cwd, 'check')
})

test.runIf(isLong)(
  'authors beside the pages of the README are checked and written, as the guide shows it',
  async () => {
    const cwd = makeSiteOfReadme()
    const guide = readFileSync(join(ROOT, 'schema/README.md'), 'utf8')
    const [, rest = ''] = guide.split('\n### Other collections\n')
    const [part = ''] = rest.split('\n## ')
    mkdirSync(join(cwd, 'authors'))
    follow(cwd, part)

    await npm(cwd, 'build-data -- --fix')
    const authors = readFileSync(join(cwd, 'src/generated/authors.json'), 'utf8')
    expect(JSON.parse(authors)).toEqual([{ code: 'ada', name: 'Ada Lovelace' }])
    await npm(cwd, 'build-data -- --check authors')

    const { stdout } = spawnSync('npx tsc', { cwd, encoding: 'utf8', shell: true })
    expect(stdout).toBe('')

    writeFileSync(join(cwd, 'authors/people.json'), '[{ "code": "bob" }]')
    const { stderr } = spawnSync('npm run build-data', { cwd, encoding: 'utf8', shell: true })
    expect(stderr).toContain('No record of "authors" has the id "ada".')
  },
)

test.runIf(isLong)('the site of the README passes every test, as its CI runs them', async () => {
  const cwd = makeSiteOfReadme()
  await npm(cwd, 'build-data -- --fix --verbose')
  await npm(cwd, 'build-data -- --check --report report.html')
  await npm(cwd, 'test')
})

test.runIf(isLong)(
  'without those of the sample, every test passes with other content: 300 pages, in another language',
  async () => {
    const cwd = followed()
    const more = Array.from({ length: 298 }, (_, at) => {
      const [path, title, name] = [`/more/${at}`, `Recipe ${at}`, `Spice ${at}`]
      const seeAlso = [at === 0 ? '/zitronenkuchen' : `/more/${at - 1}`]
      const contentHtml = `<p>With <em>${name}</em>.</p>`
      return { path, title, contentHtml, ingredients: [{ name, grams: 1 }], price: at, seeAlso }
    })
    writeFileSync(join(cwd, 'raw-batches/more.json'), JSON.stringify(more))
    await npm(cwd, 'format')
    await npm(cwd, 'test', { SITE_URL: 'https://me.github.io/examples/' })
  },
)

test.runIf(isLong)('a field and a rule that are added as described pass every test', async () => {
  const cwd = copyAll()
  follow(cwd, readFileSync(join(ROOT, 'src/accept/README.md'), 'utf8'))
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
  const file = join(cwd, 'schema/batch.schema.json')
  const schema = JSON.parse(readFileSync(file, 'utf8'))
  schema.items.required = ['path', 'contentHtml', 'ingredients', 'price']
  writeFileSync(file, JSON.stringify(schema))
  await npm(cwd, 'build-data')
  const { stdout } = spawnSync('npx tsc', { cwd, encoding: 'utf8', shell: true })
  expect(stdout.match(/^\S+(?=\(.*error)/gm)).toEqual(['src/page/page.ts'])
})

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
  writeFileSync(join(cwd, 'raw-batches/recipes.json'), JSON.stringify(batch))
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

test.runIf(isLong)('the page "A site of your own" leads to a German site of recipes', async () => {
  const cwd = followed()
  const picture = readFileSync(join(ROOT, 'src/app/apple-touch-icon.png'))
  mkdirSync(join(cwd, 'src/public/images'), { recursive: true })
  writeFileSync(join(cwd, 'src/public/images/kuchen.png'), picture)
  await npm(cwd, 'build', { SITE_URL: 'https://me.github.io/docs/' })
  const { origin, file } = await start({ cwd })
  expect(origin).toMatch(/\/docs$/)
  const response = await fetch(`${origin}/images/kuchen.png`)
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
  expect(await tab.title()).toBe('Rezepte')
  expect(await tab.locator('main').innerText()).not.toMatch(/form/i)
  expect(await tab.locator('html').getAttribute('lang')).toBe('de')
  await tab.getByText('Rezepte: 2').waitFor()
  expect(await tab.locator('.card').allInnerTexts()).toEqual([
    expect.stringMatching(/^Kürbissuppe\s+4\.35 €$/),
    expect.stringMatching(/^Zitronenkuchen\s+7\.80 €$/),
  ])
  await isShown(tab.locator('.card img'))
  const footer = tab.getByRole('contentinfo').getByRole('link')
  expect(await footer.allInnerTexts()).toEqual(['Impressum', 'Kontakt'])
  await tab.getByRole('searchbox', { name: 'Suche' }).fill('mehl')
  await expect.poll(() => tab.locator('.card').count(), { timeout: 60_000 }).toBe(1)
  await tab.getByRole('link', { name: 'Zitronenkuchen' }).click()
  await tab.getByRole('main').getByRole('link', { name: 'Kürbissuppe' }).click()
  await tab.waitForURL(`${origin}/suppen/winter/k%C3%BCrbis`)
  await isShown(tab.getByRole('img', { name: 'Ein Teller Suppe' }))
  expect(await tab.locator('dl').innerText()).toMatch(/^Kürbis\s+1000 g$/)
  const link = tab.locator('.body').getByRole('link', { name: 'Kuchen' })
  expect(await link.getAttribute('href')).toBe('/docs/zitronenkuchen')
  const documents: string[] = []
  tab.on('request', (request) => request.isNavigationRequest() && documents.push(request.url()))
  await link.click()
  await tab.waitForURL(`${origin}/zitronenkuchen`)
  expect(documents).toEqual([])
  expect(await tab.locator('.price').innerText()).toBe('Preis: 7.80')
  expect(await tab.locator('.body em').innerText()).toBe('leichter')
  expect(await tab.locator('.body a').getAttribute('href')).toBe('https://example.com/')
  await isShown(tab.locator('img'))
  expect([...new Set(asked)].sort().reverse()).toEqual([
    'https://example.com/zitronenkuchen.png',
    'https://example.com/suppe.png',
  ])
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
