/** The part by which two texts differ. */

/** Returns the shortest part of a text that must change to make another one of it. */
export function changedPart(before: string, after: string) {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++

  let tail = 0
  while (tail < shorter - start && before.at(-1 - tail) === after.at(-1 - tail)) tail++

  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) }
}
