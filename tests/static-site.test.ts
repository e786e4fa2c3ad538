import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { baseOf, buildSite } from '../src/site/static/build-site.ts'
import { fill } from '../src/site/static/static-site.ts'
import { page } from './page.ts'

const TEMPLATE = new URL('../src/site/index.html', import.meta.url)
const template = readFileSync(TEMPLATE, 'utf8')
const parts = { path: '/blog/029', head: '<title>$&</title>', screen: '<h1>$1</h1>' }

/** Returns a folder with a dataset of the given pages, and the options that build a site from it. */
function workspace(pages: object[]) {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-build-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const dataset = join(folder, 'dataset.json')
  writeFileSync(dataset, JSON.stringify(pages))
  return { folder, dataset, outDir: join(folder, 'dist'), logLevel: 'silent' } as const
}

/** Builds a site of three pages. Returns a function that reads a file of it, or undefined. */
async function siteOf(base?: string) {
  const paths = ['/news/001', '/blog/100', '/blog/029']
  const { folder, ...options } = workspace(paths.map((path) => page({ path })))
  await buildSite({ ...options, base })
  return (file: string) => {
    const whole = join(folder, 'dist', file)
    return existsSync(whole) ? readFileSync(whole, 'utf8') : undefined
  }
}

it('a site replaces the one in its folder', async () => {
  const { folder, ...options } = workspace([page()])
  mkdirSync(options.outDir)
  writeFileSync(join(options.outDir, 'old.html'), 'old')
  await buildSite(options)
  expect(existsSync(join(options.outDir, 'blog/029.html'))).toBe(true)
  expect(existsSync(join(options.outDir, 'old.html'))).toBe(false)
  expect(readdirSync(folder).sort()).toEqual(['dataset.json', 'dist'])
})

it.each([
  [
    'that was updated at an instant that no browser knows',
    { updatedAt: '2016-12-31T23:59:60Z' },
    '/news/001 cannot be shown: its updatedAt is "2016-12-31T23:59:60Z", which is no date',
  ],
  ['that fails to render', { contentHtml: '<b>a</b>' }, '/news/001 cannot be rendered: a body has'],
])('a page %s is named, and the folder stays as it was', async (_, fault, message) => {
  const { folder, ...options } = workspace([page(), page({ path: '/news/001', ...fault })])
  mkdirSync(options.outDir)
  writeFileSync(join(options.outDir, 'index.html'), 'old')
  await expect(buildSite(options)).rejects.toThrow(message)
  expect(readdirSync(folder).sort()).toEqual(['dataset.json', 'dist'])
  expect(readdirSync(options.outDir)).toEqual(['index.html'])
})

it('two builds at once leave the whole site of one of them', async () => {
  const { folder, ...one } = workspace([page()])
  const other = workspace([page(), page({ path: '/news/001' })])
  const { outDir } = one
  // A build that finds the other one's site in its way may fail.
  await Promise.allSettled([buildSite(one), buildSite({ ...one, dataset: other.dataset })])
  expect(readdirSync(folder).sort()).toEqual(['dataset.json', 'dist'])
  const pages: unknown[] = JSON.parse(readFileSync(join(outDir, 'dataset.json'), 'utf8'))
  expect(existsSync(join(outDir, 'news/001.html'))).toBe(pages.length === 2)
})

it('a SITE_URL that is no address stops the build in one line', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', 'scripts/build.ts'],
    { env: { ...process.env, SITE_URL: 'example.com' }, encoding: 'utf8' },
  )
  expect(stderr).toBe(
    'build: SITE_URL is "example.com", but must be the address of the site, such as https://example.com\n',
  )
  expect([status, stdout]).toEqual([2, ''])
})

it('the address of the site is that of SITE_URL without its path', () => {
  expect(baseOf('https://example.com/')).toBe('https://example.com')
  expect(baseOf('http://localhost:4173/a')).toBe('http://localhost:4173')
  expect([baseOf(undefined), baseOf('')]).toEqual([undefined, undefined])
  for (const text of ['localhost:4173', 'ftp://example.com', 'https://', '//example.com']) {
    expect(() => baseOf(text), text).toThrow(`SITE_URL is "${text}"`)
  }
})

it('the sitemap has the absolute URL of every page, in the order of the index', async () => {
  const read = await siteOf('https://example.com')
  const places = [...(read('sitemap.xml') ?? '').matchAll(/<loc>(.*?)<\/loc>/g)]
  expect(places.map(([, place]) => place)).toEqual([
    'https://example.com/',
    'https://example.com/blog/029',
    'https://example.com/blog/100',
    'https://example.com/news/001',
  ])
  expect(read('robots.txt')).toContain('Sitemap: https://example.com/sitemap.xml')
  expect(read('blog/029.html')).toContain(
    '<link rel="canonical" href="https://example.com/blog/029"/>',
  )
})

it('without the address of the site there is no sitemap, and nothing refers to one', async () => {
  const read = await siteOf()
  expect(read('sitemap.xml')).toBeUndefined()
  expect(read('robots.txt')).toBe('User-agent: *\nAllow: /\n')
  expect(read('blog/029.html')).not.toContain('canonical')
})

it('a document is the template with every part inserted unchanged', () => {
  const html = fill(template, { ...parts, policy: '<meta policy>', preload: '<link>' })
  expect(html).toContain('<meta policy>')
  expect(html).toContain('<title>$&</title><link>')
  expect(html).toContain('<div id="root" data-path="/blog/029"><h1>$1</h1></div>')
  expect(html).not.toContain('<!--')
})

it.each(['<!--policy-->', '<!--head-->', '<!--screen-->'])(
  'a template that does not contain %s exactly once is refused',
  (mark) => {
    const message = `src/site/index.html must contain ${mark} exactly once`
    expect(() => fill(template.replace(mark, ''), parts)).toThrow(message)
    expect(() => fill(template + mark, parts)).toThrow(message)
  },
)
