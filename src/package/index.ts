/** What `manyurls.config.ts` may import from 'manyurls'. */
export {
  type CollectionConfig as Collection,
  defineCollections,
  type Id,
} from '../collections/config.ts'
export {
  type Content,
  type DeliveryPlace,
  defineContent,
  type Fact,
  type Fault,
  paragraphs,
  type Rule,
  slug,
  type Where,
  WIDE,
} from '../page/content.ts'
export type { Elements } from '../page/html.ts'
