/** A text as a part of a path. Pure. */

/** Signs that tell one name from another, such as "C", "C++" and "C#", and the words for them. */
const SIGN_WORDS: Record<string, string> = {
  '+': ' plus ',
  '#': ' sharp ',
  '&': ' and ',
  '@': ' at ',
}

/** One of these signs. */
const SIGN = /[+#&@]/g

/** A run of letters and digits, such as "first" and "2nd". A mark belongs to the letter before it. */
const WORD = /[\p{L}\p{Nd}][\p{L}\p{M}\p{Nd}]*/gu

/**
 * Returns a text as a part of a path: its letters and digits in lower case, with a hyphen between its
 * words. The signs + # & @ become words, so that "C", "C++" and "C#" differ. Other texts may still
 * have the same one: a path of a title needs something else beside it.
 */
export function slug(text: string): string {
  // Lower case may come apart into two characters.
  const folded = text.normalize('NFKC').toLowerCase().normalize('NFC')
  const worded = folded.replace(SIGN, (sign) => SIGN_WORDS[sign] ?? sign)
  return worded.match(WORD)?.join('-') ?? ''
}
