/** Plain text as HTML. Pure. */

/** How a character with a meaning in HTML is written. */
const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** One of these characters. */
const MARKUP_CHARACTER = /[&<>]/g

/** A line break of Windows, or of old computers by Apple. */
const LINE_BREAK = /\r\n?/g

/** What is between two paragraphs: one or more lines that are empty or have only spaces. */
const BLANK_LINES = /\n\s*\n/

/** Returns plain text as HTML: a paragraph for each run of lines, in between blank ones. */
export function paragraphs(text = ''): string {
  const escaped = text.replace(MARKUP_CHARACTER, (character) => ESCAPES[character] ?? character)
  const lines = escaped.replace(LINE_BREAK, '\n')
  const blocks = lines.split(BLANK_LINES).map((block) => block.trim())

  return blocks.map((block) => block && `<p>${block}</p>`).join('')
}
