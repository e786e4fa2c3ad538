/** Builds the dataset of a site, as its command does. */
import { build } from '../../src/build/build.ts'
import type { BuildOptions } from '../../src/build/options.ts'
import type { BuildResult } from '../../src/build/result.ts'
import type { CollectionToBuild, Source } from '../../src/build/source.ts'
import { collectionOfContent } from '../../src/collections/of-config.ts'
import { PAGE_WORDS } from '../../src/explain/words.ts'
import type { Content } from '../../src/page/content.ts'

type Options = Omit<BuildOptions, 'collections'> & {
  source: Source
  /** The schema file. */
  schema: string
  /** What `content.ts` would say. */
  content: Content
}

export async function buildSite({ source, schema, content, ...options }: Options) {
  const collections = [siteOf(source, schema, content)]
  const [result] = await build({ ...options, collections })
  return result as BuildResult
}

/** The only collection of a site. */
export function siteOf(source: Source, schema: string, content: Content): CollectionToBuild {
  const collection = collectionOfContent({ ...content, schema }, '.')
  return { collection, source, words: PAGE_WORDS }
}
