/** Sites that the screens render: those who use the project change these. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSite } from '../../src/forms/files/open-site.ts'
import { buildSite } from '../../src/static/build-site.ts'
import { readSite } from '../../src/static/site-files.ts'
import { datasetFolder } from '../helpers/dataset-folder.ts'
import { isLong } from '../helpers/long.ts'
import { page } from '../helpers/page.ts'

const base = '/a/b'
const text = `<p>${'A body. '.repeat(99)}</p>`
const paths = ['/news/001', '/über-uns', '/blog/100', '/blog/029']

/** A site below the root of its host, which most tests only read. Its first page has no key `form`. */
const built = datasetFolder(
  paths.map((path, at) => page({ path, contentHtml: text, form: at === 0 ? undefined : null })),
  afterAll,
)
const read = (file: string) => readFileSync(join(built.outDir, file))

beforeAll(async () => {
  const { folder, ...options } = built
  mkdirSync(options.outDir)
  writeFileSync(join(options.outDir, 'old.html'), 'old')
  await buildSite({ ...options, address: `https://example.com${base}` })
})

it('a site replaces the one in its folder', () => {
  expect(existsSync(join(built.outDir, 'blog/029.html'))).toBe(true)
  expect(existsSync(join(built.outDir, 'old.html'))).toBe(false)
  expect(readdirSync(built.folder).sort()).toEqual(['dataset.json', 'dist'])
})

it('a site below the root of its host has that base in every address', () => {
  const site = openSite(built.outDir)
  const answer = (url: string) => site.answer({ method: 'GET', url, headers: {} })
  expect(site.base).toBe(base)
  const files = ['index.html', 'blog/029.html', 'über-uns.html', '404.html', '_refused.html']
  for (const file of files) {
    const html = String(read(file))
    const addresses = Array.from(html.matchAll(/ (?:href|src|action)="([^"]*)"/g), ([, at]) => at)
    expect(addresses.length).toBeGreaterThan(3)
    for (const at of addresses) {
      expect(at?.replace('https://example.com', '')).toMatch(new RegExp(`^${base}/`))
    }
    for (const at of addresses.filter((at) => at?.startsWith(`${base}/immutable/`))) {
      expect(answer(at as string).status, at).toBe(200)
    }
  }
  expect(String(read('blog/029.html'))).toContain(
    `rel="canonical" href="https://example.com${base}/blog/029"`,
  )
  expect(answer(`${base}/`).status).toBe(200)
  expect(answer(`${base}/%C3%BCber-uns`).status).toBe(200)
  for (const address of [
    '/blog/029',
    `${base}x/blog/029`,
    `${base}/site.json`,
    `${base}/_headers`,
    `${base}/_receipt`,
  ]) {
    expect(answer(address).status, address).toBe(404)
  }
  expect(String(read('robots.txt'))).toContain(`Sitemap: https://example.com${base}/sitemap.xml`)
  expect(String(read('_headers'))).toContain(`\n${base}/immutable/*\n`)
})

it('the receiver reads whether pages can have a form: if none can, it keeps no store', () => {
  expect(readSite(built.outDir).pages.map(({ form }) => form)).toEqual([
    undefined,
    ...[null, null, null],
  ])
})

it('the sitemap has the absolute URL of every page, in the order of the index', () => {
  const places = [...String(read('sitemap.xml')).matchAll(/<loc>(.*?)<\/loc>/g)]
  expect(places.map(([, place]) => place)).toEqual([
    `https://example.com${base}/`,
    `https://example.com${base}/blog/029`,
    `https://example.com${base}/blog/100`,
    `https://example.com${base}/news/001`,
    `https://example.com${base}/%C3%BCber-uns`,
  ])
})

it('two builds at once leave the whole site of one, and the next has the bytes of one in an empty folder', async () => {
  const pages = paths.map((path) =>
    page({ path, contentHtml: path === '/news/001' ? '<p>New.</p>' : text }),
  )
  const address = `https://example.com${base}`
  const { folder, ...one } = datasetFolder(pages)
  const other = datasetFolder([...pages, page({ path: '/docs/001' })])
  const builds = [one.dataset, other.dataset].map((dataset) => {
    return buildSite({ ...one, dataset, address })
  })
  // A build that finds the other one's site in its way may fail.
  await Promise.allSettled(builds)
  expect(readdirSync(folder).sort()).toEqual(['dataset.json', 'dist'])
  const isOther = readSite(one.outDir).pages.length > pages.length
  expect(existsSync(join(one.outDir, 'docs/001.html'))).toBe(isOther)

  await buildSite({ ...one, dataset: built.dataset, address })
  const files = readdirSync(built.outDir, { recursive: true, encoding: 'utf8' })
  expect(readdirSync(one.outDir, { recursive: true }).sort()).toEqual(files.sort())
  for (const file of files.filter((file) => statSync(join(built.outDir, file)).isFile()))
    expect(readFileSync(join(one.outDir, file)).equals(read(file)), file).toBe(true)
})

it.runIf(isLong)('after a build that was killed, the next one leaves nothing of it', async () => {
  const pages = Array.from({ length: 100 }, (_, at) => page({ path: `/news/${at}` }))
  const { folder, ...options } = datasetFolder(pages)
  const code = `import { buildSite } from './src/static/build-site.ts'
    await buildSite(${JSON.stringify(options)})`
  const args = ['--import', 'tsx', '--input-type=module', '--eval', code]
  const killed = spawn(process.execPath, args, { stdio: 'inherit' })
  const isWriting = () =>
    readdirSync(folder).some((name) => name !== 'dist' && existsSync(join(folder, name, 'news')))
  await expect.poll(isWriting, { interval: 5 }).toBe(true)
  killed.kill('SIGKILL')
  await once(killed, 'exit')
  await buildSite(options)
  expect(readdirSync(folder).sort()).toEqual(['dataset.json', 'dist'])
})

it('every file that gets smaller has copies that are compressed when the site is built', () => {
  const files = readdirSync(built.outDir, { recursive: true }).map(String)
  const copied = (end: string) => {
    const copies = files.filter((file) => file.endsWith(end))
    return copies.map((file) => file.slice(0, -end.length).replace(/-[\w-]{8}\./, '.')).sort()
  }
  for (const file of files.filter((file) => file.endsWith('.br'))) {
    const whole = read(file.slice(0, -3))
    expect(brotliDecompressSync(read(file)).equals(whole), file).toBe(true)
    expect(read(file).length, file).toBeLessThan(whole.length)
  }
  const well = [
    '404.html',
    'immutable/favicon.svg',
    'immutable/index.css',
    'immutable/index.js',
    'index.html',
  ]
  expect(copied('.gz')).toEqual(expect.arrayContaining(well))
  expect(copied('.br')).toEqual(expect.arrayContaining([...well, 'blog/029.html']))
  for (const file of ['site.json', '_headers']) expect(files).not.toContain(`${file}.br`)
})

it('the script of the site allows the HTML that "elements" lists, and no other', async () => {
  const { folder, ...options } = datasetFolder([page({ contentHtml: '<p><em>a</em></p>' })])
  await buildSite({ ...options, shows: { elements: { p: {}, em: {} } } })
  const names = readdirSync(options.outDir, { recursive: true, encoding: 'utf8' })
  const script = names
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(options.outDir, name), 'utf8'))
    .join('\n')
  // The list, as Vite may write it.
  expect(script).toMatch(/\{\s*"?p"?:\s*\{\s*\},\s*"?em"?:\s*\{\s*\}\s*\}/)
})
