/** One way to make text safe to print. */

/**
 * Makes text safe to print: control characters, lone surrogates, characters that change the writing
 * direction and all other invisible ones become JSON escapes, such as \\u200b. A batch must not
 * control the terminal of the person who builds it, and its author must see what is wrong.
 */
export function printable(text: string): string {
  return text.replace(INVISIBLE, (character) => {
    const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
  })
}

/** All except the common space, and U+FE0F, which turns a symbol into an emoji. */
const INVISIBLE = /(?! |\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{DI}]/gu
