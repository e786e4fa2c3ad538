/** A Vite plugin that serves the documents in development, from the dataset as it is at a request. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin, ViteDevServer } from 'vite'
import { lookUp } from '../app/lookup.ts'
import { content } from '../content.ts'
import { baseOf, NOT_FOUND, pathAt } from '../page/address.ts'
import { site } from '../site.ts'
import { indexFiles } from './index-files.ts'
import { APP, DATASET, RENDER, readPages } from './read-pages.ts'
import type * as Renderer from './render.tsx'

/** @param address of the site, if it is known */
export function devDocuments(address: string | undefined): Plugin {
  const base = baseOf(address)
  let version: string | undefined
  let lookup = lookUp([])
  let index: ReturnType<typeof indexFiles> | undefined

  /** Reads the dataset if it has changed. Development may begin before there is one. */
  function refresh() {
    const stat = statSync(DATASET, { throwIfNoEntry: false })
    const current = stat && `${stat.ino} ${stat.mtimeMs} ${stat.size}`
    if (current === version) return
    const pages = stat ? readPages({ address }).pages : []
    lookup = lookUp(pages, { ...content, language: site.language })
    index = undefined
    version = current
  }

  /** Makes the files of the index when they are needed: it takes seconds for 10,000 pages. */
  const open = () => (index ??= indexFiles(lookup, `${base}/data`))

  /** Returns a file of the index, or undefined. */
  function fileAt(pathname: string): string | Uint8Array | undefined {
    const path = pathAt(pathname, base)
    const isPage = path === '/' || lookup.find(path) !== undefined
    return isPage ? undefined : open().files.get(pathname)
  }

  /** Renders the document at an address: that of a page, or Not found. */
  async function renderAt(server: ViteDevServer, url: string, pathname: string) {
    const wanted = pathAt(pathname, base)
    const isKnown = wanted === '/' || lookup.find(wanted) !== undefined
    const path = isKnown ? wanted : NOT_FOUND

    const { renderDocument } = (await server.ssrLoadModule(RENDER)) as typeof Renderer
    // As /index.html: otherwise Vite would leave its URLs relative to that of the page.
    const source = readFileSync(join(APP, 'index.html'), 'utf8')
    const template = await server.transformIndexHtml('/index.html', source, url)
    const data = path === '/' ? open().data : undefined
    const document = renderDocument(template, { pages: lookup, path, index: data, address })
    return { status: isKnown ? 200 : 404, document }
  }

  return {
    name: 'dev-documents',
    apply: 'serve',
    // After Vite's own middleware, which serves every existing file.
    configureServer: (server) => () => {
      server.middlewares.use(async ({ originalUrl: url = '/' }, response, next) => {
        try {
          refresh()
          const { pathname } = new URL(url, 'http://localhost')
          const file = fileAt(pathname)
          if (file !== undefined) {
            response.setHeader('content-type', 'application/json').end(file)
            return
          }

          const { status, document } = await renderAt(server, url, pathname)
          response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' })
          response.end(document)
        } catch (error) {
          next(error)
        }
      })
    },
  }
}
