/** From a text to the one document that a YAML file has, or to what is wrong with the text. */
import type { CST, Document, ParsedNode, YAMLError } from 'yaml'
import { type Fault, textFault } from '../../fault/fault.ts'
import { yamlLibrary } from './library.ts'

export interface Composed {
  tokens: readonly CST.Token[]
  /** Null if the file has no value at all. */
  root: ParsedNode | null
  /** What `yaml` refuses, in the order of the text. */
  errors: readonly YAMLError[]
  /** What we refuse, though it's YAML. */
  faults: Fault[]
}

/**
 * How deep values may be nested. `yaml` calls itself for each level, with more than 1 kB of the stack,
 * or less after many calls: a higher limit would be left to chance.
 */
export const DEEPEST = 500

const BYTE_ORDER_MARK = '\ufeff'

/**
 * Composes a document of YAML 1.2 in its core schema. Repeated keys stay: the last one counts, as in
 * JSON, and each is reported. The parser is stopped where a value is too deep.
 */
export function compose(text: string): Composed {
  const { Composer, Lexer, Parser } = yamlLibrary()
  const parser = new Parser()
  const tokens: CST.Token[] = []

  for (const lexeme of new Lexer().lex(text)) {
    // After the mark, the package would take the "-" of a list for the middle of a line.
    if (parser.offset === 0 && lexeme === BYTE_ORDER_MARK) {
      parser.offset = BYTE_ORDER_MARK.length
      continue
    }

    for (const token of parser.next(lexeme)) tokens.push(token)

    if (parser.stack.length > DEEPEST + 2)
      return refused(tokens, textFault('json.too-deep', span(parser.offset), { most: DEEPEST }))
  }
  for (const token of parser.end()) tokens.push(token)

  const composer = new Composer({
    schema: 'core',
    resolveKnownTags: false,
    uniqueKeys: false,
    keepSourceTokens: true,
  })
  const [document, secondDocument] = [...composer.compose(tokens, true, text.length)]
  if (!document) return refused(tokens)

  const errors = document.errors.toSorted((a, b) => a.pos[0] - b.pos[0])
  const faults = [
    ...findOldVersion(tokens),
    ...findTags(text, document),
    ...(secondDocument ? [findSecondDocument(tokens)] : []),
  ]
  const root = isEmpty(document.contents) ? null : document.contents
  return { tokens, root, errors, faults }
}

function refused(tokens: readonly CST.Token[], ...faults: Fault[]): Composed {
  return { tokens, root: null, errors: [], faults }
}

/** Whether nothing is written where a value could be, as after `key:`. */
export function isEmpty(node: ParsedNode | null): boolean {
  if (node === null) return true

  const { isScalar } = yamlLibrary()
  return isScalar(node) && node.value === null && node.source === '' && !node.anchor && !node.tag
}

/** Returns the tokens of the keys and values in a token. */
export function innerTokens(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return token.value ? [token.value] : []
  if (!('items' in token)) return []
  return token.items.flatMap(({ key, value }) => [key, value].filter((inner) => inner != null))
}

/** For example `%YAML 1.1`. */
const OLD_VERSION = /^%YAML\s+1\.[01]\b/

/** A document of YAML 1.1 means other values by the same words. */
function findOldVersion(tokens: readonly CST.Token[]): Fault[] {
  const directives = tokens.filter((token) => token.type === 'directive')
  const directive = directives.find(({ source }) => OLD_VERSION.test(source))
  if (!directive) return []

  const { offset, source } = directive
  return [textFault('yaml.version', span(offset, source.length))]
}

/** Returns each tag that isn't of the core schema: its value would be read as if it weren't there. */
function findTags(text: string, { warnings }: Document.Parsed): Fault[] {
  const ofTags = warnings.filter(({ code }) => TAG_WARNINGS.includes(code))
  return ofTags.map(({ pos: [start, end] }) => {
    return textFault('yaml.tag', { start, end }, { tag: text.slice(start, end) })
  })
}

const TAG_WARNINGS: readonly string[] = ['TAG_RESOLVE_FAILED', 'BAD_COLLECTION_TYPE']

function findSecondDocument(tokens: readonly CST.Token[]): Fault {
  const documents = tokens.filter((token) => token.type === 'document')
  const [, second] = documents
  const isLast = documents.length === 2 && second?.value === undefined
  return textFault('yaml.documents', span(second?.offset ?? 0), { isLast })
}

function span(start: number, length = 1) {
  return { start, end: start + length }
}
