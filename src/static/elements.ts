/** Tells the script of the site which HTML a body may have. It never loads `content.ts`. */
import { content } from '../content.ts'
import type { Content } from '../page/content.ts'
import { PARAGRAPHS } from '../page/html.ts'

/** For the setting `define` of Vite. */
export function defineElements({ elements = PARAGRAPHS }: Content = content) {
  return { ALLOWED_ELEMENTS: JSON.stringify(elements) }
}
