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

/** Whether a word is surely another: with few letters mistyped, or only the start of it. */
export function isTypo(word: string, known: string): boolean {
  const [ours, theirs] = [lettersOf(word), lettersOf(known)]
  const isStart = ours.length > 3 && theirs.startsWith(ours)
  return isStart || distanceOf(ours, theirs) <= Math.max(1, known.length * 0.2)
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** Counts differing letters. The same letters in another order ("from" for "form") count as one. */
function distanceOf(a: string, b: string): number {
  const sorted = (text: string) => [...text].sort().join('')
  return a !== b && sorted(a) === sorted(b) ? 1 : leven(a, b)
}
