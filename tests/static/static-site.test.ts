import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createServer } from 'vite'
import { expect, it, onTestFinished, vi } from 'vitest'
import { scripts } from '../../package.json'
import { readAddress } from '../../src/page/address.ts'
import { footerLinks } from '../../src/site.ts'
import { buildSite } from '../../src/static/build-site.ts'
import { datasetFolder } from '../helpers/dataset-folder.ts'
import { isLong } from '../helpers/long.ts'
import { page } from '../helpers/page.ts'

it('a page that cannot be shown is named, and the folder stays as it was', async () => {
  const unknown = page({ path: '/news/001', updatedAt: '2016-12-31T23:59:60Z' })
  const { folder, ...options } = datasetFolder([page(), unknown])
  mkdirSync(options.outDir)
  writeFileSync(join(options.outDir, 'index.html'), 'old')
  await expect(buildSite({ ...options, shows: {} })).rejects.toThrow(
    '"/news/001" cannot be shown: The site needs a date and time',
  )
  expect(readdirSync(folder).sort()).toEqual(['dataset.json', 'dist'])
  expect(readdirSync(options.outDir)).toEqual(['index.html'])
})

it('a page without a body is named, also on a site below the root of its host', async () => {
  const { contentHtml, ...bodiless } = page({ path: '/news/001' })
  const { folder, ...options } = datasetFolder([page(), bodiless])
  const build = buildSite({ ...options, shows: {}, address: 'https://example.com/docs' })
  await expect(build).rejects.toThrow(
    '"/news/001" cannot be shown: This record has no "contentHtml". The site needs one.',
  )
})

it.runIf(isLong)(
  'an image on a card that is not there stops the build, also if no document has the card',
  async () => {
    const pages = Array.from({ length: 241 }, (_, at) => page({ path: `/a/${at + 1}` }))
    const { folder, ...options } = datasetFolder(pages)
    const image = ({ path }: { path: string }) =>
      path === '/a/241' ? { src: '/images/none.png', alt: '' } : undefined
    const build = buildSite({ ...options, shows: { image }, address: 'https://example.com/docs' })
    await expect(build).rejects.toThrow(
      '"/a/241" names "/docs/images/none.png", but the site has no such',
    )
  },
)

it.each([
  ['/imprint', '"src/site.ts" names "/docs/imprint", but the site has no such page or file.'],
  ['imprint', 'The link "Imprint" in "footerLinks" of src/site.ts leads to "imprint"'],
])('a link of the footer to %s, which leads nowhere, stops the build', async (href, says) => {
  const length = footerLinks.push({ href, text: 'Imprint' })
  onTestFinished(() => void footerLinks.splice(length - 1))
  const { folder, ...options } = datasetFolder([page()])
  const build = buildSite({ ...options, shows: {}, address: 'https://example.com/docs' })
  await expect(build).rejects.toThrow(says)
})

it('a SITE_URL that is not an address stops the build in one line', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', 'scripts/build.ts'],
    { env: { ...process.env, SITE_URL: 'example.com' }, encoding: 'utf8' },
  )
  expect(stderr).toBe(
    'build: SITE_URL is "example.com", but must be the address of the site, such as https://example.com or https://example.com/docs/\n',
  )
  expect([status, stdout]).toEqual([2, ''])
})

it.each(['a#b', 'a?b'])('a project in a folder %s is refused in one line', (name) => {
  const { folder } = datasetFolder([])
  const cwd = join(folder, name)
  cpSync('scripts/folder.cjs', join(cwd, 'scripts/folder.cjs'))
  const { status, stderr } = spawnSync(scripts.build, { cwd, shell: true, encoding: 'utf8' })
  expect(stderr).toBe(
    `build: a site cannot be built in ${cwd}, because its name has # or ?. Rename the folder.\n`,
  )
  expect(status).toBe(1)
})

it('the address of the site is SITE_URL without a slash at its end', () => {
  expect(readAddress('https://example.com/')).toBe('https://example.com')
  expect(readAddress('http://localhost:4173/a')).toBe('http://localhost:4173/a')
  expect(readAddress('https://me.github.io/docs/')).toBe('https://me.github.io/docs')
  expect([readAddress(undefined), readAddress('')]).toEqual([undefined, undefined])
  for (const text of [
    ...['localhost:4173', 'ftp://example.com', 'https://', '//example.com', '/docs/'],
    ...['https://example.com/?a', 'https://example.com/#a', 'https://me@example.com/'],
    ...['https://example.com//docs/', 'https://example.com/docs//', 'https://example.com/über/'],
  ]) {
    expect(() => readAddress(text), text).toThrow(`SITE_URL is "${text}"`)
  }
})

it('a build without a dataset fails, instead of showing an empty site', async () => {
  const { folder, ...options } = datasetFolder([])
  const dataset = join(folder, 'none.json')
  await expect(buildSite({ ...options, dataset })).rejects.toThrow('no such file')
  expect(existsSync(options.outDir)).toBe(false)
})

it('in development, everything is under the path of SITE_URL', async () => {
  vi.stubEnv('SITE_URL', 'https://club.example/intern/')
  const server = await createServer({
    configFile: 'src/static/vite.config.ts',
    server: { port: 0 },
    logLevel: 'error',
  })
  try {
    await server.listen()
    const [address = ''] = server.resolvedUrls?.local ?? []
    const get = (url: string) => fetch(new URL(url, address), { headers: { accept: 'text/html' } })
    const response = await get('/')
    const start = await response.text()
    expect(new URL(response.url).pathname).toBe('/intern/')
    expect(start).toContain('<link rel="canonical" href="https://club.example/intern/"/>')
    const links = [...start.matchAll(/ (?:href|src)="(\/[^"]*)"/g)].map(([, url = '']) => url)
    expect(links.filter((url) => !url.startsWith('/intern/'))).toEqual([])
    // The icons, the style and the first pages; the script comes last.
    for (const url of [...links.slice(0, 9), ...links.slice(-1)]) {
      expect((await get(url)).status, url).toBe(200)
    }
    expect((await get('/intern/no/such/page')).status).toBe(404)
  } finally {
    await server.close()
    vi.unstubAllEnvs()
  }
})
