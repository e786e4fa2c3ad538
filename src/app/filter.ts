/** Filters the cards, and reads and writes a filter as a query string. Pure. */
import { type Entry, isInCategory } from './lookup.ts'

export interface Filter {
  /** The text: words to search for, in any order and case, with or without accents. */
  q: string
  /** A category, or '' for all. */
  category: string
  form: '' | 'with' | 'without'
}

/** Parses the filter in the query string of an address. Ignores what the controls cannot show. */
export function parseFilter(
  search: string,
  entries: readonly Entry[],
  categories: readonly string[],
): Filter {
  const query = new URLSearchParams(search)
  const category = query.get('category') ?? ''
  const form = entries[0]?.hasForm === undefined ? null : query.get('form')

  return {
    q: query.get('q') ?? '',
    category: categories.includes(category) ? category : '',
    form: form === 'with' || form === 'without' ? form : '',
  }
}

/** Returns a query string with `?`, or '': another one, with the parameters of a filter. */
export function formatFilter(filter: Filter, search = ''): string {
  const query = new URLSearchParams(search)
  for (const [name, value] of Object.entries(filter)) {
    if (value) query.set(name, value)
    else query.delete(name)
  }

  return String(query) && `?${query}`
}

/** Returns the entries that match the controls of a filter, or `entries` itself if none is set. */
export function filterEntries(entries: readonly Entry[], filter: Filter): readonly Entry[] {
  const { category, form } = filter
  if (category === '' && form === '') return entries

  return entries.filter((entry) => {
    if (form !== '' && entry.hasForm !== (form === 'with')) return false
    return category === '' || isInCategory(entry, category)
  })
}
