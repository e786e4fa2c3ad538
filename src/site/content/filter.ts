/** Filters the cards, and reads and writes a filter as a query string. Pure. */
import { categoryOf, type Entry } from './lookup.ts'

export interface Filter {
  /** The text: words to search for, in any order and case, with or without accents. */
  q: string
  /** A category, or '' for all. */
  category: string
}

/** The filter that lets everything through. */
export const NO_FILTER: Filter = { q: '', category: '' }

/**
 * Parses the filter of an address. Ignores a category that is none.
 *
 * @param search the query string of the address, with or without `?`
 */
export function parseFilter(search: string, categories: readonly string[]): Filter {
  const query = new URLSearchParams(search)
  const category = query.get('category') ?? ''
  return { q: query.get('q') ?? '', category: categories.includes(category) ? category : '' }
}

/** Returns a query string with `?`, or '': another one, with the parameters of a filter. */
export function formatFilter(filter: Filter, search = ''): string {
  const query = new URLSearchParams(search)
  for (const [name, value] of Object.entries(filter)) {
    if (value) query.set(name, value)
    else query.delete(name)
  }
  const string = query.toString()
  return string === '' ? '' : `?${string}`
}

/** Returns the entries of a category, or `entries` itself for all. */
export function filterEntries(entries: readonly Entry[], category: string): readonly Entry[] {
  return category === '' ? entries : entries.filter((entry) => categoryOf(entry) === category)
}
