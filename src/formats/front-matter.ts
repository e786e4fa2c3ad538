/**
 * Markdown with front matter: one record, of the keys between two lines `---` at the beginning, and
 * of the text after them.
 */

import { type Fault, keyFault, textFault } from '../fault/fault.ts'
import { asObject, isPlainObject } from '../text/as-object.ts'
import { changedPart } from '../text/changed-part.ts'
import { lineAt, startsOfLines } from '../text/lines.ts'
import type { Edit, Range } from '../text/range.ts'
import { findNul } from './decode.ts'
import {
  EMPTY,
  type Format,
  type Parsed,
  type ReadText,
  type Tree,
  type UnreadableText,
  unreadable,
} from './format.ts'
import { yaml } from './yaml.ts'

/** The key of the text, unless the collection names another one. */
const BODY = 'body'

/** @param key the key of the text */
export function createFrontMatter(key: string): Format {
  return {
    name: 'front matter',
    language: 'Markdown',
    extensions: ['.md', '.markdown'],
    allowsByteOrderMark: true,
    guessesTypes: true,

    parse(text) {
      const nul = findNul(text)
      if (nul) return unreadable(nul)

      const parts = divide(text)
      if ('code' in parts) return unreadable(parts)

      const head = parseHead(parts)
      if (!head.tree) return head

      const record = asObject(head.value)
      if (Object.hasOwn(record, key)) return refuseKey(head.tree, key)

      const body = bodyOf(text, parts)
      return {
        ...head,
        value: { ...record, [key]: body.value },
        tree: treeOf(head.tree, key, body),
      }
    },
  }
}

export const frontMatter = createFrontMatter(BODY)

interface Parts {
  /** The file up to the second `---`: a document of YAML, at the same offsets. */
  head: string
  opening: Range
  closing: Range
  /** Where the text begins. */
  body: number
}

/** The line `---` at the beginning, perhaps after a byte-order mark. */
const OPENING = /^\ufeff?(---[ \t]*)(?:\r?\n|$)/

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
    opening: openingRange,
    closing: { start: closingStart, end: closingStart + '---'.length },
    body,
  }
}

/** Front matter in TOML, as Hugo reads it. */
const TOML = /^\ufeff?\+\+\+/

/** A first line `---` that ends in CR alone, as on Macs of the 1990s. */
const CR_ALONE = /^\ufeff?---[ \t]*\r(?!\n)/

function explainBeginning(text: string): Fault {
  const range = { start: 0, end: 3 }
  if (CR_ALONE.test(text)) return textFault('front-matter.line-ends', range)

  return textFault('front-matter.missing', range, { isToml: TOML.test(text) })
}

function parseHead({ head, opening, closing }: Parts): Parsed {
  const parsed = yaml.parse(head)
  if (parsed === EMPTY) return recordWithoutKeys(opening)
  if (!parsed.tree || isPlainObject(parsed.value)) return parsed
  return unreadable(textFault('front-matter.no-object', closing))
}

/** @param opening the line that is shown for the record */
function recordWithoutKeys(opening: Range): ReadText {
  const tree: Tree = {
    locate: (targets) => targets.map(() => opening),
    write: (replacements) => replacements.map(() => undefined),
  }
  return { value: {}, tree, faults: [], damages: [], doubts: [] }
}

/** Refuses a key that the text below it has already. */
function refuseKey(head: Tree, key: string): UnreadableText {
  const takenKey = keyFault('front-matter.body', [key], { key })
  const [range] = head.locate([takenKey])
  return unreadable({ ...takenKey, ...(range && { range }) })
}

/** @param key the key of the text */
function treeOf(head: Tree, key: string, body: Body): Tree {
  return {
    locate(targets) {
      return head.locate(targets).map((range, index) => {
        const target = targets[index]
        // The text has no key that could be shown.
        return target?.pointer[0] === key ? body.locate(target.within) : range
      })
    },

    write(replacements) {
      return head.write(replacements).map((edit, index) => {
        const replacement = replacements[index]
        const isOfBody = replacement?.pointer[0] === key && replacement.at === 'value'
        return isOfBody ? body.write(String(replacement.instead)) : edit
      })
    },
  }
}

/** The end of a line, as in CommonMark. */
const LINE_ENDING = /\r\n?|\n/
/** The ends of lines other than `\n`. */
const OTHER_ENDINGS = /\r\n?/g

/** The text below the front matter. */
interface Body {
  /** With `\n` at the end of each line, whatever the file has: Git may write another one on Windows. */
  value: string
  /** Returns the range of a part of the text; without one, of the text from its first letter on. */
  locate(within: Range | undefined): Range
  /** Writes only the part of the text that changes. */
  write(instead: string): Edit
}

function bodyOf(text: string, { body: start, closing }: Parts): Body {
  const written = text.slice(start)
  const value = written.replace(OTHER_ENDINGS, '\n')

  let toFile: ((offset: number) => number) | undefined
  const inFile = (range: Range): Range => {
    toFile ??= matchLines(value, written)
    return { start: start + toFile(range.start), end: start + toFile(range.end) }
  }

  return {
    value,

    locate(within) {
      if (within) return inFile(within)

      const blank = written.length - written.trimStart().length
      if (blank === written.length) return closing
      return { start: start + blank, end: text.length }
    },

    write(instead) {
      const { text: part, ...changed } = changedPart(value, instead)
      const [ending = '\n'] = LINE_ENDING.exec(written) ?? []
      return { ...inFile(changed), text: part.replaceAll('\n', ending) }
    },
  }
}

/** Returns where an offset of one text is in another, which differs only in the ends of its lines. */
function matchLines(from: string, to: string): (offset: number) => number {
  const startsFrom = startsOfLines(from)
  const startsTo = startsOfLines(to)

  return (offset) => {
    const line = lineAt(startsFrom, offset)
    const column = offset - (startsFrom[line] ?? 0)
    return (startsTo[line] ?? 0) + column
  }
}
