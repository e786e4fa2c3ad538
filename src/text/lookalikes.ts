/** Names characters that look like those of ASCII. It never decides; it only helps to see. */
import { nameOf } from './wording.ts'

/**
 * Cyrillic and Greek letters, and signs: to Unicode, they are no variants of those of ASCII, which
 * follow in the same order.
 */
const LOOKALIKES = [
  ['АВЕКМНОРСТУХЅІЈаеорсухѕіјԁһԛԝ', 'ABEKMHOPCTYXSIJaeopcyxsijdhqw'],
  ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧονι', 'ABEZHIKMNOPTYXovi'],
  ['‐‑‒–—−“”„‟″«»‘’‚‛′´⁄∕،、', `------"""""""''''''//,,`],
] as const

/** Returns the ASCII character that another one looks like, or the character itself. */
export function toAscii(character: string): string {
  for (const [others, ours] of LOOKALIKES) {
    const at = others.indexOf(character)
    if (at >= 0) return ours[at] as string
  }
  // Full-width, mathematical and other variants of one character (NFKC).
  const variant = character.normalize('NFKC')
  return /^[!-~]$/.test(variant) ? variant : character
}

/**
 * Returns a remark on the first lookalike in a text that has Latin letters, too, such as
 * " (о is U+043E; write o)", or ''.
 */
export function remarkOn(text: string): string {
  if (/^[ -~]*$/.test(text)) return ''
  const odd = Array.from(text).find((character) => toAscii(character) !== character)
  if (!odd || !/[a-z]/i.test(text)) return ''
  return ` (${odd} is ${nameOf(odd)}; write ${toAscii(odd)})`
}
