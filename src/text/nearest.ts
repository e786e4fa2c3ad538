/** Finds the known words that a misspelled one is near to. */
import leven from 'leven'

/** Of how many letters one may differ: of "tour" one, of "museum" two, of "de" none. */
const LETTERS_FOR_ONE = 3

/** Whether two words of some length differ in one letter, and not in a digit: `phone1` is not `phone2`. */
export function isOneLetterOff(word: string, known: string): boolean {
  const [letters, knownLetters] = [lettersOf(word), lettersOf(known)]
  const isShort = Math.min(letters.length, knownLetters.length) <= LETTERS_FOR_ONE
  if (isShort || digitsOf(word) !== digitsOf(known)) return false
  return distanceOf(letters, knownLetters) === 1
}

/** Returns the digits of a word, such as the 2 of "part2". */
export function digitsOf(word: string): string {
  return word.replace(/\P{N}/gu, '')
}

/** Returns the words that a misspelled one may mean: those of which the fewest letters differ. */
export function nearest(word: string, words: readonly string[]): string[] {
  const letters = lettersOf(word)
  let nearWords: string[] = []
  let least = Infinity

  for (const known of words) {
    // "c++" has one letter: signs don't make a word longer.
    const knownLetters = lettersOf(known)
    if (knownLetters === '') continue
    const shorter = Math.min(letters.length, knownLetters.length)
    const most = Math.floor(shorter / LETTERS_FOR_ONE)
    if (Math.abs(knownLetters.length - letters.length) > most) continue

    const distance = distanceOf(letters, knownLetters)
    if (distance > Math.min(most, least)) continue

    if (distance < least) nearWords = []
    least = distance
    nearWords.push(known)
  }
  return nearWords
}

/** Of how many letters a word is the beginning of another one, if these go on: "int" of "integer". */
const LETTERS_OF_BEGINNING = 3

/** Returns the words that begin with a word: "LGPL-2.1" and "LGPL-3.0" with "LGPL", "de-AT" with "de". */
export function beginningWith(word: string, words: readonly string[]): string[] {
  const beginning = word.normalize('NFC').toLowerCase()
  const mayGoOn = lettersOf(word).length >= LETTERS_OF_BEGINNING
  if (lettersOf(word) === '') return []

  return words.filter((known) => {
    const composed = known.normalize('NFC').toLowerCase()
    const next = composed.charAt(beginning.length)
    const isWhole = lettersOf(next) === ''
    return composed.startsWith(beginning) && next !== '' && (mayGoOn || isWhole)
  })
}

function lettersOf(text: string): string {
  // A disk of macOS may spell 서 as two letters, and é as a letter and a sign.
  const composed = text.normalize('NFC')
  return composed.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** Counts differing letters. Two neighbours that are exchanged ("from" for "form") count as one. */
function distanceOf(a: string, b: string): number {
  const at = Array.from(a).findIndex((letter, index) => letter !== b[index])
  const exchanged = a.slice(0, at) + (a[at + 1] ?? '') + (a[at] ?? '') + a.slice(at + 2)
  return at >= 0 && exchanged === b ? 1 : leven(a, b)
}
