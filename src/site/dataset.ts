/** Hides how the dataset is parsed: a line at a time, for V8 makes no string of more than 512 MB. */
import type { Page } from '../generated/dataset.json'

const NEWLINE = 0x0a

/**
 * The pages of a dataset, which has one on each line between those with its brackets; an array of
 * any number on one line is read as well.
 */
export function parseDataset(bytes: Buffer): Page[] {
  const pages: Page[] = []
  let isOpen = false
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start)
    const end = newline < 0 ? bytes.length : newline
    const line = bytes.toString('utf8', start, end).trim()
    start = end + 1
    if (line === '[' || line === ']') {
      isOpen = line === '['
      continue
    }
    if (line === '') continue
    const value: Page | Page[] = JSON.parse(line.endsWith(',') ? line.slice(0, -1) : line)
    if (Array.isArray(value)) for (const page of value) pages.push(page)
    else pages.push(value)
  }
  if (isOpen) throw new SyntaxError('the dataset ends before its last line, which is "]"')
  return pages
}
