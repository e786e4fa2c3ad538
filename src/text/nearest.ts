/** Finds the known words that a misspelled one is near to. */
import leven from 'leven'

/** Returns the words that a misspelled one may mean: those of which the fewest letters differ. */
export function nearest(word: string, words: readonly string[]): string[] {
  const letters = lettersOf(word)
  const found: string[] = []
  let least = Infinity
  for (const known of words) {
    const most = known.length * 0.4
    if (Math.abs(known.length - word.length) > most + 4) continue
    const distance = distanceOf(letters, lettersOf(known))
    if (distance > Math.min(most, least)) continue
    if (distance < least) found.length = 0
    least = distance
    found.push(known)
  }
  return found
}

/**
 * Whether a word is surely another: in another case, or with one letter mistyped. With another digit,
 * or another letter at an end, it may be a word of its own: `phone2`, or `weight` for `height`.
 *
 * @param isDue whether the other one must be there, and is not
 */
export function isTypo(word: string, known: string, isDue: boolean): boolean {
  const [ours, theirs] = [lettersOf(word), lettersOf(known)]
  if (ours === theirs) return true
  if (theirs.length < 4 || distanceOf(ours, theirs) > 1) return false
  if (isDue) return true
  if (ours.replace(/\D/g, '') !== theirs.replace(/\D/g, '')) return false
  if (ours.length !== theirs.length) return true
  const isSame = (at: number) => ours.at(at) === theirs.at(at)
  // Two letters are exchanged, or one is another.
  return isSame(0) && (leven(ours, theirs) > 1 || (isSame(1) && isSame(-1)))
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
