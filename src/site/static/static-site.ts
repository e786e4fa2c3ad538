/**
 * A Vite plugin that makes the site static: it reads the dataset, and writes the modules that the
 * browser loads and one finished document for every address. In development it serves the same.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { type Plugin, runnerImport } from 'vite'
import { content } from '../../content.ts'
import { baseOf, NOT_FOUND, pathAt } from '../../page/address.ts'
import type { Content } from '../../page/content.ts'
import { withBase } from '../../page/links.ts'
import type { SitePage } from '../../page/page.ts'
import { sha256Of } from '../../text/digest.ts'
import { byPath, type Lookup, lookUp } from '../content/lookup.ts'
import { PLACE } from '../content/places.ts'
import { site } from '../site.ts'
import { builtModules, liveModule, SEARCH } from './data-modules.ts'
import { documentPolicy, headersFile } from './policy.ts'
import type * as Renderer from './render.tsx'
import { checkPages, SiteLinks } from './showable.ts'
import { compress, filesIn, finishSite, HEADERS_FILE } from './site-files.ts'

const SITE = join(import.meta.dirname, '..')
const DATASET = join(SITE, '../generated/dataset.json')
const RENDER = join(import.meta.dirname, 'render.tsx')

const MODULE = 'virtual:pages'

export interface Options {
  /** The dataset to show. By default, the one in `src/generated`. */
  dataset?: string | undefined
  /** The address of the site, such as https://example.com or https://example.com/docs. */
  address?: string | undefined
  /** What is shown of a page; by default that of `src/content.ts`. */
  shows?: Content | undefined
}

export function documents({ dataset = DATASET, address, shows = content }: Options = {}): Plugin {
  const base = baseOf(address)
  const lookUpAll = (pages: readonly SitePage[]) =>
    lookUp(pages, { ...shows, language: site.language })
  let template = ''
  let built: { digest: string; pages: SitePage[]; lookup: Lookup }
  let modules: ReturnType<typeof builtModules>
  // Development may begin before there is a dataset.
  const livePages = () => (existsSync(dataset) ? pagesOf(readFileSync(dataset), base) : [])

  return {
    name: 'documents',
    enforce: 'post',
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : undefined),
    load(id) {
      if (id !== `\0${MODULE}`) return undefined
      if (this.environment.config.command !== 'build')
        return liveModule(lookUpAll(livePages()), dataset)
      const search = this.emitFile({ type: 'chunk', id: SEARCH, preserveSignature: 'strict' })
      const bytes = readFileSync(dataset)
      const pages = pagesOf(bytes, base)
      checkPages(pages)
      built = { digest: sha256Of(bytes), pages, lookup: lookUpAll(pages) }
      modules = builtModules(built.lookup, search)
      return modules.loader
    },

    generateBundle(_options, bundle) {
      const page = bundle['index.html']
      if (page?.type !== 'asset') throw new Error('the build has no index.html')
      template = String(page.source)
      delete bundle['index.html']
    },

    // Written one by one: Vite would keep all documents in memory and list each one.
    async writeBundle({ dir = '' }) {
      const { digest, pages, lookup } = built
      const { module } = await runnerImport<typeof Renderer>(RENDER, {
        configFile: false,
        root: SITE,
        logLevel: 'error',
      })
      const list = `${base}/assets/${modules.list}`
      const links = new SiteLinks(address)
      const place = { address, policy: documentPolicy }
      const write = (file: string, text: string) => {
        const whole = join(dir, file)
        mkdirSync(dirname(whole), { recursive: true })
        writeFileSync(whole, text)
        return whole
      }
      const writeDocument = (file: string, path: string) => {
        const html = module.renderDocument(template, { ...place, pages: lookup, path, list })
        links.add(path, html)
        return write(file, html)
      }

      for (const [file, source] of modules.files) write(`assets/${file}`, source)
      writeDocument('index.html', '/')
      writeDocument('404.html', NOT_FOUND)
      const sitemap = address ? `\nSitemap: ${address}/sitemap.xml\n` : ''
      write('robots.txt', `User-agent: *\nAllow: /\n${sitemap}`)
      const inOrder = byPath(pages)
      if (address) write('sitemap.xml', module.sitemap(inOrder, address))
      const compressAll = async (files: Iterable<string>) => {
        for (const file of files) await compress(join(dir, file), /^assets\/\d+-/.test(file))
      }
      const writePages = async () => {
        for (const { path } of inOrder) {
          const file = writeDocument(`${path.slice(1)}.html`, path)
          await compress(file, true)
          await setImmediate()
        }
      }
      await Promise.all([compressAll(filesIn(dir)), writePages()])
      for (const [name, html] of module.renderAnswers(template, place)) {
        links.add(`/${name}`, html.replace(PLACE, ''))
        write(`${name}.html`, html)
      }
      links.check(filesIn(dir))
      write(HEADERS_FILE, headersFile(base))
      const forms = pages.map(({ path, title, form }) => ({ path, title, form }))
      finishSite(dir, { base, dataset: digest, pages: forms })
    },

    // After Vite's own middleware, which serves every existing file.
    configureServer: (server) => () => {
      server.middlewares.use(async ({ originalUrl: url = '/' }, response, next) => {
        try {
          const pages = lookUpAll(livePages())
          const wanted = pathAt(new URL(url, 'http://localhost').pathname, base)
          const isKnown = wanted === '/' || pages.find(wanted) !== undefined
          const path = isKnown ? wanted : NOT_FOUND
          const { renderDocument } = (await server.ssrLoadModule(RENDER)) as typeof Renderer
          const template = readFileSync(join(SITE, 'index.html'), 'utf8')
          const html = renderDocument(template, { pages, path, address })
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
function pagesOf(dataset: Buffer, base: string): SitePage[] {
  const pages: SitePage[] = JSON.parse(dataset.toString())
  return pages.map((page) => ({ ...page, contentHtml: withBase(page.contentHtml, base) }))
}
