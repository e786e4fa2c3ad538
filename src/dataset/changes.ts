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

/**
 * Compares two datasets.
 *
 * @param before what was in the place of `dataset.json`; if it is none, it has no pages
 */
export function countChanges(before: string, after: string): Changes {
  const old = readPages(before)
  const now = readPages(after)
  const fields = [...now.values()].map((page) => differingFields(old.get(page.path) ?? page, page))
  return {
    new: [...now.keys()].filter((path) => !old.has(path)).length,
    changed: fields.filter(({ length }) => length > 0).length,
    gone: [...old.keys()].filter((path) => !now.has(path)).length,
    fields: [...new Set(fields.flat())],
  }
}

function readPages(dataset: string): Map<unknown, Page> {
  try {
    return new Map((JSON.parse(dataset) as Page[]).map((page) => [page.path, page]))
  } catch {
    return new Map()
  }
}
