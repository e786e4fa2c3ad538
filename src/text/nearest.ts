/** Finds the word that a misspelled one means. */
import leven from 'leven'

/** Returns the word that a misspelled one seems to mean by its letters, or undefined. */
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

/** Counts differing letters. The same letters in another order ("from" for "form") count as one. */
function distanceOf(a: string, b: string): number {
  const sorted = (text: string) => [...text].sort().join('')
  return a !== b && sorted(a) === sorted(b) ? 1 : leven(a, b)
}
