import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openSite } from '../../src/forms/files/open-site.ts'
import {
  compressQuickly,
  compressWell,
  filesIn,
  finishSite,
  SiteError,
} from '../../src/static/site-files.ts'

const page = `<p>${'A page that is long enough to be worth it. '.repeat(50)}</p>`
const files = {
  'index.html': `<h1>Index</h1>${page}`,
  '404.html': `<h1>Not found</h1>${page}`,
  'blog/029.html': page,
  'robots.txt': 'short',
  _headers: '/*\n',
  // Eight letters are no digest.
  'assets/hero-homepage.png': '\x89PNG',
  'immutable/index-Ab12_-xY.js': `console.log(${JSON.stringify(page)})`,
  'immutable/icon-Ab12Cd34.png': '\x89PNG'.repeat(100),
  '_receipt.html': 'a receipt',
  '_refused.html': 'a refusal',
}

/** Writes a built site into a folder of its own. */
function build(content: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-site-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const site = join(folder, 'dist')
  for (const [file, text] of Object.entries(content)) {
    mkdirSync(dirname(join(site, file)), { recursive: true })
    writeFileSync(join(site, file), text)
  }
  return site
}

/** The same with the copies that the build makes: the documents of pages have only one. */
function compressed() {
  const folder = build(files)
  for (const [file, text] of Object.entries(files)) {
    const body = Buffer.from(text)
    const isPage = file.startsWith('blog/')
    const quick = [['.br', compressQuickly(body)]] as const
    const copies = isPage ? quick : compressWell(file, body)
    for (const [end, copy] of copies) writeFileSync(join(folder, file + end), copy)
  }
  return open(folder)
}

function open(folder = build(files), base = '') {
  const visible = [...filesIn(folder)].filter((file) => file !== '_headers')
  finishSite(folder, { base, dataset: '', pages: [], files: visible })
  const site = openSite(folder)
  const get = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
    site.answer({ url, method, headers })
  return { ...site, get }
}

const encodingOf = ({ headers }: { headers: Record<string, string> }) => headers['Content-Encoding']

describe('an address', () => {
  it('is answered with the type of its file, and the encoding of text', () => {
    const types = {
      'a.html': 'text/html; charset=utf-8',
      'a.js': 'text/javascript; charset=utf-8',
      'a.json': 'application/json; charset=utf-8',
      'a.png': 'image/png',
    }
    const { get } = open(build({ ...files, ...types }))
    for (const [file, type] of Object.entries(types)) {
      expect(get(`/${file}`).headers['Content-Type']).toBe(type)
    }
  })

  it('leads to its file and to no other', () => {
    const { get } = compressed()
    for (const [url, file] of [
      ['/', 'index.html'],
      ['/?q=a', 'index.html'],
      ['/blog/029', 'blog/029.html'],
      ['/robots.txt', 'robots.txt'],
    ] as const) {
      expect(get(url)).toMatchObject({ status: 200, body: Buffer.from(files[file]) })
    }
    for (const url of [
      '',
      '//',
      '/404',
      '/404.html',
      '/index.html',
      '/blog/029.html',
      '/blog/029.html.br',
      '/index.html.gz',
      '/immutable/index-Ab12_-xY.js.br',
      '/blog/029/',
      '/BLOG/029',
      '/blog',
      '/_headers',
      '/_receipt',
      '/_refused',
      '/site.json',
      '/../dist/robots.txt',
      '/%72obots.txt',
      '/..%2frobots.txt',
      '/%',
      '/%ff',
      `/${'a'.repeat(8000)}`,
      '/__proto__',
      '*',
    ]) {
      expect(get(url), url).toMatchObject({ status: 404, body: Buffer.from(files['404.html']) })
    }
  })

  it('of a site with a base leads there from / and from the base without its slash', () => {
    const { get } = open(build(files), '/docs')
    expect(get('/docs/').status).toBe(200)
    for (const [url, Location] of [
      ['/', '/docs/'],
      ['/docs', '/docs/'],
      ['/docs?q=a%20b', '/docs/?q=a%20b'],
      ['/?q=/?', '/docs/?q=/?'],
    ] as const) {
      expect(get(url)).toMatchObject({ status: 308, headers: { Location }, body: undefined })
    }
    for (const url of ['//', '/docs//', '/docsx', '/blog/029', '/%64ocs']) {
      expect(get(url).status, url).toBe(404)
    }
  })

  it('leads to the whole file, whatever range is asked for', () => {
    const { get } = open()
    for (const range of ['bytes=0-4', 'bytes=-5', 'bytes=9999999-', 'x'])
      expect(get('/blog/029', { range })).toEqual(get('/blog/029'))
  })

  it('has no body for HEAD', () => {
    const { get } = open()
    expect(get('/blog/029', {}, 'HEAD')).toEqual({ ...get('/blog/029'), body: undefined })
  })
})

describe('a file', () => {
  it('is sent in the preferred encoding, the smallest of several preferred equally', () => {
    const { get } = compressed()
    const smallest = 'br'
    for (const [accepted, encoding] of [
      ['', undefined],
      ['identity', undefined],
      ['gzip, deflate, br, zstd', smallest],
      ['*', smallest],
      ['gzip', 'gzip'],
      ['br', 'br'],
      ['zstd', undefined],
      ['br;q=0.1, gzip;q=0.9', 'gzip'],
      ['br;q=0, *', 'gzip'],
      ['gzip, identity;q=0.5', 'gzip'],
      ['identity, br;q=0.5', undefined],
      ['compress', undefined],
      ['%', undefined],
    ] as const) {
      const answer = get('/', { 'accept-encoding': accepted })
      expect(encodingOf(answer), accepted).toBe(encoding)
      expect(answer.headers.Vary).toBe('Accept-Encoding')
      expect(answer.headers['Content-Length']).toBe(String(answer.body?.length))
    }
  })

  it('is the same in every encoding', () => {
    const { get } = compressed()
    const decode = { br: brotliDecompressSync, gzip: gunzipSync }
    for (const [encoding, decompress] of Object.entries(decode)) {
      for (const url of ['/', '/immutable/index-Ab12_-xY.js', '/none']) {
        const answer = get(url, { 'accept-encoding': encoding })
        expect(encodingOf(answer), url).toBe(encoding)
        expect(decompress(answer.body as Buffer), url).toEqual(get(url).body)
        expect(answer.body?.length).toBeLessThan(get(url).body?.length ?? 0)
      }
    }
  })

  it('is never compressed while a request waits: what the build did not compress is sent as it is', () => {
    const { get } = open()
    for (const url of ['/', '/blog/029', '/immutable/index-Ab12_-xY.js']) {
      const answer = get(url, { 'accept-encoding': 'br, gzip' })
      expect(encodingOf(answer), url).toBeUndefined()
      expect(answer.headers.Vary, url).toBeUndefined()
    }
  })

  it('that is small or already compressed is sent uncompressed', async () => {
    const { get } = compressed()
    for (const url of ['/robots.txt', '/immutable/icon-Ab12Cd34.png']) {
      const answer = get(url, { 'accept-encoding': 'br' })
      expect(encodingOf(answer)).toBeUndefined()
      expect(answer.headers.Vary).toBeUndefined()
    }
  })

  it('is not sent again to a client that has it in the same encoding', async () => {
    const { get } = compressed()
    const tags = ['br', 'gzip', 'identity'].map((encoding) => {
      const headers = { 'accept-encoding': encoding }
      const { ETag = '' } = get('/', headers).headers
      expect(ETag).toMatch(/^"[\w-]+"$/)
      for (const known of [ETag, `W/${ETag}`, `"x", ${ETag}`, '*']) {
        const again = get('/', { ...headers, 'if-none-match': known })
        expect(again).toMatchObject({ status: 304, body: undefined, headers: { ETag } })
      }
      for (const known of ['"x"', ETag.slice(1), '"']) {
        expect(get('/', { ...headers, 'if-none-match': known }).status).toBe(200)
      }
      return ETag
    })
    expect(new Set(tags).size).toBe(3)
    expect(get('/none', { 'if-none-match': '*' }).status).toBe(404)
  })

  it('may be cached forever if its name has a content hash', () => {
    const { get } = open()
    const forEver = 'public, max-age=31536000, immutable'
    const cached = (url: string) => get(url).headers['Cache-Control']
    for (const url of ['/immutable/index-Ab12_-xY.js', '/immutable/icon-Ab12Cd34.png']) {
      expect(cached(url)).toBe(forEver)
    }
    for (const url of ['/', '/blog/029', '/assets/hero-homepage.png', '/none'])
      expect(cached(url)).toBe('no-cache')
  })
})

it('a site that was read stays the same when another one replaces its folder', async () => {
  const folder = build(files)
  const { get } = open(folder)
  rmSync(folder, { recursive: true })
  expect(get('/blog/029')).toMatchObject({ status: 200, body: Buffer.from(page) })
})

it('a site that is missing or unfinished is refused with the command that builds it', () => {
  const unfinished = ['{"base":', '{"base":""}'].map((site) =>
    build({ ...files, 'site.json': site }),
  )
  for (const folder of ['/none', build(files), ...unfinished]) {
    expect(() => openSite(folder)).toThrow(SiteError)
    expect(() => openSite(folder)).toThrow('no finished site')
    expect(() => openSite(folder)).toThrow('npm run build')
  }
})

it('a site that was copied incompletely is refused with the name of a missing file', () => {
  const folder = build(files)
  open(folder)
  rmSync(join(folder, 'blog/029.html'))
  expect(() => openSite(folder)).toThrow(SiteError)
  expect(() => openSite(folder)).toThrow('blog/029.html')
})
