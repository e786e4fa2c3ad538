/** Reads the dataset of a built site. */
import { constants } from 'node:buffer'
import type { SitePage } from '../content/page.ts'

/** The dataset in a built site. The build writes it last: a site without it is unfinished. */
export const DATASET_FILE = 'dataset.json'

/** The base of a built site, as JSON. A site at the root has no such file. */
export const BASE_FILE = 'site.json'

/**
 * Parses the pages of a dataset.
 *
 * @param bytes the whole file, of at most 512 MB: V8 creates no longer string
 * @throws RangeError when the file is longer
 */
export function parseDataset(bytes: Buffer): SitePage[] {
  const { MAX_STRING_LENGTH: most } = constants
  if (bytes.length <= most) return JSON.parse(bytes.toString())
  throw new RangeError(
    `the dataset has ${bytes.length} bytes, but the site can show at most ${most}. Show fewer pages.`,
  )
}
