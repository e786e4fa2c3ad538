/** The parser of HTML, which reads a body as a browser does. */
import { createRequire } from 'node:module'

type Parser = typeof import('parse5')

const require = createRequire(import.meta.url)

let parser: Parser | undefined

/** Loads the parser on demand: plain paragraphs, as most bodies are, don't need it. */
export function htmlParser(): Parser {
  parser ??= require('parse5') as Parser
  return parser
}
