/** Makes the index of the words of the bodies, for the search of the site. Pure. */
import { parseFragment } from 'parse5'
import type { Lookup } from '../content/lookup.ts'
import { type WordIndex, wordsOf } from '../content/search.ts'

/** The most pairs of a word and an entry. In prose, they are 200 kB compressed: a second at 1.6 Mbit/s. */
const MOST_PAIRS = 125_000

/** Returns the index of the bodies of all entries, or undefined if it is too large. */
export function indexWords({ entries, find }: Lookup): WordIndex | undefined {
  const index = new Map<string, number[]>()
  let pairs = 0
  for (const [number, { path }] of entries.entries()) {
    const body = find(path)?.page.contentHtml ?? ''
    // Without tags there is one text, and parsing decodes its character references.
    const [text] = parseFragment(body.replace(/<[^>]*>/g, ' ')).childNodes
    for (const word of new Set(wordsOf(text && 'value' in text ? text.value : ''))) {
      const numbers = index.get(word)
      if (numbers) numbers.push(number)
      else index.set(word, [number])
      pairs += 1
    }
    if (pairs > MOST_PAIRS) return undefined
  }
  // By code unit: the same on every machine.
  return [...index].sort(([a], [b]) => (a < b ? -1 : 1))
}
