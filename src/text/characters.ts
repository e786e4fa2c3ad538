/** Places between the characters of a text. */

/** The second half of a surrogate pair, such as that of 😀. */
const SECOND_HALF = /[\udc00-\udfff]/

/** Whether a place is between the two halves of a character, where no text may be cut. */
export function isWithinCharacter(text: string, place: number): boolean {
  return SECOND_HALF.test(text.charAt(place))
}
