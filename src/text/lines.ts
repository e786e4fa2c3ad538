/** Where the lines of a text begin, and on which line a place is. */

/** The end of a line. For editors, a lone CR ends a line, too. */
const LINE_END = /\n|\r(?!\n)/g

/** Stands at the beginning of some files, and editors don't count it. */
const BYTE_ORDER_MARK = '\ufeff'

/** Returns the offset at which each line of a text begins. */
export function startsOfLines(text: string): number[] {
  const starts = [text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0]
  for (const { index } of text.matchAll(LINE_END)) starts.push(index + 1)
  return starts
}

/** Returns the number of the line, from 0, that an offset is on. */
export function lineAt(starts: readonly number[], offset: number): number {
  let first = 0
  let last = starts.length - 1
  while (first < last) {
    const middle = Math.ceil((first + last) / 2)
    const isAfter = (starts[middle] as number) <= offset
    if (isAfter) first = middle
    else last = middle - 1
  }
  return first
}
