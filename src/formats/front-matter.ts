/**
 * Markdown with front matter: one record, of the keys between two lines `---` at the beginning, and
 * of the text after them.
 */
import { type Edit, type Fault, keyFault, type Range, textFault } from '../page/fault.ts'
import { asObject, isPlainObject } from '../text/as-object.ts'
import { changedPart } from '../text/changed-part.ts'
import { type Format, type Parsed, type Replacement, type Target, unreadable } from './format.ts'
import { yaml } from './yaml.ts'

/** The key of the text, unless the collection names another one. */
const BODY = 'body'

/** @param body the key of the text */
export function createFrontMatter(body: string): Format {
  const isOfBody = ({ pointer, at }: Target) => pointer[0] === body && at === 'value'

  return {
    name: 'front matter',
    extensions: ['.md', '.markdown'],
    allowsByteOrderMark: true,
    guessesTypes: true,

    parse(text) {
      const parts = divide(text)
      if ('code' in parts) return unreadable(parts)

      const parsed = parseHead(parts)
      if (parsed.value === undefined) return parsed

      const record = asObject(parsed.value)
      if (Object.hasOwn(record, body)) return refuseKey(parts, body)
      return { ...parsed, value: { ...record, [body]: text.slice(parts.body) } }
    },

    locate(text, targets) {
      const parts = divide(text) as Parts
      const ranges = parts.isEmpty ? [] : yaml.locate(parts.head, targets)
      const isTaken = Object.hasOwn(asObject(parseHead(parts).value), body)

      return targets.map((target, index) => {
        // The text has no key that could be shown.
        const isText = target.pointer[0] === body && !isTaken
        return isText ? placeInBody(text, parts, target.within) : (ranges[index] ?? parts.opening)
      })
    },

    write(text, replacements) {
      const parts = divide(text) as Parts
      const edits = parts.isEmpty ? [] : yaml.write(parts.head, replacements)
      return replacements.map((replacement, index) => {
        return isOfBody(replacement) ? writeBody(text, parts, replacement) : edits[index]
      })
    },
  }
}

export const frontMatter = createFrontMatter(BODY)

interface Parts {
  /** The file up to the second `---`: a document of YAML, at the same offsets. */
  head: string
  /** Whether there is nothing in the head. */
  isEmpty: boolean
  opening: Range
  closing: Range
  /** Where the text begins. */
  body: number
}

/** The line `---` at the beginning, perhaps after a byte-order mark. */
const OPENING = /^\ufeff?(---[ \t]*)\r?\n/

/** The line `---` that ends front matter; some programs end it by `...`. */
const CLOSING = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$(?!\s))/m

/** Divides a file into its front matter and its text. */
export function divide(text: string): Parts | Fault {
  const [opening, dashes = ''] = OPENING.exec(text) ?? []
  if (opening === undefined) return explainBeginning(text)

  const rest = text.slice(opening.length)
  const closing = CLOSING.exec(rest)
  const start = opening.indexOf(dashes)
  const openingRange = { start, end: start + dashes.length }
  if (!closing) return textFault('front-matter.end', openingRange)

  const closingStart = opening.length + closing.index
  const body = closingStart + closing[0].length
  return {
    head: text.slice(0, closingStart),
    isEmpty: ONLY_COMMENTS.test(rest.slice(0, closing.index)),
    opening: openingRange,
    closing: { start: closingStart, end: closingStart + '---'.length },
    body,
  }
}

/** Blank lines and comments. */
const ONLY_COMMENTS = /^(?:[ \t]*(?:#[^\n]*)?(?:\n|$))*$/

/** Front matter in TOML, as Hugo reads it. */
const TOML = /^\ufeff?\+\+\+/

function explainBeginning(text: string): Fault {
  const range = { start: 0, end: 3 }
  return textFault('front-matter.missing', range, { isToml: TOML.test(text) })
}

function parseHead({ head, isEmpty, closing }: Parts): Parsed {
  if (isEmpty) return { ...unreadable(), value: {} }

  const parsed = yaml.parse(head)
  const { value } = parsed
  const isRecord = value === undefined || isPlainObject(value)
  if (isRecord) return parsed
  return unreadable(textFault('front-matter.no-object', closing))
}

/** Refuses a key that the text below it has already. */
function refuseKey({ head }: Parts, body: string): Parsed {
  const takenKey = keyFault('front-matter.body', [body], { key: body })
  const [range] = yaml.locate(head, [takenKey])
  return unreadable({ ...takenKey, ...(range && { range }) })
}

/** Returns the range of a part of the text; without one, of the text from its first letter on. */
function placeInBody(text: string, { body, closing }: Parts, within: Range | undefined): Range {
  if (within) return { start: body + within.start, end: body + within.end }

  const content = text.slice(body)
  const blank = content.length - content.trimStart().length
  return blank === content.length ? closing : { start: body + blank, end: text.length }
}

/** Writes only the part of the text that changes. */
function writeBody(text: string, { body }: Parts, { instead }: Replacement): Edit {
  const { start, end, text: changed } = changedPart(text.slice(body), String(instead))
  return { start: body + start, end: body + end, text: changed }
}
