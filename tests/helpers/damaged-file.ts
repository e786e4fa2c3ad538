/** JSON files as people and programs write them, each with one random damage. */
import fc from 'fast-check'
import type { MadeFix } from '../../src/explain/fix.ts'
import { startsOfLines } from '../../src/text/lines.ts'
import { toAscii } from '../../src/text/lookalikes.ts'

export interface DamagedFile {
  /** Says whether it is JSON Lines. */
  name: string
  /** The file before the damage. */
  original: string
  /** The file after it: what is between two offsets of the original was replaced. */
  text: string
  damage: { start: number; end: number; text: string }
}

/**
 * Texts that a careless fix would take for something outside of quotes, or for a part of JSON. None
 * begins with a typographic quote, or ends with one, that has no partner in it: nobody can tell `“To be"`,
 * where the first quote is missing, from the text "To be".
 */
const WORDS = [
  ...['North', 'Zoë’s', '語学', '😀', 'a, b', 'x: y', '1 200', '1', '48.5', 'true', '', ' '],
  ...[
    '“Hello”',
    '„Grüße“',
    'or “not',
    'not” to',
    '’tis',
    '‘a’',
    '« Back',
    'More »',
    '6” wide',
    '5′',
  ],
  ...['\u00a0Price', '\u200fשלום', '1\u00a0200', 'a\u2028b', '\ufeff', '，', '1，200', '“a”, b'],
  ...['[', ']', '{', '}', '},', '],', ',', ':', '[1, 2]', '"', 'He said "hi" to all', 'C:\\dir'],
  ...['// no', '# no', 'https://a.example/?b=c', 'line\nbreak', '\\'],
]

const text = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 2 })
  .map((words) => words.join(' '))

const key = fc.constantFrom('id', 'name', 'at', 'note', 'b c', 'x:y', '“q”', 'é')

const number = fc.oneof(
  fc.integer({ min: 0, max: 9 }),
  fc.integer({ min: -200, max: 2_000 }),
  fc.integer({ min: -1_800, max: 1_800 }).map((tenths) => tenths / 10),
)

const scalar = fc.oneof(text, text, number, fc.constantFrom(true, false, null))

const coordinates = fc.array(fc.array(number, { minLength: 2, maxLength: 3 }), {
  minLength: 1,
  maxLength: 4,
})

/** An object whose members are of any kind, in each other. */
const { object } = fc.letrec<{ object: object; value: unknown }>((tie) => ({
  object: fc
    .uniqueArray(fc.tuple(key, tie('value')), { selector: ([name]) => name, maxLength: 4 })
    .map((members) => Object.fromEntries(members) as object),
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(text, { maxLength: 4 }),
    fc.array(number, { maxLength: 5 }),
    coordinates,
    fc.array(coordinates, { maxLength: 3 }),
    tie('object'),
    fc.array(tie('object'), { maxLength: 3 }),
  ),
}))

const records = fc.array(object, { minLength: 1, maxLength: 4 })

const file = fc.oneof(
  records,
  records,
  records.map((pages) => ({ pages })),
  records.map((all) => Object.fromEntries(all.map((record, index) => [`record-${index}`, record]))),
  object,
  fc.array(coordinates, { minLength: 1, maxLength: 4 }),
  fc.array(text, { minLength: 1, maxLength: 6 }),
  fc.array(number, { minLength: 1, maxLength: 6 }),
)

/** How a file is written. */
interface Style {
  /** What each level is indented by; without it, the file is one line. */
  indent?: string
  /** What is after a colon, and after a comma in a line. */
  space: string
  /** Which values are written on one line. */
  isInline: (value: unknown, level: number) => boolean
}

const hasScalars = (value: unknown) =>
  Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null)

const STYLES: Record<string, Style> = {
  minified: { space: '', isInline: () => true },
  'one line': { space: ' ', isInline: () => true },
  'two spaces': { indent: '  ', space: ' ', isInline: () => false },
  'four spaces': { indent: '    ', space: ' ', isInline: () => false },
  tabs: { indent: '\t', space: ' ', isInline: () => false },
  'lists of scalars in a line': { indent: '  ', space: ' ', isInline: hasScalars },
  'a record a line': { indent: '  ', space: ' ', isInline: (_, level) => level > 0 },
  'a record a line, without indentation': {
    indent: '',
    space: ' ',
    isInline: (_, level) => level > 0,
  },
}

/** Writes a value in a style. */
function write(value: unknown, style: Style, level = 0): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)

  const isList = Array.isArray(value)
  const [opening, closing] = isList ? '[]' : '{}'
  const items = isList
    ? value.map((item) => write(item, style, level + 1))
    : Object.entries(value).map(
        ([name, member]) =>
          `${JSON.stringify(name)}:${style.space}${write(member, style, level + 1)}`,
      )
  if (items.length === 0) return `${opening}${closing}`

  const { indent } = style
  if (indent === undefined || style.isInline(value, level))
    return `${opening}${items.join(`,${style.space}`)}${closing}`

  const inner = `\n${indent.repeat(level + 1)}`
  return `${opening}${inner}${items.join(`,${inner}`)}\n${indent.repeat(level)}${closing}`
}

/** Each style, and JSON Lines, with the line ends of Unix or Windows. */
const original = fc
  .record({
    value: file,
    style: fc.constantFrom(...Object.values(STYLES)),
    isWindows: fc.boolean(),
  })
  .map(({ value, style, isWindows }) => {
    const text = `${write(value, style)}\n`
    return { name: 'a.json', text: isWindows ? text.replaceAll('\n', '\r\n') : text }
  })

const originalLines = fc
  .tuple(records, fc.constantFrom('minified', 'one line'))
  .map(([values, name]) => {
    const style = STYLES[name] as Style
    return { name: 'a.jsonl', text: values.map((value) => `${write(value, style)}\n`).join('') }
  })

/** The units of a file that a damage may hit, such as the token `"name"` or the character `{`. */
const UNITS = {
  character: /[\s\S]/gu,
  sign: /[[\]{}:,"]/g,
  token: /"(?:[^"\\]|\\.)*"|[-+.\w]+|[[\]{}:,]/g,
  line: /[^\n]*\n/g,
}

/** What is inserted, or written instead of a unit. */
const STRAY = [
  ...[',', ',', ':', '"', '{', '}', '[', ']', '0', '5', '-', '.', ' ', '\n', '\\', 'x', 'é'],
  ...['“', '”', '’', '«', '»', '，', '：', '\u00a0', '\u200b', '\ufeff', '/', '#'],
  ...['"a"', '48.5', 'null', '{}', '[]', '},', '],', '\n},\n', '"a": 1'],
]

type Unit = { start: number; end: number }

/** Each way to damage a unit, given the one after it and a stray text: the range, and what is there instead. */
const DAMAGES = {
  delete: (unit: Unit) => ({ ...unit, text: '' }),
  insert: ({ start }: Unit, _: Unit, _text: string, stray: string) => ({
    start,
    end: start,
    text: stray,
  }),
  duplicate: ({ start, end }: Unit, _: Unit, text: string) => ({
    start: end,
    end,
    text: text.slice(start, end),
  }),
  replace: (unit: Unit, _: Unit, _text: string, stray: string) => ({ ...unit, text: stray }),
  swap: (unit: Unit, next: Unit, text: string) => {
    const [first, second] = [text.slice(unit.start, unit.end), text.slice(next.start, next.end)]
    const between = text.slice(unit.end, next.start)
    return { start: unit.start, end: next.end, text: second + between + first }
  },
}

/** A file with one random damage, which may leave it valid. */
export const damagedFile: fc.Arbitrary<DamagedFile> = fc
  .record({
    file: fc.oneof({ weight: 5, arbitrary: original }, { weight: 1, arbitrary: originalLines }),
    unit: fc.constantFrom('character', 'sign', 'sign', 'token', 'token', 'line'),
    kind: fc.constantFrom(...Object.values(DAMAGES)),
    position: fc.nat(),
    stray: fc.constantFrom(...STRAY),
  })
  .map(({ file: { name, text: original }, unit, kind, position, stray }) => {
    const units = Array.from(original.matchAll(UNITS[unit]), ({ index, 0: { length } }) => {
      return { start: index, end: index + length }
    })
    const index = position % units.length
    const end = { start: original.length, end: original.length }
    const damage = kind(units[index] ?? end, units[index + 1] ?? end, original, stray)
    const text = original.slice(0, damage.start) + damage.text + original.slice(damage.end)
    return { name, original, text, damage }
  })

/**
 * Returns the characters that fixes removed or changed although the damage left them alone.
 *
 * One of two commas may go if the damage made the other. And so may the comma of an item that the
 * damage removed: `[1, 2, ]` is what people leave behind, too.
 */
export function lostCharacters(file: DamagedFile, fixes: readonly MadeFix[]): string[] {
  const starts = startsOfLines(file.text)

  return fixes.flatMap(({ line, column, before, after }) => {
    // A byte-order mark is before the first column.
    const isMark = before === '\ufeff' && line === 1 && column === 1
    const start = isMark ? 0 : Number(starts[line - 1]) + column - 1
    const undamaged = Array.from(before, (_, index) => start + index).filter(
      (offset) => !isDamaged(file, offset) && !hasDamagedTwin(file, offset),
    )
    const kept = undamaged.filter((offset) => !isCommaOfRemovedItem(file, offset))
    const characters = kept.map((offset) => file.text.charAt(offset)).join('')
    return isContained(characters, after) ? [] : [characters]
  })
}

function isDamaged({ damage }: DamagedFile, offset: number): boolean {
  return offset >= damage.start && offset < damage.start + damage.text.length
}

/** Whether the damage has an equal character, in whichever alphabet, with nothing but white space between. */
function hasDamagedTwin(file: DamagedFile, offset: number): boolean {
  const characterAt = (at: number) => toAscii(file.text.charAt(at))
  const character = characterAt(offset)

  for (const step of [-1, 1]) {
    let other = offset + step
    while (/^\s$/.test(characterAt(other)) || characterAt(other) === character) {
      if (characterAt(other) === character && isDamaged(file, other)) return true
      other += step
    }
  }
  return false
}

/** Whether an item beside a comma was deleted, or replaced by nothing visible or by a comma. */
function isCommaOfRemovedItem({ text, damage }: DamagedFile, offset: number): boolean {
  const before = text.slice(0, damage.start).trimEnd()
  const after = text.slice(damage.start + damage.text.length)
  const next = text.length - after.trimStart().length
  const isRemoved =
    /^[\s\p{Cf},]*$/u.test(damage.text) && /[[{,]$/.test(before) && /^\s*[\]},]/.test(after)
  const isBeside = offset === before.length - 1 || offset === next
  return isRemoved && text[offset] === ',' && isBeside
}

/** Whether one text has all characters of another in their order. */
function isContained(characters: string, text: string): boolean {
  let at = 0
  for (const character of characters) {
    at = text.indexOf(character, at) + 1
    if (at === 0) return false
  }
  return true
}
