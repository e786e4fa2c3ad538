/** Builds the site into a folder, which is replaced only by a finished site. */
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { build, type Rolldown, runnerImport } from 'vite'
import { type Lookup, lookUp } from '../app/lookup.ts'
import { content } from '../content.ts'
import { makeFolder, replaceFile } from '../machine/files.ts'
import { baseOf, documentFile, NOT_FOUND, underBase } from '../page/address.ts'
import { footerLinks, site } from '../site.ts'
import { checkFooter, SiteLinks } from './check-site.ts'
import { defineElements } from './elements.ts'
import { indexFiles } from './index-files.ts'
import { placeSite } from './place-site.ts'
import { documentPolicy, headersFile, IMMUTABLE } from './policy.ts'
import { APP, type Options, RENDER, readPages } from './read-pages.ts'
import type * as Renderer from './render.tsx'
import { compressQuickly, compressWell, filesIn, finishSite } from './site-files.ts'
import { sitemapFiles } from './sitemap.ts'
import config from './vite.config.ts'

/**
 * Builds the site into the folder `outDir`. If that fails, the folder stays as it was.
 *
 * @throws {UnshowableError} if the site cannot show a page
 */
export async function buildSite(options: Options & { outDir: string }): Promise<void> {
  const { outDir, address, shows = content } = options
  const base = baseOf(address)

  checkFooter(footerLinks)
  const { pages, digest } = readPages(options)
  const lookup = lookUp(pages, { ...shows, language: site.language })
  const forms = pages.map(({ path, title, form }) => ({ path, title, form }))

  const folder = existsSync(outDir) ? realpathSync(outDir) : resolve(outDir)
  makeFolder(dirname(folder))

  // The draft is beside the folder, so that a rename suffices. Two builds at once have one each, and
  // one that a signal has ended leaves it to the next, which sweeps it away.
  const write = async (draft: string) => {
    const define = defineElements(shows)
    const script = await bundle(draft, base, define)
    const files = await writeDocuments({ draft, lookup, address, script, define })
    writeHostFiles(draft, base)
    finishSite(draft, { base, address, dataset: digest, pages: forms, files })
  }
  await replaceFile(folder, write, (draft) => placeSite(folder, draft))
}

/** Bundles the scripts and the style. Returns the address of what the first script loads. */
async function bundle(
  draft: string,
  base: string,
  define: ReturnType<typeof defineElements>,
): Promise<string | undefined> {
  const { output } = (await build({
    ...config,
    define,
    configFile: false,
    // Vite would list each file under the name of the draft.
    logLevel: 'warn',
    base: `${base}/`,
    build: { ...config.build, outDir: draft },
  })) as Rolldown.RolldownOutput

  const script = output.find((file) => file.type === 'chunk' && file.isDynamicEntry)
  return script && `${base}/${script.fileName}`
}

/** What all documents of a build are made from. */
interface Ingredients {
  /** The folder that is written. */
  draft: string
  lookup: Lookup
  address: string | undefined
  /** What the first script loads. */
  script: string | undefined
  define: ReturnType<typeof defineElements>
}

/**
 * Completes what Vite has bundled: one finished document for every address, and compressed copies.
 * Returns the names of all files that visitors get.
 *
 * @throws {UnshowableError} if a link or an image leads nowhere, or browsers would block an image
 */
async function writeDocuments(ingredients: Ingredients): Promise<string[]> {
  const { draft, lookup, address, script, define } = ingredients
  const base = baseOf(address)
  const bundled = filesIn(draft)
  // The document of the index takes its place.
  const template = readFileSync(join(draft, 'index.html'), 'utf8')

  const { module } = await runnerImport<typeof Renderer>(RENDER, { root: APP, define })
  const { files: indexes, data: index } = indexFiles(lookup, `${base}/${IMMUTABLE}`)
  const place = { pages: lookup, address, index, script, policy: documentPolicy }
  const links = new SiteLinks(documentPolicy, address)
  // Before the documents, so that a fault names this file.
  for (const { href } of footerLinks) links.addAddress('src/site.ts', underBase(href, base))
  // Before the index, so that a fault names the page.
  for (const { path, image } of lookup.entries) {
    if (image) links.addAddress(path, underBase(image.src, base))
  }

  const render = (path: string): string => {
    const html = module.renderDocument(template, { ...place, path })
    links.add(path, html)
    return html
  }

  const shared = new Map<string, string>()
  for (const path of ['/', NOT_FOUND]) shared.set(documentFile(path), render(path))
  for (const [name, text] of indexes) shared.set(name.slice(base.length + 1), text)
  for (const [name, text] of filesForSearchEngines(lookup, address)) shared.set(name, text)

  for (const [file, text] of shared) writeInto(draft, file, text)
  for (const file of new Set([...bundled, ...shared.keys()])) writeCopies(draft, file)

  for (const { path } of lookup.entries) {
    const file = documentFile(path)
    const html = render(path)
    writeInto(draft, file, html)
    writeInto(draft, `${file}.br`, compressQuickly(Buffer.from(html)))
  }

  // The receiver fills these in, so they have no copies.
  const answers = module.renderAnswers(template, place)
  for (const [name, html] of answers) writeInto(draft, `${name}.html`, html)

  const files = filesIn(draft)
  links.check(files)
  return [...files]
}

/** Writes what hosts of static files read. No visitor gets these. */
function writeHostFiles(draft: string, base: string): void {
  writeInto(draft, '_headers', headersFile(base))
  // GitHub Pages would leave out what begins with _ or a dot.
  writeInto(draft, '.nojekyll', '')
}

/** Returns robots.txt and, if the site has an address, its sitemap. */
function filesForSearchEngines(lookup: Lookup, address: string | undefined): Map<string, string> {
  const files = address ? sitemapFiles(lookup, address) : new Map<string, string>()
  const mention = address ? `\nSitemap: ${address}/sitemap.xml\n` : ''
  return files.set('robots.txt', `User-agent: *\nAllow: /\n${mention}`)
}

/** Writes the compressed copies of a file that many visitors load. */
function writeCopies(draft: string, file: string): void {
  const body = readFileSync(join(draft, file))
  for (const [end, copy] of compressWell(file, body)) writeInto(draft, file + end, copy)
}

/** Writes a file into a folder, after making the folders that it needs. */
function writeInto(folder: string, file: string, content: string | Buffer): void {
  const place = join(folder, file)
  mkdirSync(dirname(place), { recursive: true })
  writeFileSync(place, content)
}
