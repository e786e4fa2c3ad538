/** Natural order: runs of digits by their value, all else by code unit. The same on every machine. */

/** A run of digits, such as the "02" of "batch-02". */
const NUMBER = /[0-9]+/g
/** The zeros before a number, as in "007". */
const LEADING_ZEROS = /^0+/

/**
 * Returns a string by which texts sort into natural order. Texts that differ only in zeros before a
 * number (`batch-02`, `batch-2`) sort by code unit.
 *
 * @param text has no U+0000, unless as a separator that sorts before everything else
 */
export function naturalKey(text: string): string {
  // Before each number its length, so that the longer one is the larger.
  const key = text.replace(NUMBER, (number) => {
    const digits = number.replace(LEADING_ZEROS, '')
    return String(digits.length).padStart(5, '0') + digits
  })
  return `${key}\0\0${text}`
}

/** Returns texts in natural order. The key of each is made once. */
export function sortNaturally(texts: Iterable<string>): string[] {
  const keyed = Array.from(texts, (text) => ({ text, key: naturalKey(text) }))
  keyed.sort((one, other) => compareKeys(one.key, other.key))
  return keyed.map(({ text }) => text)
}

/** Compares two texts in natural order; equal only if they are the same. */
export function compareNaturally(one: string, other: string): number {
  return compareKeys(naturalKey(one), naturalKey(other))
}

function compareKeys(key: string, otherKey: string): number {
  if (key < otherKey) return -1
  return key > otherKey ? 1 : 0
}
