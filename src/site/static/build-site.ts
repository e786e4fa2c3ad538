/** Builds the site into a folder, which is replaced only by a finished site. */
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import react from '@vitejs/plugin-react'
import { build, type Rolldown, runnerImport } from 'vite'
import { makeFolder, remove, sweep, temporaryName } from '../../machine/files.ts'
import { baseOf, NOT_FOUND } from '../../page/address.ts'
import type { SitePage } from '../../page/page.ts'
import { byPath, type Lookup } from '../content/lookup.ts'
import { PLACE } from '../content/places.ts'
import config from '../vite.config.ts'
import { indexFiles } from './index-files.ts'
import { documentPolicy, headersFile, IMMUTABLE } from './policy.ts'
import type * as Renderer from './render.tsx'
import { checkPages, SiteLinks } from './showable.ts'
import { compress, filesIn, finishSite, HEADERS_FILE } from './site-files.ts'
import { lookUpPages, type Options, RENDER, readPages, SITE } from './source.ts'

/**
 * Builds the site into the folder `outDir`. If that fails, the folder stays as it was.
 *
 * @throws {UnshowableError} if the site cannot show a page
 */
export async function buildSite(options: Options & { outDir: string }): Promise<void> {
  const { outDir, address } = options
  const { pages, digest } = readPages(options)
  checkPages(pages)
  const lookup = lookUpPages(pages, options)
  const folder = existsSync(outDir) ? realpathSync(outDir) : resolve(outDir)
  const parent = dirname(folder)
  makeFolder(parent)
  sweep(parent)
  // Beside the folder, so that a rename suffices. Two builds at once have a draft each.
  const draft = join(parent, temporaryName())
  try {
    const { output } = (await build({
      ...config,
      configFile: false,
      // Vite would list each file under the name of the draft.
      logLevel: 'warn',
      plugins: [react()],
      base: `${baseOf(address)}/`,
      build: { ...config.build, outDir: draft },
    })) as Rolldown.RolldownOutput
    const search = output.find((file) => file.type === 'chunk' && file.name === 'search')
    await writeDocuments(draft, { pages, digest, lookup, address, search: search?.fileName ?? '' })
    replaceFolder(folder, draft)
  } finally {
    remove(draft)
  }
}

interface Shown {
  pages: readonly SitePage[]
  /** Of the dataset. */
  digest: string
  lookup: Lookup
  address: string | undefined
  /** The file of the module of the search. */
  search: string
}

/** Completes what Vite has bundled: one finished document for every address. */
async function writeDocuments(folder: string, { pages, digest, lookup, address, search }: Shown) {
  const base = baseOf(address)
  const { module } = await runnerImport<typeof Renderer>(RENDER, {
    configFile: false,
    root: SITE,
    logLevel: 'error',
  })
  const template = readFileSync(join(folder, 'index.html'), 'utf8')
  const index = indexFiles(lookup, `${base}/${search}`, `${base}/${IMMUTABLE}`)
  const links = new SiteLinks(address)
  const write = (file: string, text: string) => {
    const whole = join(folder, file)
    mkdirSync(dirname(whole), { recursive: true })
    writeFileSync(whole, text)
    return whole
  }
  const place = { pages: lookup, index: index.data, address, policy: documentPolicy }
  const writeDocument = (file: string, path: string) => {
    const html = module.renderDocument(template, { ...place, path })
    links.add(path, html)
    return write(file, html)
  }

  for (const [name, text] of index.files) write(name.slice(base.length + 1), text)
  writeDocument('index.html', '/')
  writeDocument('404.html', NOT_FOUND)
  const sitemap = address ? `\nSitemap: ${address}/sitemap.xml\n` : ''
  write('robots.txt', `User-agent: *\nAllow: /\n${sitemap}`)
  const inOrder = byPath(pages)
  if (address) write('sitemap.xml', module.sitemap(inOrder, address))
  const compressAll = async (files: Iterable<string>) => {
    for (const file of files) await compress(join(folder, file), false)
  }
  const writePages = async () => {
    for (const { path } of inOrder) {
      await compress(writeDocument(`${path.slice(1)}.html`, path), true)
      await setImmediate()
    }
  }
  await Promise.all([compressAll(filesIn(folder)), writePages()])
  for (const [name, html] of module.renderAnswers(template, place)) {
    links.add(`/${name}`, html.replace(PLACE, ''))
    write(`${name}.html`, html)
  }
  links.check(filesIn(folder))
  write(HEADERS_FILE, headersFile(base))
  const forms = pages.map(({ path, title, form }) => ({ path, title, form }))
  finishSite(folder, { base, dataset: digest, pages: forms })
}

/** Two renames: no system replaces a folder that has files in one. */
function replaceFolder(folder: string, draft: string): void {
  const old = join(dirname(folder), temporaryName())
  if (existsSync(folder)) renameSync(folder, old)
  try {
    renameSync(draft, folder)
  } catch (error) {
    // Unless another build has put its site there in the meantime.
    if (existsSync(old) && !existsSync(folder)) renameSync(old, folder)
    throw error
  } finally {
    remove(old)
  }
}
