/** Names characters that look like those of ASCII. It never decides; it only helps to see. */
import { nameOf } from './wording.ts'

/** Letters of other alphabets, and in the same order the Latin letters that they look like. */
const LETTERS = {
  Cyrillic: ['АВЕКМНОРСТУХЅІЈаеорсухѕіјԁһԛԝ', 'ABEKMHOPCTYXSIJaeopcyxsijdhqw'],
  Greek: ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧονι', 'ABEZHIKMNOPTYXovi'],
} as const
/** Signs, and in the same order those of ASCII that they look like: to Unicode, they are no variants. */
const MARKS = ['‐‑‒–—−“”„‟″«»‘’‚‛′´⁄∕،、', `------"""""""''''''//,,`] as const

/** Returns the ASCII character that another one looks like, or the character itself. */
export function toAscii(character: string): string {
  for (const [others, ours] of [...Object.values(LETTERS), MARKS]) {
    const at = others.indexOf(character)
    if (at >= 0) return ours[at] as string
  }
  // Full-width, mathematical and other variants of one character (NFKC).
  const variant = character.normalize('NFKC')
  return /^[!-~]$/.test(variant) ? variant : character
}

/**
 * Returns a remark on the first lookalike in a text that has Latin letters, too, such as
 * " (о is a Cyrillic letter; write o)", or ''.
 */
export function remarkOn(text: string): string {
  if (/^[ -~]*$/.test(text)) return ''
  if (!/[a-z]/i.test(text)) return ''
  const odd = Array.from(text).find((character) => toAscii(character) !== character)
  if (odd === undefined) return ''
  const [alphabet] = Object.entries(LETTERS).find(([, [others]]) => others.includes(odd)) ?? []
  const what = alphabet === undefined ? nameOf(odd) : `a ${alphabet} letter`
  return ` (${odd} is ${what}; write ${toAscii(odd)})`
}
