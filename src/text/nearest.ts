/** Finds the known words that a misspelled one is near to. */
import leven from 'leven'

/** A known word, and how many letters differ. */
export type Near = { known: string; distance: number }

/** Returns the word that a misspelled one seems to mean by its letters, or undefined. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  return nearestOf(nearWords(word, words))[0]
}

/** Returns the words of which so few letters differ that they may be meant. */
export function nearWords(word: string, words: readonly string[]): Near[] {
  const letters = lettersOf(word)
  return words.flatMap((known) => {
    const most = known.length * 0.4
    if (Math.abs(known.length - word.length) > most + 4) return []
    const distance = distanceOf(letters, lettersOf(known))
    return distance > most ? [] : { known, distance }
  })
}

/** Returns those of which the fewest letters differ. */
export function nearestOf(near: readonly Near[]): string[] {
  const least = Math.min(...near.map(({ distance }) => distance))
  return near.flatMap(({ known, distance }) => (distance === least ? known : []))
}

/** Whether a word is surely another: with one letter mistyped, or in another case. */
export function isTypo(word: string, known: string): boolean {
  const [ours, theirs] = [lettersOf(word), lettersOf(known)]
  return ours === theirs || (theirs.length > 3 && distanceOf(ours, theirs) === 1)
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** Counts differing letters. Two neighbours that are exchanged ("from" for "form") count as one. */
function distanceOf(a: string, b: string): number {
  const at = Array.from(a).findIndex((letter, index) => letter !== b[index])
  const exchanged = a.slice(0, at) + (a[at + 1] ?? '') + (a[at] ?? '') + a.slice(at + 2)
  return at >= 0 && exchanged === b ? 1 : leven(a, b)
}
