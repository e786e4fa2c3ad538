/**
 * A Vite plugin that makes the site static: it turns the dataset into modules for the browser and
 * into one finished document for every address. In development it serves the same.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { type Plugin, runnerImport } from 'vite'
import { addressOf, baseOf, NOT_FOUND, pathAt } from '../../dataset/address.ts'
import { withBase } from '../../dataset/links.ts'
import { sha256Of } from '../../text/digest.ts'
import { directionOf } from '../content/language.ts'
import { byPath, type Found, givenOf, type Lookup, lookUp } from '../content/lookup.ts'
import type { SitePage } from '../content/page.ts'
import type { WordIndex } from '../content/search.ts'
import { site } from '../site.ts'
import { documentPolicy, headersFile } from './policy.ts'
import type * as Renderer from './render.tsx'
import { checkPages, SiteLinks } from './showable.ts'
import { compress, filesIn, finishSite, HEADERS_FILE } from './site-files.ts'
import { indexWords } from './word-index.ts'

const SITE = join(import.meta.dirname, '..')
const DATASET = join(SITE, '../generated/dataset.json')
const LOOKUP = join(SITE, 'content/lookup.ts')
const SEARCH = join(SITE, 'content/search.ts')
const DEFINITION = join(SITE, 'site.ts')
const RENDER = join(import.meta.dirname, 'render.tsx')

const MODULE = 'virtual:pages'

/** The most characters of bodies in a module of adjacent pages. A longer body has its own. */
const CHUNK = 6 * 1024

export interface Options {
  /** The dataset to show. By default, the one in `src/generated`. */
  dataset?: string | undefined
  /** The address of the site, such as https://example.com or https://example.com/docs. */
  address?: string | undefined
}

export function documents({ dataset = DATASET, address }: Options = {}): Plugin {
  const base = baseOf(address)
  let template = ''
  let content: ReturnType<typeof contentOf>

  return {
    name: 'documents',
    enforce: 'post',
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : undefined),
    load(id) {
      if (id !== `\0${MODULE}`) return undefined
      if (this.environment.config.command !== 'build') return liveModule(dataset, base)
      const search = this.emitFile({
        type: 'chunk',
        id: SEARCH,
        name: 'search',
        preserveSignature: 'strict',
      })
      content = contentOf(dataset, base, search)
      return content.module
    },

    generateBundle(_options, bundle) {
      const page = bundle['index.html']
      if (page?.type !== 'asset') throw new Error('the build has no index.html')
      template = String(page.source)
      delete bundle['index.html']
    },

    // Written one by one: Vite would keep all documents in memory and list each one.
    async writeBundle({ dir = '' }) {
      const { digest, lookup, chunks, modules, end } = content
      const { module } = await runnerImport<typeof Renderer>(RENDER, {
        configFile: false,
        root: SITE,
        logLevel: 'error',
      })
      const links = new SiteLinks(address)
      const write = (file: string, text: string) => {
        const whole = join(dir, file)
        mkdirSync(dirname(whole), { recursive: true })
        writeFileSync(whole, text)
        return whole
      }
      const writeDocument = (file: string, path: string) => {
        const isLong = path === '/' && !givenOf(path, lookup).entries
        const preload = isLong
          ? `<link rel="modulepreload" crossorigin href="${base}/assets/list${end}">`
          : ''
        const policy = `<meta http-equiv="Content-Security-Policy" content="${documentPolicy}">`
        const rendered = module.renderDocument({ pages: lookup, path, address })
        const html = fill(template, { policy, preload, ...rendered })
        links.add(path, html)
        return write(file, html)
      }

      for (const [name, source] of modules) write(`assets/${name}${end}`, source)
      writeDocument('index.html', '/')
      writeDocument('404.html', NOT_FOUND)
      const place = address ? `\nSitemap: ${address}/sitemap.xml\n` : ''
      write('robots.txt', `User-agent: *\nAllow: /\n${place}`)
      if (address) write('sitemap.xml', sitemap(chunks.flat(), address))
      const compressAll = async (files: Iterable<string>) => {
        for (const file of files) await compress(join(dir, file), /^assets\/\d+-/.test(file))
      }
      const writePages = async () => {
        for (const pages of chunks) {
          for (const { page } of pages) {
            const file = writeDocument(`${page.path.slice(1)}.html`, page.path)
            await compress(file, true)
          }
          await setImmediate()
        }
      }
      await Promise.all([compressAll(filesIn(dir)), writePages()])
      links.check(filesIn(dir))
      write(HEADERS_FILE, headersFile(base))
      const pages = content.pages.map(({ path, title, form }) => ({ path, title, form }))
      finishSite(dir, { base, dataset: digest, pages })
    },

    // After Vite's own middleware, which serves every existing file.
    configureServer: (server) => () => {
      server.middlewares.use(async ({ originalUrl: url = '/' }, response, next) => {
        try {
          const pages = lookUp(livePages(dataset, base), site)
          const wanted = pathAt(new URL(url, 'http://localhost').pathname, base)
          const isKnown = wanted === '/' || pages.find(wanted) !== undefined
          const path = isKnown ? wanted : NOT_FOUND
          const { renderDocument } = (await server.ssrLoadModule(RENDER)) as typeof Renderer
          const template = readFileSync(join(SITE, 'index.html'), 'utf8')
          const html = fill(template, renderDocument({ pages, path, address }))
          response.writeHead(isKnown ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' })
          // As /index.html: otherwise Vite would leave its URLs relative to that of the page.
          response.end(await server.transformIndexHtml('/index.html', html, url))
        } catch (error) {
          next(error)
        }
      })
    },
  }
}

/** Returns the pages of a dataset. The base is not in its bodies, so that a site can move. */
function pagesOf(dataset: Buffer, base: string) {
  const pages: SitePage[] = JSON.parse(dataset.toString())
  return pages.map((page) => ({ ...page, contentHtml: withBase(page.contentHtml, base) }))
}

/** Returns the pages for development, which may begin before there is a dataset. */
function livePages(dataset: string, base: string) {
  return existsSync(dataset) ? pagesOf(readFileSync(dataset), base) : []
}

/** Reads what a site is built from. Its data is not bundled: that would take 150 MB at 10,000 pages. */
function contentOf(dataset: string, base: string, search: string) {
  const bytes = readFileSync(dataset)
  const pages = pagesOf(bytes, base)
  checkPages(pages)
  const lookup = lookUp(pages, site)
  const chunks = inChunks(lookup)
  const words = indexWords(lookup, site.searched)
  const parts = words.map((part, at) => [`words-${at}`, part] as const)
  const firsts = chunks.map(([first]) => first?.page.path)
  const data = { ...chunks, list: lookup.entries, firsts, ...Object.fromEntries(parts) }
  const modules = Object.entries(data).map(
    ([name, value]) =>
      [name, `export default JSON.parse(${JSON.stringify(JSON.stringify(value))})\n`] as const,
  )
  // One hash for all: the script that imports them has to name it, and changes with any of them.
  const hash = createHash('sha256')
  for (const [, source] of modules) hash.update(source)
  const end = `-${hash.digest('base64url').slice(0, 8)}.js`
  return {
    digest: sha256Of(bytes),
    pages,
    lookup,
    chunks,
    modules,
    end,
    module: builtModule(words, end, search),
  }
}

/** Splits all pages, in the order of their paths, into runs whose bodies have a bounded size. */
function inChunks({ entries, find }: Lookup): Found[][] {
  const chunks: Found[][] = []
  let size = CHUNK
  for (const { path } of byPath(entries)) {
    const found = find(path) as Found
    const { length } = found.page.contentHtml
    if (size + length > CHUNK) {
      chunks.push([])
      size = 0
    }
    chunks.at(-1)?.push(found)
    size += length
  }
  return chunks
}

/** Returns the module that imports the data on demand. It is emitted into the same folder. */
function builtModule(words: readonly WordIndex[], end: string, search: string): string {
  // HTML keeps a module that could not be loaded as such: to try again takes another address.
  return `let again = ''
    const load = (address) => import(/* @vite-ignore */ address + again)
      .catch((error) => { again = '?' + Date.now(); throw error })
    export const data = (name) => load('./' + name + '${end}')
    export const searchCode = () => load(import.meta.ROLLUP_FILE_URL_${search})
    export const firstWords = ${JSON.stringify(words.map(([first]) => first?.[0]))}`
}

/** The same for development. Its imports let Vite see what depends on the dataset. */
function liveModule(dataset: string, base: string): string {
  const pages = livePages(dataset, base)
  const words = indexWords(lookUp(pages, site), site.searched, Infinity)
  return `import ${JSON.stringify(dataset)}
    import { lookUp } from ${JSON.stringify(LOOKUP)}
    import { site } from ${JSON.stringify(DEFINITION)}
    const { entries, find } = lookUp(${JSON.stringify(pages)}, site)
    export const searchCode = () => import(${JSON.stringify(SEARCH)})
    export const firstWords = ['']
    const words = ${JSON.stringify(words.flat())}
    const pages = entries.map(({ path }) => find(path))
    const all = { list: entries, firsts: [''], 0: pages, 'words-0': words }
    export const data = async (name) => ({ default: all[name] })`
}

/** Puts a rendered screen into the template, and what the head of a built document has beside it. */
export function fill(
  template: string,
  parts: { head: string; screen: string; preload?: string; policy?: string },
): string {
  const { head, screen, preload = '', policy = '' } = parts
  const filled = {
    'lang="en"': `lang="${site.language}"${directionOf(site.language) === 'rtl' ? ' dir="rtl"' : ''}`,
    '<!--policy-->': policy,
    '<!--head-->': head + preload,
    '<!--screen-->': screen,
  }
  return Object.entries(filled).reduce((html, [mark, part]) => {
    if (!html.includes(mark)) throw new Error(`index.html has no ${mark}. Put it back.`)
    return html.replace(mark, () => part)
  }, template)
}

/** Its URLs must be absolute (sitemaps.org), so there is none without the address of the site. */
function sitemap(pages: readonly Found[], address: string): string {
  const urls = pages.map(({ page: { path, updatedAt } }) => {
    const place = (address + addressOf(path)).replaceAll('&', '&amp;')
    const changed = updatedAt === undefined ? '' : `<lastmod>${updatedAt}</lastmod>`
    return `<url><loc>${place}</loc>${changed}</url>\n`
  })
  const start = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`
  return `${start}\n<url><loc>${address}/</loc></url>\n${urls.join('')}</urlset>\n`
}
