// What `npm run build-data` starts. Its modules load as CommonJS, 80 ms sooner: Node asks for
// ECMAScript modules through tsx in a thread of their own, which takes longer than to build a site.
// Before tsx, which would look for TypeScript in each of its sixty files.
require('fast-glob')
require('tsx/cjs')
require('./build-data.ts')
