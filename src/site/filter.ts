/** Which cards a filter lets through, and how a filter is written into an address. Pure. */
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
 * The filter that an address asks for, as far as the controls can show it.
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

/** The query string of a filter with `?`, or '' for one that lets everything through. */
export function formatFilter({ text, category, form }: Filter): string {
  const query = new URLSearchParams()
  if (text !== '') query.set('q', text)
  if (category !== '') query.set('category', category)
  if (form !== '') query.set('form', form)
  return query.size === 0 ? '' : `?${query}`
}

/** The entries that a filter lets through; all of them are the same array. */
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
