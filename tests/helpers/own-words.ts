/** What the site says of itself as a build or a process reads it. In tests, it speaks English. */
const MODULE = '../../src/site/site.ts?own'

export const own: typeof import('../../src/site/site.ts') = await import(MODULE)
