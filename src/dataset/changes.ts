/** What a new dataset has that the one before had not. */
import type { Page } from '../generated/dataset.json'
import { differingFields } from './dedupe.ts'

/** Numbers of pages, by path. */
export interface Changes {
  new: number
  changed: number
  gone: number
  /** The keys that changed, in some page or other. */
  fields: string[]
}

export const NO_CHANGES: Changes = { new: 0, changed: 0, gone: 0, fields: [] }

/**
 * Compares two datasets.
 *
 * @param before the content of `dataset.json`; what is none counts as one without pages
 */
export function countChanges(before: string, after: Iterable<Page>): Changes {
  const old = new Map(readPages(before).map((page) => [page.path, page]))
  const changes = { ...NO_CHANGES }
  const fields = new Set<string>()
  for (const page of after) {
    const earlier = old.get(page.path)
    old.delete(page.path)
    if (!earlier) {
      changes.new++
      continue
    }
    const differing = differingFields(earlier, page)
    if (differing.length > 0) changes.changed++
    for (const field of differing) fields.add(field)
  }
  return { ...changes, gone: old.size, fields: [...fields] }
}

function readPages(dataset: string): Page[] {
  try {
    const pages: unknown = JSON.parse(dataset)
    const isPage = (page: Partial<Page> | null) => typeof page?.path === 'string'
    return Array.isArray(pages) ? pages.filter(isPage) : []
  } catch {
    return []
  }
}
