/** A Vite plugin that serves the documents in development, from the dataset as it is at a request. */
import { readFileSync, statSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
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
  const documents = new DevDocuments(address)

  return {
    name: 'dev-documents',
    apply: 'serve',
    // After Vite's own middleware, which serves every existing file.
    configureServer: (server) => () => {
      server.middlewares.use(({ originalUrl: url = '/' }, response, next) => {
        documents.answer(server, url, response).catch(next)
      })
    },
  }
}

/** The documents of the dataset as it is now. */
class DevDocuments {
  readonly #address: string | undefined
  readonly #base: string
  /** Says which dataset was read. */
  #version: string | undefined
  #lookup = lookUp([])
  #index: ReturnType<typeof indexFiles> | undefined

  constructor(address: string | undefined) {
    this.#address = address
    this.#base = baseOf(address)
  }

  /** Answers a request with a document, or a file of the index. */
  async answer(server: ViteDevServer, url: string, response: ServerResponse): Promise<void> {
    this.#refresh()
    const { pathname } = new URL(url, 'http://localhost')
    const path = pathAt(pathname, this.#base)
    const isScreen = path === '/' || this.#lookup.find(path) !== undefined

    const file = isScreen ? undefined : this.#openIndex().files.get(pathname)
    if (file !== undefined) {
      response.setHeader('content-type', 'application/json').end(file)
      return
    }

    const document = await this.#render(server, url, isScreen ? path : NOT_FOUND)
    const type = { 'content-type': 'text/html; charset=utf-8' }
    response.writeHead(isScreen ? 200 : 404, type).end(document)
  }

  /** Reads the dataset if it has changed. Development may begin before there is one. */
  #refresh(): void {
    const stat = statSync(DATASET, { throwIfNoEntry: false })
    const version = stat && `${stat.ino} ${stat.mtimeMs} ${stat.size}`
    if (version === this.#version) return

    const pages = stat ? readPages({ address: this.#address }).pages : []
    this.#lookup = lookUp(pages, { ...content, language: site.language })
    this.#index = undefined
    this.#version = version
  }

  /** Makes the files of the index when they are needed: it takes seconds for 10,000 pages. */
  #openIndex(): ReturnType<typeof indexFiles> {
    this.#index ??= indexFiles(this.#lookup, `${this.#base}/data`)
    return this.#index
  }

  async #render(server: ViteDevServer, url: string, path: string): Promise<string> {
    const { renderDocument } = (await server.ssrLoadModule(RENDER)) as typeof Renderer

    // As /index.html: otherwise Vite would leave its URLs relative to that of the page.
    const source = readFileSync(join(APP, 'index.html'), 'utf8')
    const template = await server.transformIndexHtml('/index.html', source, url)

    const index = path === '/' ? this.#openIndex().data : undefined
    return renderDocument(template, { pages: this.#lookup, path, index, address: this.#address })
  }
}
