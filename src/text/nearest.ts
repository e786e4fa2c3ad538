/** Finds the known words that a misspelled one is near to. */
import leven from 'leven'

/** Returns the words that a misspelled one may mean: those of which the fewest letters differ. */
export function nearest(word: string, words: readonly string[]): string[] {
  const letters = lettersOf(word)
  let nearWords: string[] = []
  let least = Infinity

  for (const known of words) {
    const most = known.length * 0.4
    if (Math.abs(known.length - word.length) > most + 4) continue

    const distance = distanceOf(letters, lettersOf(known))
    if (distance > Math.min(most, least)) continue

    if (distance < least) nearWords = []
    least = distance
    nearWords.push(known)
  }
  return nearWords
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
