/** Filters the cards, and reads and writes a filter as a query string. Pure. */
import { categoryOf, type Entry } from './lookup.ts'

export interface Filter {
  /** Words that the title or the path must contain, in any order and case. */
  text: string
  /** A category of paths, or '' for all. */
  category: string
  form: '' | 'with' | 'without'
}

/** The filter that lets everything through. */
export const NO_FILTER: Filter = { text: '', category: '', form: '' }

/**
 * Parses the filter of an address. Ignores values that the controls cannot show.
 *
 * @param search the query string of the address, with or without `?`
 */
export function parseFilter(search: string, entries: readonly Entry[]): Filter {
  const query = new URLSearchParams(search)
  const form = query.get('form')
  const category = query.get('category') ?? ''
  return {
    text: query.get('q') ?? '',
    category: entries.some(({ path }) => categoryOf(path) === category) ? category : '',
    form: form === 'with' || form === 'without' ? form : '',
  }
}

/** Returns the query string of a filter with `?`, or '' for {@link NO_FILTER}. */
export function formatFilter({ text, category, form }: Filter): string {
  const query = new URLSearchParams()
  if (text !== '') query.set('q', text)
  if (category !== '') query.set('category', category)
  if (form !== '') query.set('form', form)
  const string = query.toString()
  return string === '' ? '' : `?${string}`
}

/** Returns the entries that match a filter, or `entries` itself when the filter is empty. */
export function filterEntries(entries: readonly Entry[], filter: Filter): readonly Entry[] {
  const { text, category, form } = filter
  if (text.trim() === '' && category === '' && form === '') return entries
  const words = text.toLowerCase().split(/\s+/)
  return entries.filter(({ path, title, hasForm }) => {
    if (form !== '' && hasForm !== (form === 'with')) return false
    if (category !== '' && categoryOf(path) !== category) return false
    const haystack = `${title} ${path}`.toLowerCase()
    return words.every((word) => haystack.includes(word))
  })
}
