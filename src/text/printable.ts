/**
 * Makes text safe to print: control characters, lone surrogates, characters that change the writing
 * direction and all other invisible ones become JSON escapes, such as \\u200b. Neither a batch nor a
 * form may control the terminal of its reader, and an author must see what is wrong.
 */
export function printable(text: string): string {
  return text.replace(INVISIBLE, escapeUnits)
}

/** Writes each code unit of a character as an escape: of U+1F600, two. */
function escapeUnits(character: string): string {
  const units = character.split('').map((unit) => unit.charCodeAt(0))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}

/**
 * Invisible characters, except the common space; U+FE0F, which turns a symbol into an emoji; and the
 * joiners U+200C and U+200D within emoji and within words of other alphabets than the Latin one.
 */
const INVISIBLE =
  /(?! |\ufe0f|(?<=(?!\p{sc=Latn})[\p{L}\p{M}\p{So}\p{EMod}])[\u200c\u200d](?=[\p{L}\p{So}]))[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{DI}]/gu
