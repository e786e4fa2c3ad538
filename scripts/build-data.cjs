// What `npm run build-data` starts. As CommonJS all modules load in a third of the time: Node loads
// ECMAScript modules through tsx in a thread of their own, which takes longer than to build a site.
require('tsx/cjs')
require('./build-data.ts')
