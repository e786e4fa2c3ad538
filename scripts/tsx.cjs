// Runs our TypeScript by tsx, and installed packages by Node itself. `tsx/cjs` alone would turn their ES
// modules into CommonJS, in which each use of an import is a call: parse5 takes four times as long.
const { sep } = require('node:path')
const { extensions } = require

const loadByNode = extensions['.js']
require('tsx/cjs')
const loadByTsx = extensions['.js']

const isInstalled = (file) => file.includes(`${sep}node_modules${sep}`)

for (const extension of ['.js', '.mjs']) {
  extensions[extension] = (module, file) => {
    const load = isInstalled(file) ? loadByNode : loadByTsx
    load(module, file)
  }
}
