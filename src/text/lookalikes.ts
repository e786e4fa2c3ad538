/** Characters that look like those of ASCII: to name them in a message, and to compare words as readers see them. */
import { codePointOf } from './wording.ts'

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

/**
 * Variants of one character (NFKC) that look like it: full-width, vertical, small and mathematical ones,
 * Roman numerals, the Greek question mark, the dot leader and the kelvin. Not ², ③ or ª, which differ.
 */
const VARIANT =
  /^[\uff01-\uff5e\ufe10-\ufe19\ufe50-\ufe6b\u{1d400}-\u{1d7ff}\u2160-\u217f\u037e\u2024\u212a]$/u

/** Returns the ASCII character that another one looks like, or the character itself. */
export function toAscii(character: string): string {
  for (const { seen, ascii } of LOOKALIKES) {
    const position = seen.indexOf(character)
    if (position >= 0) return ascii.charAt(position)
  }
  if (!VARIANT.test(character)) return character

  const variant = character.normalize('NFKC')
  return VISIBLE_ASCII.test(variant) ? variant : character
}

/** A text of nothing but ASCII. */
const PLAIN = /^[ -~]*$/
/** A text with a Latin letter. */
const LATIN_LETTER = /[a-z]/i

/** A character that can't be seen, such as U+200B; in emoji, it carries meaning. */
const INVISIBLE = /[\p{Cf}\p{DI}\u00a0\u2028\u2029]|(?!\s)\p{Cc}/u
const EMOJI = /\p{ExtPict}/u

/**
 * Returns a remark on the first character of a text that can't be seen, or on the first lookalike in one
 * that has Latin letters, too, such as " (о is U+043E, not o)"; or ''.
 */
export function remarkOn(text: string): string {
  if (PLAIN.test(text)) return ''

  const [invisible] = EMOJI.test(text) ? [] : (INVISIBLE.exec(text) ?? [])
  if (invisible !== undefined) return ` (with the invisible character ${codePointOf(invisible)})`
  if (!LATIN_LETTER.test(text)) return ''

  const lookalike = Array.from(text).find((character) => toAscii(character) !== character)
  if (!lookalike) return ''
  return ` (${lookalike} is ${codePointOf(lookalike)}, not ${toAscii(lookalike)})`
}
