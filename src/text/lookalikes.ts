/** Names characters that look like those of ASCII. It never decides; it only helps to see. */
import { nameOf } from './wording.ts'

/**
 * Cyrillic letters, Greek letters and signs that Unicode doesn't count as variants of those of ASCII.
 * Each has the one that it looks like at the same position.
 */
const LOOKALIKES = [
  { seen: 'АВЕКМНОРСТУХЅІЈаеорсухѕіјԁһԛԝ', ascii: 'ABEKMHOPCTYXSIJaeopcyxsijdhqw' },
  { seen: 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧονι', ascii: 'ABEZHIKMNOPTYXovi' },
  { seen: '‐‑‒–—−“”„‟″«»‘’‚‛′´⁄∕،、', ascii: `------"""""""''''''//,,` },
] as const

/** One visible character of ASCII, such as "a". */
const VISIBLE_ASCII = /^[!-~]$/

/** Returns the ASCII character that another one looks like, or the character itself. */
export function toAscii(character: string): string {
  for (const { seen, ascii } of LOOKALIKES) {
    const position = seen.indexOf(character)
    if (position >= 0) return ascii[position] as string
  }

  // Full-width, mathematical and other variants of one character (NFKC).
  const variant = character.normalize('NFKC')
  return VISIBLE_ASCII.test(variant) ? variant : character
}

/** A text of nothing but ASCII. */
const PLAIN = /^[ -~]*$/
/** A text with a Latin letter. */
const LATIN_LETTER = /[a-z]/i

/**
 * Returns a remark on the first lookalike in a text that has Latin letters, too, such as
 * " (о is U+043E; write o)", or ''.
 */
export function remarkOn(text: string): string {
  if (PLAIN.test(text) || !LATIN_LETTER.test(text)) return ''

  const lookalike = Array.from(text).find((character) => toAscii(character) !== character)
  if (!lookalike) return ''
  return ` (${lookalike} is ${nameOf(lookalike)}; write ${toAscii(lookalike)})`
}
