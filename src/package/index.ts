/** What `manyurls.config.ts` may import from 'manyurls'. */

export { type CollectionConfig as Collection, defineCollections } from '../collections/config.ts'
export type { Fault, Id, Rule, Where } from '../page/records.ts'
