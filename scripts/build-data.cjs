// What `npm run build-data` starts: build-data.ts as CommonJS by typescript.cjs, for tsx would take
// longer to load it than it takes to build a hundred pages.
const { enableCompileCache } = require('node:module')

// Node 22 and later keep what they have compiled for the next start.
enableCompileCache?.()
require('./typescript.cjs')
try {
  require('./build-data.ts')
} catch (error) {
  console.error(`build-data: a fault of its own: ${error.stack}`)
  process.exitCode = 2
}
