/** What `manyurls.config.ts` may import from 'manyurls'. */

export {
  type CollectionConfig as Collection,
  defineCollections,
  type Id,
} from '../collections/config.ts'
export type { Fault, Rule, Where } from '../page/content.ts'
