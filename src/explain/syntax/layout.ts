/** How a text is laid out in lines. */

/** Whether no line ends between two offsets. */
export function isOneLine(text: string, start: number, end: number): boolean {
  return !/[\r\n]/.test(text.slice(start, end))
}

/** Returns the offset of the first character of a line that is neither a space nor a tab. */
export function startOfLine(text: string, offset: number): number {
  let start = lineBreakBefore(text, offset) + 1
  while (start < offset && (text[start] === ' ' || text[start] === '\t')) start++
  return start
}

/** Whether only spaces and tabs are before an offset in its line. */
export function beginsLine(text: string, offset: number): boolean {
  let start = offset
  // Not from the start of the line, which may be the whole file.
  while (text[start - 1] === ' ' || text[start - 1] === '\t') start--
  return start === 0 || text[start - 1] === '\n'
}

/** Returns how many spaces and tabs the line of an offset begins with. */
export function indentationAt(text: string, offset: number): number {
  return startOfLine(text, offset) - lineBreakBefore(text, offset) - 1
}

/** @returns -1 in the first line */
function lineBreakBefore(text: string, offset: number): number {
  return offset === 0 ? -1 : text.lastIndexOf('\n', offset - 1)
}
