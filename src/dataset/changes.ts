/** Compares a new dataset with the one before it. */
import type { Page } from './page.ts'
import { differingFields } from './precedence.ts'

/** Page counts. Pages are compared by path. */
export interface Changes {
  new: number
  changed: number
  gone: number
  /** The keys that changed in at least one page. */
  fields: string[]
}

/** The pages themselves. */
export interface PageChanges {
  new: Page[]
  changed: { before: Page; after: Page; fields: readonly string[] }[]
  gone: Page[]
}

/**
 * Compares two datasets.
 *
 * @param before the previous content of `dataset.json`; any other text counts as one without pages
 */
export function comparePages(before: string, after: string): PageChanges {
  const old = readPages(before)
  const now = readPages(after)
  const changes: PageChanges = { new: [], changed: [], gone: [] }
  for (const [path, after] of now) {
    const before = old.get(path)
    const fields = before ? differingFields(before, after) : []
    if (!before) changes.new.push(after)
    else if (fields.length > 0) changes.changed.push({ before, after, fields })
  }
  for (const [path, page] of old) if (!now.has(path)) changes.gone.push(page)
  return changes
}

export function countChanges({ new: added, changed, gone }: PageChanges): Changes {
  const fields = new Set(changed.flatMap(({ fields }) => fields))
  return { new: added.length, changed: changed.length, gone: gone.length, fields: [...fields] }
}

/** Returns the pages of a dataset by path. Ignores what is not a page, if someone changed the file. */
function readPages(dataset: string): Map<string, Page> {
  try {
    const pages = (JSON.parse(dataset) as Page[]).filter(({ path }) => isText(path))
    return new Map(pages.map((page) => [page.path, page]))
  } catch {
    return new Map()
  }
}

/** Whether a value is a string that can be written as UTF-8. */
function isText(value: unknown): boolean {
  return typeof value === 'string' && value.isWellFormed()
}
