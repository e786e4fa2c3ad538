/** Explains a line of YAML that doesn't belong to what was being read when it came. */
import type { CST, YAMLError } from 'yaml'
import type { Neighbour } from '../../fault/facts.ts'
import { type Fault, textFault } from '../../fault/fault.ts'
import { lineAt, startsOfLines } from '../../text/lines.ts'
import type { Range } from '../../text/range.ts'

/** Lines that are blank, or only have a comment: the place of an error may be in them. */
const BLANK_LINES = /^(?:[ \t]*(?:#.*)?\r?\n)*/

/** Returns the offset of the line that doesn't belong to what was read before it. */
export function findMisplacedLine(
  text: string,
  { message, pos: [start] }: YAMLError,
): number | undefined {
  const line = startOfLine(text, start)
  const before = text.slice(line, start)
  if (before.trim() === '') {
    const [skipped = ''] = BLANK_LINES.exec(text.slice(line)) ?? []
    return line + skipped.length
  }

  const isBelow = /^Nested mappings|^A block sequence may not be used|^All /.test(message)
  const isBelowItem = /^Implicit keys need/.test(message) && /^[ -]*$/.test(before)
  return isBelow || isBelowItem ? startOfNextLine(text, start) : undefined
}

/** A line: as groups, its indentation, the dashes of lists, and its key with the colon. */
const LINE = /^( *)((?:-(?: +|$))*)([^\s#].*?:(?=\s|$))?/

/** A dash right before a word, such as the one of `-name`. */
const DASH = /^ *-(?=[\p{L}_"'])/u

/** A colon right after a word, such as the one of `name:Ann`, `- name:Ann` and `"name":1`. */
const TIGHT_COLON = /^[ -]*(?:\p{L}[\w-]*|"\w+"|'\w+'):(?=[^\s:/])/u

/** An indented `---`. */
const MARK = /^ +---[ \t]*\r?$/

/** Explains a line by what was being read when it came. */
export function explainMisplacedLine(
  text: string,
  line: number,
  tokens: readonly CST.Token[],
): Fault | undefined {
  const lineBefore = startOfLine(text, line - 1)
  for (const start of [line, lineBefore]) {
    const content = text.slice(start, endOfLine(text, start))
    const [dash] = DASH.exec(content) ?? []
    if (dash !== undefined) return textFault('yaml.dash', span(start + dash.length - 1))

    const [key] = TIGHT_COLON.exec(content) ?? []
    if (key !== undefined) return textFault('yaml.colon-space', span(start + key.length - 1))
  }

  const content = text.slice(line, endOfLine(text, line))
  const [, { length: spaces } = '', dashes = '', key] = LINE.exec(content) ?? []
  const range = { start: line + spaces, end: line + content.trimEnd().length }
  if (MARK.test(content)) return textFault('yaml.mark', range)

  if (content.trim() === '') return undefined

  const entries = entriesBefore(text, tokens, line)
  if (key === undefined && dashes === '') return explainText(text, range, entries)
  return explainIndentation(text, span(range.start), dashes !== '', entries)
}

/** What isn't the rest of a text: an address or the path of a file, alone in its line, or a bracket. */
const NO_REST = /^(?:[^\s/]*\/\S*$|[[{])/

/** Explains a line without a key: the text above it may have to go on in it. */
function explainText(text: string, range: Range, entries: readonly Entry[]): Fault {
  const entry = entries.at(-1)
  const spaces = columnOf(text, range.start)
  const isRest = !NO_REST.test(text.slice(range.start, range.end))
  if (!entry?.mayBeText || !isRest) return textFault('yaml.no-pair', range)

  const { name, textSpaces } = entry
  return textFault('yaml.text', range, { key: name, spaces, textSpaces })
}

/** Explains a line by the indentation of those that it may belong to. */
function explainIndentation(
  text: string,
  range: Range,
  isItem: boolean,
  entries: readonly Entry[],
): Fault | undefined {
  const spaces = columnOf(text, range.start)
  const open = openEntries(entries)
  const [last] = open
  if (!last) return undefined

  const beside = isItem ? open.find((entry) => entry.isItem) : last
  const facts = (above: Entry) => {
    return { above: neighbour(text, above), ...(beside && { beside: neighbour(text, beside) }) }
  }
  if (last.isComplete && last.column < spaces)
    return textFault('yaml.below-text', range, { isItem, ...facts(last) })

  const level = open.find(({ column }) => column === spaces)
  const deeper = open.findLast(({ column }) => column > spaces)
  if (level?.isItem && !isItem) {
    const inner = deeper && neighbour(text, deeper)
    return textFault('yaml.item-missing', range, inner ? { inner } : {})
  }
  if (level && isItem && !deeper?.isItem)
    return textFault('yaml.below-text', range, { isItem, ...facts(level) })

  // A key can't be beside an item.
  const candidates = isItem ? open : open.filter((entry) => !entry.isItem)
  const inner = candidates.findLast(({ column }) => column > spaces)
  const outer = candidates.find(({ column }) => column < spaces)
  const neighbours = [inner, outer].filter((entry) => entry !== undefined)
  if (neighbours.length === 0) return undefined
  return textFault('yaml.indentation', range, {
    spaces,
    neighbours: neighbours.map((entry) => neighbour(text, entry)),
  })
}

/** A key or an item of a list that was read. */
interface Entry {
  offset: number
  column: number
  isItem: boolean
  /** Its key, if it has one. */
  name: string | undefined
  /** Whether it has a value, or the beginning of one, that nothing can be indented below. */
  isComplete: boolean
  /** Whether text may go on below it: it has text, or no value yet. */
  mayBeText: boolean
  /** The indentation of a text after `|` or `>`. */
  textSpaces: number | undefined
}

/** Returns the keys and items before a place that aren't in brackets, in the order of the text. */
export function entriesBefore(text: string, tokens: readonly CST.Token[], place: number): Entry[] {
  const items = tokens.flatMap((token): readonly CST.CollectionItem[] => {
    return token.type === 'block-map' || token.type === 'block-seq' ? token.items : []
  })

  const entries = items.flatMap(({ start, key, value }) => {
    const dash = start.find(({ type }) => type === 'seq-item-ind')
    if (dash) return [entryOf(text, dash.offset, undefined, value)]
    return key && !isLongKey(key) ? [entryOf(text, key.offset, key, value)] : []
  })
  return entries
    .filter(({ offset }) => offset < place)
    .sort((first, second) => first.offset - second.offset)
}

/** The first line of a text after `|` or `>` that isn't blank. */
const FIRST_LINE = /^( *)\S/m

/** Texts that the next line may continue. */
const TEXTS = ['scalar', 'block-scalar']

function entryOf(
  text: string,
  offset: number,
  key: CST.Token | null | undefined,
  value: CST.Token | undefined,
): Entry {
  const [, indentation] =
    value?.type === 'block-scalar' ? (FIRST_LINE.exec(value.source) ?? []) : []
  const hasText = value !== undefined && (value.type.endsWith('scalar') || isTextWithKey(value))
  const isComplete = hasText || value?.type === 'flow-collection'
  return {
    offset,
    column: columnOf(text, offset),
    isItem: key === undefined,
    name: key && 'source' in key ? key.source : undefined,
    isComplete,
    mayBeText: value === undefined || TEXTS.includes(value.type),
    textSpaces: indentation?.length,
  }
}

/** Whether `yaml` took a text and the key in the line below it for one key. */
function isLongKey(key: CST.Token): boolean {
  return 'source' in key && key.source.includes('\n')
}

function isTextWithKey(value: CST.Token): boolean {
  const [first] = value.type === 'block-map' ? value.items : []
  return first?.key != null && isLongKey(first.key)
}

/** Returns the entries that a next line may be in, or beside, from the innermost on. */
function openEntries(entries: readonly Entry[]): Entry[] {
  const open: Entry[] = []
  for (const entry of entries.toReversed()) {
    const innermost = open.at(-1)
    if (!innermost || entry.column < innermost.column) open.push(entry)
  }
  return open
}

/** Says what an entry is, and where. */
export function neighbour(text: string, { name, column, offset }: Entry): Neighbour {
  return { name, line: lineAt(startsOfLines(text), offset) + 1, spaces: column }
}

function columnOf(text: string, offset: number): number {
  return offset - startOfLine(text, offset)
}

export function startOfLine(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1
}

export function endOfLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset)
  return end < 0 ? text.length : end
}

/** A line that isn't blank. */
const NEXT_LINE = /\n(?=[^\n]*\S)/g

export function startOfNextLine(text: string, offset: number): number | undefined {
  NEXT_LINE.lastIndex = offset
  const match = NEXT_LINE.exec(text)
  return match ? match.index + 1 : undefined
}

export function span(start: number, length = 1): Range {
  return { start, end: start + length }
}
