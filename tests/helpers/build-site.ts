/** Builds the dataset of a site, as its command does. */
import { type BuildResult, build } from '../../src/build/build.ts'
import type { BuildOptions } from '../../src/build/options.ts'
import type { CollectionToBuild, Source } from '../../src/build/source.ts'
import { collectionOfContent } from '../../src/collections/of-content.ts'
import { SITE } from '../../src/dataset/format.ts'
import { PAGE_WORDS } from '../../src/explain/words.ts'
import type { Content } from '../../src/page/content.ts'

type Options = Omit<BuildOptions, 'collections' | 'layout'> & {
  source: Source
  /** The schema file. */
  schema: string
  /** What `content.ts` would say. */
  content: Content
}

export async function buildSite({ source, schema, content, ...options }: Options) {
  const collections = [siteOf(source, schema, content)]
  const [result] = await build({ ...options, collections, layout: SITE })
  return result as BuildResult
}

/** The only collection of a site. */
export function siteOf(source: Source, schema: string, content: Content): CollectionToBuild {
  const collection = collectionOfContent(content, { kind: 'file', file: schema })
  return { collection, source, words: PAGE_WORDS }
}
