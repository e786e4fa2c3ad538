// What `npm run build-data` starts: its modules as CommonJS. As ECMAScript modules tsx would load them
// in a thread of its own, and that takes 80 ms more.
const { enableCompileCache } = require('node:module')

// Node 22 and later keep what they have compiled for the next start.
enableCompileCache?.()
// Before tsx, which would look for TypeScript in each of its sixty files.
require('fast-glob')
require('tsx/cjs')
require('./build-data.ts')
