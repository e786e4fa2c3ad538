/**
 * Hides how the site becomes static: a Vite plugin that turns the dataset into modules for the
 * browser and into one finished document for every address. In development it serves the same.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isRunnableDevEnvironment, type Plugin, runnerImport, type ViteDevServer } from 'vite'
import type { Page } from '../generated/dataset.json'
import { parseDataset } from './dataset.ts'
import { documentPolicy, headersFile } from './policy.ts'
import type { documentsOf } from './render.tsx'

const DATASET = join(import.meta.dirname, '../generated/dataset.json')
const RENDER = join(import.meta.dirname, 'render.tsx')

const MODULE = 'virtual:pages'
const ASSETS = 'assets'

/** How much of the bodies one module holds: what a visitor loads of neighbours of the page asked for. */
const CHUNK = 10 * 1024

type Documents = ReturnType<typeof documentsOf>

interface Options {
  /** The dataset to show, for a build that is not of the committed batches. */
  dataset?: string
  /** The address of the site without a path, such as https://example.com. */
  base?: string
}

export function documents({ dataset = DATASET, base }: Options = {}): Plugin {
  let isBuild = false
  let template = ''
  let content: Content | undefined
  let files: DataFiles | undefined

  return {
    name: 'documents',
    enforce: 'post',
    configResolved(config) {
      isBuild = config.command === 'build'
    },

    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : undefined),
    load(id) {
      if (id !== `\0${MODULE}`) return undefined
      if (!isBuild) return liveModule(dataset)
      content = read(dataset)
      files = emitData(content, (fileName, source) => {
        this.emitFile({ type: 'asset', fileName, source })
      })
      return builtModule(content, files)
    },

    generateBundle(_options, bundle) {
      const page = bundle['index.html']
      if (page?.type !== 'asset') throw new Error('the build has no index.html')
      template = String(page.source)
      delete bundle['index.html']
    },

    // Documents are written one by one and not handed to Vite, which would hold them all in memory
    // and list each.
    async writeBundle({ dir = '' }) {
      if (!content || !files) throw new Error(`nothing in the build imports ${MODULE}`)
      const { list, bodies } = files
      const { module } = await runnerImport<{ documentsOf: typeof documentsOf }>(RENDER, {
        configFile: false,
        root: import.meta.dirname,
        logLevel: 'error',
      })
      const { pages, starts } = content
      const render = module.documentsOf(pages)
      const make = (path: string | undefined, chunk?: number) => {
        const file = chunk === undefined ? list : bodies[chunk]
        const preload = path === undefined ? undefined : `/${file}`
        return fill(template, render, { path, chunk, base, preload, policy: documentPolicy })
      }
      const write = (file: string, text: string) => {
        const whole = join(dir, file)
        mkdirSync(dirname(whole), { recursive: true })
        writeFileSync(whole, text)
      }

      write('index.html', make('/'))
      write('404.html', make(undefined))
      let chunk = 0
      for (const [position, { path }] of pages.entries()) {
        if (position === starts[chunk + 1]) chunk++
        write(`${path.slice(1)}.html`, make(path, chunk))
      }
      write('sitemap.xml', sitemap(pages, base ?? ''))
      write('robots.txt', robots(base))
      write('_headers', headersFile)
      this.info(`${pages.length + 1} documents in ${dir}`)
    },

    configureServer(server) {
      // After Vite's own middleware, which answers for every file that there is.
      return () => {
        server.middlewares.use(async (request, response, next) => {
          if (request.headers.accept?.includes('text/html') !== true) return next()
          try {
            const { status, html } = await serve(server, request.originalUrl ?? '/', read(dataset))
            response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(html)
          } catch (error) {
            next(error)
          }
        })
      }
    },
  }
}

// 1. The dataset as modules -----------------------------------------------------------------------

interface Content {
  pages: readonly Page[]
  /** The position of the first page of each chunk. */
  starts: number[]
}

function read(dataset: string): Content {
  const pages = existsSync(dataset) ? parseDataset(readFileSync(dataset)) : []
  const starts: number[] = []
  let size = CHUNK
  for (const [position, { contentHtml }] of pages.entries()) {
    if (size + contentHtml.length > CHUNK) {
      starts.push(position)
      size = 0
    }
    size += contentHtml.length
  }
  return { pages, starts }
}

/** The modules that hold the data: their files, below the folder of the site. */
interface DataFiles {
  list: string
  bodies: string[]
}

/**
 * Emits the data as finished files, named after their content like those of the bundler. As modules
 * of its own it would parse, minify and keep every one, which at ten thousand pages takes 150 MB.
 */
function emitData(
  { pages, starts }: Content,
  emit: (fileName: string, source: string) => void,
): DataFiles {
  const add = (name: string, value: unknown) => {
    const source = `export default JSON.parse(${JSON.stringify(JSON.stringify(value))})\n`
    const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8)
    const fileName = `${ASSETS}/${name}-${hash}.js`
    emit(fileName, source)
    return fileName
  }
  return {
    list: add(
      'list',
      pages.map(({ path, title, form }) => [path, title, form ? 1 : 0]),
    ),
    bodies: starts.map((start, chunk) => add(`${chunk}`, pages.slice(start, starts[chunk + 1]))),
  }
}

/** The module that imports the data on demand. It ends up in the same folder. */
function builtModule({ starts }: Content, { list, bodies }: DataFiles): string {
  const names = bodies.map((file) => basename(file))
  return `const load = (name) => import(/* @vite-ignore */ './' + name)
    export const list = () => load(${JSON.stringify(basename(list))})
    export const bodies = ${JSON.stringify(names)}.map((name) => () => load(name))
    export const starts = ${JSON.stringify(starts)}`
}

/** The same in development, where Vite is to see what depends on the dataset. */
function liveModule(dataset: string): string {
  return `import pages from ${JSON.stringify(dataset)}
    export const list = async () => ({
      default: pages.map(({ path, title, form }) => [path, title, form ? 1 : 0]),
    })
    export const bodies = [async () => ({ default: pages })]
    export const starts = [0]`
}

// 2. Documents ------------------------------------------------------------------------------------

interface Place {
  /** The path the document is made for; undefined for 'Not found'. */
  path: string | undefined
  chunk?: number | undefined
  base?: string | undefined
  /** The module that the screen needs at once. */
  preload?: string | undefined
  policy?: string
}

/** Puts a rendered screen into the template. */
function fill(
  template: string,
  render: Documents,
  { path, chunk, base, preload, policy }: Place,
): string {
  const { head, screen } = render(path ?? '/404', base)
  const data = [
    path === undefined ? '' : ` data-path="${path}"`,
    chunk === undefined ? '' : ` data-chunk="${chunk}"`,
  ].join('')
  const links = preload ? `<link rel="modulepreload" crossorigin href="${preload}">` : ''
  const meta = policy ? `<meta http-equiv="Content-Security-Policy" content="${policy}">` : ''
  // Functions, for a replacement string has patterns of its own ($&) and bodies may hold them.
  return template
    .replace('<!--policy-->', () => meta)
    .replace('<!--head-->', () => head + links)
    .replace('<div id="root"></div>', () => `<div id="root"${data}>${screen}</div>`)
}

function robots(base: string | undefined): string {
  return `User-agent: *\nAllow: /\n${base ? `\nSitemap: ${base}/sitemap.xml\n` : ''}`
}

function sitemap(pages: readonly Page[], base: string): string {
  const url = (path: string, updatedAt?: string) =>
    `<url><loc>${base}${path}</loc>${updatedAt ? `<lastmod>${updatedAt}</lastmod>` : ''}</url>\n`
  const urls = pages.map(({ path, updatedAt }) => url(path, updatedAt))
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${url('/')}${urls.join('')}</urlset>
`
}

/** The document of an address in development. */
async function serve(server: ViteDevServer, url: string, { pages }: Content) {
  const { ssr } = server.environments
  if (!ssr || !isRunnableDevEnvironment(ssr)) throw new Error('Vite runs no code for documents')
  const { documentsOf }: typeof import('./render.tsx') = await ssr.runner.import(RENDER)
  const { pathname } = new URL(url, 'http://localhost')
  const isKnown = pathname === '/' || pages.some(({ path }) => path === pathname)
  const path = isKnown ? pathname : undefined
  const source = readFileSync(join(import.meta.dirname, 'index.html'), 'utf8')
  const html = fill(source, documentsOf(pages), {
    path,
    chunk: isKnown && pathname !== '/' ? 0 : undefined,
  })
  // Named as index.html, or Vite would leave its addresses relative to that of the page.
  const transformed = await server.transformIndexHtml('/index.html', html, url)
  return { status: isKnown ? 200 : 404, html: transformed }
}
