/** A Vite plugin that serves the documents in development, from the dataset as it is at a request. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { baseOf, NOT_FOUND, pathAt } from '../../page/address.ts'
import type { Lookup } from '../content/lookup.ts'
import { type IndexFiles, indexFiles } from './index-files.ts'
import type * as Renderer from './render.tsx'
import { DATASET, lookUpPages, type Options, RENDER, readPages, SITE } from './source.ts'

interface Read {
  /** Of the file of the dataset. */
  version: string | undefined
  lookup: Lookup
  /** Makes the files of the index when they are needed: it takes seconds for 10,000 pages. */
  open(): IndexFiles
}

export function devDocuments(options: Options = {}): Plugin {
  const { dataset = DATASET, address } = options
  const base = baseOf(address)
  let read: Read | undefined

  /** The content, which changes with the dataset. Development may begin before there is one. */
  function readAll(): Read {
    const stat = statSync(dataset, { throwIfNoEntry: false })
    const version = stat && `${stat.ino} ${stat.mtimeMs} ${stat.size}`
    if (read && read.version === version) return read
    const lookup = lookUpPages(stat ? readPages(options).pages : [], options)
    let index: IndexFiles | undefined
    const open = () => (index ??= indexFiles(lookup, `${base}/data`))
    read = { version, lookup, open }
    return read
  }

  return {
    name: 'dev-documents',
    apply: 'serve',
    // After Vite's own middleware, which serves every existing file.
    configureServer: (server) => () => {
      server.middlewares.use(async ({ originalUrl: url = '/' }, response, next) => {
        try {
          const { lookup, open } = readAll()
          const { pathname } = new URL(url, 'http://localhost')
          const wanted = pathAt(pathname, base)
          const isKnown = wanted === '/' || lookup.find(wanted) !== undefined
          const file = isKnown ? undefined : open().files.get(pathname)
          if (file !== undefined) {
            response.writeHead(200, { 'content-type': 'application/json' })
            response.end(file)
            return
          }
          const path = isKnown ? wanted : NOT_FOUND
          const { renderDocument } = (await server.ssrLoadModule(RENDER)) as typeof Renderer
          // As /index.html: otherwise Vite would leave its URLs relative to that of the page.
          const source = readFileSync(join(SITE, 'index.html'), 'utf8')
          const template = await server.transformIndexHtml('/index.html', source, url)
          const index = path === '/' ? open().data : undefined
          response.writeHead(isKnown ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' })
          response.end(renderDocument(template, { pages: lookup, path, index, address }))
        } catch (error) {
          next(error)
        }
      })
    },
  }
}
