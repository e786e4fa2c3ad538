/** The report of a build, opened from the disk: accessibility and hostile batches. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, type Page as Tab } from '@playwright/test'
import { sampleBatches } from '../../scripts/samples/batches.ts'
import { printable } from '../../src/text/printable.ts'
import { ATTACKS } from '../helpers/attacks.ts'
import { isLong } from '../helpers/long.ts'
import { NAUGHTY_STRINGS } from '../helpers/naughty-strings.ts'
import { faultsOf } from './axe.ts'
import { test } from './hosts.ts'
import { misfitsOf } from './layout.ts'
import { messagesOf } from './watch.ts'

const ROOT = join(import.meta.dirname, '../..')

const HOSTILE = [...ATTACKS, ...NAUGHTY_STRINGS]
  .map((text) => text.toWellFormed())
  .filter((text) => text !== '' && text.length < 5_000)

type Batches = Record<string, { path: string; [key: string]: unknown }[]>

/** A schema that every record with a path fits. */
const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'array',
  items: {
    title: 'Page',
    type: 'object',
    required: ['path'],
    properties: { path: { type: 'string' } },
    additionalProperties: true,
  },
}

const FIVE = { pages: 100, batches: 5, duplicates: 0.32, forms: 0.3, seed: 1 }

/**
 * Five batches with conflicts, without keys that a rule could refuse. The report of one category has
 * all parts of the whole, and a few of each.
 */
const BATCHES: Batches = Object.fromEntries(
  [...sampleBatches(FIVE)].map((pages, at) => [
    `batch-0${at + 1}.json`,
    pages
      .filter(({ path }) => isLong || path.startsWith('/contact/'))
      .map(({ title, contentHtml, ...page }) => ({ ...page, name: title, text: contentHtml })),
  ]),
)

// One worker, so that the five batches are built once.
test.describe.configure({ mode: 'default' })

let folder: string
let five: ReturnType<typeof report>
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'manyurls-report-'))
  five = report('five', BATCHES)
})
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Builds batches with a report. */
function report(name: string, batches: Batches, schema: object = SCHEMA, args: string[] = []) {
  const place = join(folder, name)
  const [file, out, rules] = [`${place}.html`, `${place}-out`, `${place}.json`]
  mkdirSync(place)
  for (const [batch, records] of Object.entries(batches)) {
    writeFileSync(join(place, batch), JSON.stringify(records))
  }
  writeFileSync(rules, JSON.stringify(schema))
  const own = ['--schema', rules, '--config', 'tests/helpers/content.ts']
  const all = ['--batches', place, '--out', out, ...own, '--report', file, ...args]
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--require', './scripts/tsx.cjs', 'scripts/build-data/build-data.ts', ...all],
    { cwd: ROOT, encoding: 'utf8' },
  )
  return { file, status, stderr, open: (tab: Tab) => tab.goto(pathToFileURL(file).href) }
}

test('axe finds nothing, and nothing is clipped or scrolls sideways', async ({ tab }) => {
  await five.open(tab)
  await expect(tab.locator('.conflicts article')).not.toHaveCount(0)
  expect(await faultsOf(tab, { tags: ['best-practice'] })).toEqual([])
  expect(await misfitsOf(tab)).toEqual([])
})

test('axe finds nothing in the report of several collections, either', async ({ tab }) => {
  const place = join(folder, 'repository')
  const files = {
    'cities/1.json': '[{ "code": "OSL", "name": "Oslo" }]',
    'cities/2.json': '[{ "code": "OSL", "name": "Åslo" }, { "code": "ROM" }]',
    'people.json': '[{ "code": "ada" }, { "code": ',
    'manyurls.config.mjs': `export default {
      cities: { files: 'cities', id: 'code', duplicates: 'drop' },
      people: { files: 'people.json', id: 'code' },
    }`,
  }
  mkdirSync(join(place, 'cities'), { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text)

  const command = ['--import', import.meta.resolve('tsx'), join(ROOT, 'src/package/bin.ts')]
  const args = [...command, 'check', '--report', 'report.html']
  const env = { ...process.env, TSX_TSCONFIG_PATH: join(ROOT, 'tsconfig.json') }
  const { status } = spawnSync(process.execPath, args, { cwd: place, env })
  expect(status).toBe(1)

  await tab.goto(pathToFileURL(join(place, 'report.html')).href)
  await expect(tab.getByRole('heading', { level: 2 })).toHaveText(['cities', 'people'])
  expect(await faultsOf(tab, { tags: ['best-practice'] })).toEqual([])
  expect(await misfitsOf(tab)).toEqual([])
})

test('each conflict shows both values of what differs, with words marked and the rest folded', async ({
  tab,
}) => {
  await five.open(tab)
  const conflicts = await tab.locator('.conflicts article').all()
  for (const conflict of conflicts) {
    const values = conflict.locator('.differences dd')
    expect(await values.count()).toBeGreaterThanOrEqual(2)
    await expect(conflict.locator('mark').first()).toBeVisible()
    await expect(conflict.getByText(/^The (kept|dropped) record is newer/).first()).toBeVisible()
  }
  const folded = tab.locator('details').first()
  await expect(folded.locator('span')).toBeHidden()
  await folded.locator('summary').click()
  await expect(folded.locator('span')).toBeVisible()
})

test('the counts of the batches stand below each other, from the right', async ({ tab }) => {
  await five.open(tab)
  const rights = await tab.locator('.files tbody tr').evaluateAll((rows) =>
    rows.map((row) => {
      const range = document.createRange()
      range.selectNodeContents(row.children[1] as Element)
      return Math.round(range.getBoundingClientRect().right)
    }),
  )
  // A batch that has lost nothing isn't listed.
  expect(rights).toHaveLength(isLong ? 4 : 2)
  expect(new Set(rights).size).toBe(1)
})

test('the report requests nothing from the network', async ({ tab }) => {
  const urls: string[] = []
  tab.on('request', (request) => urls.push(request.url()))
  await five.open(tab)
  expect(urls).toEqual([tab.url()])
})

/** Opens a report and expects that none of its content has become markup. */
async function expectTextOnly(tab: Tab, open: (tab: Tab) => Promise<unknown>) {
  const messages = messagesOf(tab)
  await open(tab)
  expect(
    await tab
      .locator(
        'img, iframe, script, main style, object, [onerror], [onload], [onfocus], a[href^="javascript"]',
      )
      .count(),
  ).toBe(0)
  expect(await tab.evaluate(() => 'ran' in window)).toBe(false)
  expect(messages).toEqual([])
}

test('hostile strings in every key, path and name of a batch are text', async ({ tab }) => {
  const record = (text: string, other: string) => {
    return { path: text, [`key ${text}`]: other, deep: { [text]: [other] }, same: text }
  }
  const { status, stderr, open } = report('hostile', {
    '1 "><img src=x onerror=ran=1>.json': HOSTILE.map((text) => record(text, text)),
    '2 <script>ran=1<script>.json': HOSTILE.map((text) => record(text, `${text} other`)),
  })
  expect(stderr).toBe('')
  expect(status).toBe(0)
  await expectTextOnly(tab, open)
  await expect(tab.locator('.conflicts article')).toHaveCount(new Set(HOSTILE).size)
  const paths = await tab.locator('.conflicts h3').allTextContents()
  for (const text of HOSTILE) expect(paths, text).toContain(printable(text))
})

test('hostile strings in refused records are text', async ({ tab }) => {
  const faulty = HOSTILE.map((text) => ({ path: text, [text]: text, title: text }))
  const strict = JSON.parse(readFileSync(join(ROOT, 'tests/helpers/batch.schema.json'), 'utf8'))
  const { status, open } = report('refused', { '<img src=x onerror=ran=1>.json': faulty }, strict, [
    '--all',
  ])
  expect(status).toBe(1)
  const file = readFileSync(join(folder, 'refused.html'), 'utf8')
  expect(file).toContain('<h2>Problems</h2>')
  await expectTextOnly(tab, open)
  // The lines of a code frame wrap: the keyboard would have to reach what scrolls.
  await tab.setViewportSize({ width: 320, height: 800 })
  const frames = await tab.locator('.problem pre').evaluateAll((all) => {
    return all.map(({ textContent, scrollWidth, clientWidth }) => {
      return { text: textContent, scrolls: scrollWidth > clientWidth }
    })
  })
  expect(frames.length).toBeGreaterThan(20)
  expect(frames.filter(({ scrolls }) => scrolls)).toEqual([])
  if (isLong) expect(await faultsOf(tab, { tags: ['best-practice'] })).toEqual([])
})
