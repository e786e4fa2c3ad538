import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { expect, it, onTestFinished } from 'vitest'
import { documents, fill } from '../src/site/documents.ts'
import config from '../src/site/vite.config.ts'
import { page } from './page.ts'

const TEMPLATE = new URL('../src/site/index.html', import.meta.url)
const template = readFileSync(TEMPLATE, 'utf8')
const parts = { path: '/blog/029', head: '<title>$&</title>', screen: '<h1>$1</h1>' }

/** Builds a site of three pages. Returns a function that reads a file of it, or undefined. */
async function buildSite(base?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-build-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const dataset = join(folder, 'dataset.json')
  const paths = ['/news/001', '/blog/100', '/blog/029']
  writeFileSync(dataset, JSON.stringify(paths.map((path) => page({ path }))))
  await build({
    ...config,
    configFile: false,
    logLevel: 'silent',
    plugins: [documents(base === undefined ? { dataset } : { dataset, base })],
    build: { ...config.build, outDir: join(folder, 'dist') },
  })
  return (file: string) => {
    const whole = join(folder, 'dist', file)
    return existsSync(whole) ? readFileSync(whole, 'utf8') : undefined
  }
}

it('the sitemap has the absolute URL of every page, in the order of the index', async () => {
  const read = await buildSite('https://example.com')
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
  const read = await buildSite()
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
