/**
 * Lets require() load TypeScript, as tsx/cjs does, which takes 50 ms more of each start: a third of a
 * small build. Each file is compiled by itself, by esbuild as in tsx, and kept by the digest of its
 * source. All are in one file, to be read at once, and sealed; one that is torn or foreign is as none.
 *
 * Unlike tsx it knows no JSX and no tsconfig.json, of which nothing changes what a file does, and
 * leaves the packages to Node, which has been able to require ECMAScript modules since 20.19 and 22.12.
 */
const { createHash } = require('node:crypto')
const fs = require('node:fs')
const { SourceMap } = require('node:module')
const path = require('node:path')

const CACHE = path.join(__dirname, '../node_modules/.cache/manyurls/typescript')
/** How many files are kept: these, and those of other branches or versions of Node. */
const MOST_KEPT = 100
const SETTINGS = {
  loader: 'ts',
  format: 'cjs',
  target: `node${process.versions.node}`,
  define: { 'import.meta': '__importMeta' },
}
const STRICT = "'use strict'"
const IMPORT_META = `const __importMeta = {
  dirname: __dirname, filename: __filename, url: require('node:url').pathToFileURL(__filename).href,
}`
const VERSION = JSON.stringify([
  require('esbuild/package.json').version,
  SETTINGS,
  STRICT,
  IMPORT_META,
])

const known = readCache()
/** What this process has loaded. */
const used = {}
let isNew = false

require.extensions['.ts'] = (module, file) => {
  const source = fs.readFileSync(file, 'utf8')
  const key = digest(`${VERSION}\n${source}`)
  used[key] = known[key] ?? compile(file, source).code
  if (known[key] === undefined) isNew = true
  module._compile(used[key], file)
}

process.once('exit', () => {
  if (!isNew) return
  const all = { ...known, ...used }
  writeCache(Object.keys(all).length > MOST_KEPT ? used : all)
})

// Is asked when someone reads the stack of an error, so it may take its time.
Error.prepareStackTrace = (error, frames) =>
  [headingOf(error), ...frames.map((frame) => `    at ${inSource(frame)}`)].join('\n')

function compile(file, source, options) {
  const banner = source.includes('import.meta') ? `${STRICT}\n${IMPORT_META}` : STRICT
  return require('esbuild').transformSync(source, {
    ...SETTINGS,
    banner,
    // Where an error is said to be.
    sourcefile: file,
    ...options,
  })
}

/** With the code of Node's own errors, as Node has it. */
function headingOf(error) {
  const heading = Error.prototype.toString.call(error)
  const { name, code } = error
  const isOfNode = typeof code === 'string' && code.startsWith('ERR_')
  return isOfNode ? heading.replace(name, `${name} [${code}]`) : heading
}

/** A line of a stack. Why there is one must be told even where the source is gone by now. */
function inSource(frame) {
  const file = frame.getFileName()
  if (!file?.endsWith('.ts')) return `${frame}`
  try {
    const { map } = compile(file, fs.readFileSync(file, 'utf8'), { sourcemap: 'external' })
    const [line, column] = [frame.getLineNumber(), frame.getColumnNumber()]
    const entry = new SourceMap(JSON.parse(map)).findEntry(line - 1, column - 1)
    const place = `:${entry.originalLine + 1}:${entry.originalColumn + 1}`
    return `${frame}`.replace(`:${line}:${column}`, place)
  } catch {
    return `${frame}`
  }
}

function readCache() {
  try {
    const [seal, content] = fs.readFileSync(CACHE, 'utf8').split('\n')
    return seal === digest(content) ? JSON.parse(content) : {}
  } catch {
    return {}
  }
}

/** Where it cannot be written the next start is slower, no more. */
function writeCache(compiled) {
  const content = JSON.stringify(compiled)
  const draft = `${CACHE}.${process.pid}`
  try {
    fs.mkdirSync(path.dirname(CACHE), { recursive: true })
    fs.writeFileSync(draft, `${digest(content)}\n${content}`)
    fs.renameSync(draft, CACHE)
  } catch {
    try {
      fs.rmSync(draft, { force: true })
    } catch {
      // What can be neither written nor removed is not there.
    }
  }
}

function digest(text) {
  return createHash('sha256').update(text).digest('base64')
}
