/** Finds the known word that a misspelled one is nearest to. */
import leven from 'leven'

/** Returns the word that a misspelled one seems to mean by its letters, or undefined. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  return nearestOf(word, words)[0]
}

/** Returns the words whose letters differ least, if they are near. */
export function nearestOf(word: string, words: readonly string[]): string[] {
  let [least, near]: [number, string[]] = [Number.POSITIVE_INFINITY, []]
  const letters = lettersOf(word)
  for (const known of words) {
    const most = known.length * 0.4
    if (Math.abs(known.length - word.length) > most + 4) continue
    const distance = distanceOf(letters, lettersOf(known))
    if (distance > most || distance > least) continue
    near = distance < least ? [known] : [...near, known]
    least = distance
  }
  return near
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
