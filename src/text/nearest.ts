/** Finds the known word that a misspelled one is nearest to. */
import leven from 'leven'

/** Returns the known word whose letters are nearest; undefined if none is near. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  const close = words
    .map((known) => ({ known, distance: distanceOf(lettersOf(word), lettersOf(known)) }))
    .filter(({ known, distance }) => distance <= known.length * 0.4)
    .sort((a, b) => a.distance - b.distance)[0]
  return close?.known
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** Counts the letters that differ; one if only their order does ("from" for "form"). */
function distanceOf(a: string, b: string): number {
  const sorted = (text: string) => [...text].sort().join('')
  return a !== b && sorted(a) === sorted(b) ? 1 : leven(a, b)
}
