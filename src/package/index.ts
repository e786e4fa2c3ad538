/** What `manyurls.config.ts` may import from 'manyurls'. */
export {
  type Content,
  type DeliveryPlace,
  defineContent,
  type Fact,
  type Fault,
  paragraphs,
  type Rule,
  slug,
  WIDE,
} from '../page/content.ts'
export type { Elements } from '../page/html.ts'
