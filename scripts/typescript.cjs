/**
 * Lets require() load TypeScript, as tsx/cjs does, which takes 50 ms more of each start: a third of a
 * small build. Each file is compiled by itself, by esbuild as in tsx, and kept by the digest of its
 * source. All are in one file, to be read at once, and sealed; one that is torn or foreign is as none.
 */
const { createHash } = require('node:crypto')
const fs = require('node:fs')
const { SourceMap } = require('node:module')
const path = require('node:path')

const CACHE = path.join(__dirname, '../node_modules/.cache/manyurls/typescript')
const SETTINGS = {
  loader: 'ts',
  format: 'cjs',
  target: `node${process.versions.node}`,
  define: { 'import.meta': 'importMeta' },
  banner: `const importMeta = {
    dirname: __dirname, filename: __filename, url: require('node:url').pathToFileURL(__filename).href,
  }`,
}
const VERSION = `${require('esbuild/package.json').version} ${JSON.stringify(SETTINGS)}`

const known = readCache()
/** What this process has loaded. */
const used = {}
let isNew = false

require.extensions['.ts'] = (module, file) => {
  const source = fs.readFileSync(file, 'utf8')
  const key = digest(`${VERSION}\n${source}`)
  if (known[key] === undefined) isNew = true
  used[key] = known[key] ?? compile(source).code
  module._compile(used[key], file)
}

process.once('exit', () => {
  if (isNew) writeCache(used)
})

// Is asked when someone reads the stack of an error, so it may take its time.
Error.prepareStackTrace = (error, frames) =>
  [
    Error.prototype.toString.call(error),
    ...frames.map((frame) => `    at ${inSource(frame)}`),
  ].join('\n')

function compile(source, options) {
  return require('esbuild').transformSync(source, { ...SETTINGS, ...options })
}

/** A line of a stack. Why there is one must be told even where the source is gone by now. */
function inSource(frame) {
  const file = frame.getFileName()
  if (!file?.endsWith('.ts')) return `${frame}`
  try {
    const { map } = compile(fs.readFileSync(file, 'utf8'), { sourcemap: 'external' })
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
  } catch {
    return
  }
  try {
    fs.writeFileSync(draft, `${digest(content)}\n${content}`)
    fs.renameSync(draft, CACHE)
  } catch {
    fs.rmSync(draft, { force: true })
  }
}

function digest(text) {
  return createHash('sha256').update(text).digest('base64')
}
