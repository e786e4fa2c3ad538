/** How a text is laid out in lines. */
import { lineAt, startsOfLines } from '../../text/lines.ts'

/** A text, and the offset at which each of its lines begins. */
export interface Layout {
  text: string
  starts: readonly number[]
}

/** Finds the lines of a text once: a search for each place would take quadratic time in a long line. */
export function layoutOf(text: string): Layout {
  return { text, starts: startsOfLines(text) }
}

/** Returns the line of a place, from 1. */
export function lineOf({ starts }: Layout, offset: number): number {
  return lineAt(starts, offset) + 1
}

/** Whether no line ends between two offsets. */
export function isOneLine(layout: Layout, start: number, end: number): boolean {
  return start >= end || lineOf(layout, start) === lineOf(layout, end)
}

/** Returns the offset of the first character of a line that is neither a space nor a tab. */
export function startOfLine({ text, starts }: Layout, offset: number): number {
  let start = starts[lineAt(starts, offset)] as number
  while (start < offset && (text[start] === ' ' || text[start] === '\t')) start++
  return start
}

/** Whether only spaces and tabs are before an offset in its line. */
export function beginsLine(layout: Layout, offset: number): boolean {
  return startOfLine(layout, offset) === offset
}

/** Returns how many spaces and tabs the line of an offset begins with. */
export function indentationAt(layout: Layout, offset: number): number {
  const { starts } = layout
  return startOfLine(layout, offset) - (starts[lineAt(starts, offset)] as number)
}
