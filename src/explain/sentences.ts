/** All that a person reads about what is wrong in a batch: a sentence for each code, made of facts. */
import type { Edit, Pointer, Range, Violation } from '../page/fault.ts'
import { asObject, isObject } from '../text/as-object.ts'
import { remarkOn } from '../text/lookalikes.ts'
import { cut, formatNumber, nameOf, plural, show } from '../text/wording.ts'

/** Formats that a person may write. */
const EXAMPLES: Record<string, string> = {
  date: ', a day of the calendar such as "2026-07-11"',
  time: ', a time of the day such as "18:30:00Z"',
  'date-time': ', a day and a time such as "2026-07-11T18:30:00Z"',
}

/** How many keys, values or lines a sentence names. */
const MOST_NAMED = 20

/** For example "a", "b" and "c"; of many, the first, and how many more there are. */
function listOf(
  words: readonly unknown[],
  last = ' and ',
  between = ', ',
  write: (word: unknown) => string = spell,
): string {
  const shown = words.slice(0, MOST_NAMED).map(write)
  const others = words.length - shown.length
  if (others > 0) return `${shown.join(between)} and ${formatNumber(others)} more`
  return [shown.slice(0, -1).join(between), ...shown.slice(-1)].filter(Boolean).join(last)
}

/** An object or a list that is allowed has to be shown whole. */
export function spell(value: unknown): string {
  return isObject(value) ? JSON.stringify(value) : show(value)
}

/** Names a type of JSON Schema. */
export function nameType(type: string): string {
  if (type === 'null') return 'null'
  if (type === 'boolean') return 'true or false'
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}

function butIs(value: unknown): string {
  return `, but is ${show(value)}${typeof value === 'string' ? remarkOn(value) : ''}`
}

function keysOf(keys: readonly string[]): string {
  return `the key${keys.length > 1 ? 's' : ''} ${listOf(keys)}`
}

/** Names the keys of an object that make the schema demand something of it. */
export function sayDeciding(keys: readonly string[]): string {
  return keys.length === 0 ? '' : `, because of ${keysOf(keys)}`
}

/** Names what would be accepted. */
function isNear(near: readonly unknown[]): string {
  if (near.length === 0) return ''
  return `; ${listOf(near)} ${near.length === 1 ? 'is' : 'are'} near`
}

/** What a token of JSON is: a sign, a key, or a value without one. */
export type Kind = '{' | '}' | '[' | ']' | ':' | ',' | 'key' | 'value'

/** What must come at a place of a JSON text, and the bracket that is open there, with its line. */
function mustCome(due: readonly Kind[], bracket: Kind | undefined, line: number): string {
  const names = due.map((each) => {
    if (each === 'key') return 'a key in double quotes'
    return each === ',' || each === ':' ? `a "${each}"` : `a ${each}`
  })
  const must = `${names.join(' or ')} must come`
  if (bracket === undefined) return must
  return `${must} (the ${bracket === '{' ? 'object' : 'array'} opens at line ${line})`
}

function character(found: string): string {
  if (/[\w\p{L}]/u.test(found)) return cut(found, 40)
  return found === '"' ? `'"'` : JSON.stringify(cut(found, 40))
}

/** For example ", and 21 more in the file". */
function more(others: number, where = ''): string {
  return others === 0 ? '' : `, and ${formatNumber(others)} more${where}`
}

function mustMatch(musts: readonly string[], value: unknown, near: readonly unknown[]): string {
  const orNone = value === '' ? '; without a value, leave it out if it may be missing' : ''
  return `${musts.join(', or ')}${butIs(value)}${isNear(near)}${orNone}`
}

/** The limits of JSON Schema, of numbers and of counts. */
const BOUNDS: Record<string, string> = {
  ...{ min: 'at least', max: 'at most', minimum: 'at least', maximum: 'at most' },
  ...{ exclusiveMinimum: 'more than', exclusiveMaximum: 'less than', items: 'at most' },
}

/** What a file may be, or may lack, that goes on with such a sign after its value. */
const WHOLE: Record<string, string> = {
  '{': '; a file with one record a line is JSON Lines, and its name ends in .jsonl',
  ',': '; an array begins with [',
  ':': '; an object begins with {',
}

const SENTENCES = {
  // The file
  'file.empty': () => 'the file is empty; at least [] or {} must be in it, in JSON Lines a record',
  'file.byte-order-mark': () => 'the file begins with a byte-order mark, which JSON does not have',
  'file.unreadable': (why: string) => `the file cannot be read: ${why}`,
  'file.not-read': (what: string, why: string) => `this ${what} is not read (${why})`,
  'file.utf-16': () => 'the file is in UTF-16 or UTF-32; save it as UTF-8',
  'file.not-utf-8': () =>
    'the file is not UTF-8 from here on; open it in its own encoding, perhaps Windows-1252, and save it as UTF-8',
  'file.other': (what: string) => `the file is not JSON, but ${what}`,

  // JSON
  'json.too-deep': () =>
    'lists and objects are in each other more than 1,000 levels deep, too deep to be checked',
  'json.comma-missing': () => 'a comma must come here, between this value and the next',
  'json.comma-trailing': () => 'nothing follows this comma, so JSON does not allow it',
  'json.comma-extra': () => 'nothing is between this comma and what is before it',
  'json.end': (...due: Parameters<typeof mustCome>) =>
    `the file ends here, where ${mustCome(...due)}`,
  'json.after-end': (line: number, sign: string) =>
    `nothing may come here: the value of the file ends at line ${line}${WHOLE[sign] ?? ''}`,
  'json.unexpected': (found: string, ...due: Parameters<typeof mustCome>) =>
    `${character(found)} is not allowed here; ${mustCome(...due)}${found === ':' ? '; a key stands in an object, from { to }' : ''}`,
  'json.word': (word: string, near: readonly string[]) =>
    `${cut(word, 40)} is no JSON value${isNear(near).replaceAll('"', '')}; a text stands in double quotes`,
  'json.quote-extra': () => 'one quote is too many here',
  'json.quote-missing': (what: string) => `a quote is missing ${what}`,
  'json.quote': (text: string, next: string) =>
    `the text ${show(text)} ends here, and ${character(next)} comes after it; a quote that is part of a text is written \\"`,
  'json.colon-inside': () => 'this colon is within the quotes of the key; it must come after them',
  'json.line-break': (line: number) =>
    `this text goes on after the end of its line, to the quote at line ${line}: JSON allows no line break in a text`,
  'json.string-end': () => 'this text has no closing quote',
  'json.control-character': (written: string) =>
    `this control character must be written ${written} in a text`,
  'json.escape': (found: string) =>
    `${found} is no escape of JSON; a backslash is written \\\\, a quote \\", another character as itself or as \\u and four digits`,
  'json.comment': () => 'JSON has no comments',
  'json.fence': () => '``` is no JSON: this line belongs to Markdown',
  'json.conflict': (at: readonly number[]) =>
    `a merge conflict is left in this file: its marks are at line${at.length > 1 ? 's' : ''} ${listOf(at, ', ')}`,
  'json.invisible': (found: string, others: number) =>
    `this character is invisible (${nameOf(found)}${more(others, ' in the file')}), and JSON does not allow it here`,
  'json.lookalike': (found: string, meant: string, others: number) =>
    `${found} (${nameOf(found)}${more(others, ' in the file')}) is not allowed here; in JSON it is ${meant}`,
  'json.line': () =>
    'this line is not one record; in JSON Lines each line is one, from its { to its }, and nothing is between two',

  // What a value loses
  'loss.repeated-key': (key: string, line: number) =>
    `the key ${show(key)} is at line ${formatNumber(line)} of this object, too; join the two`,
  'loss.number': (kept: number) =>
    `would become ${kept}; a text in double quotes keeps it, if the schema allows one`,
  'loss.lone-surrogate': () =>
    'must be well-formed Unicode, but has half of a character (a lone surrogate)',
  'loss.character': (others: number) =>
    `has U+FFFD${more(others)}, which stands for a character that a program could not read`,

  // The schema
  'schema.unknown-key': (key: string, known: readonly string[], near: readonly unknown[]) =>
    `unknown key ${show(key)}${remarkOn(key)}${isNear(near) || (known.length === 0 ? '' : `; known here: ${listOf(known, ', ')}`)}`,
  'schema.misspelled-key': (key: string, missing: string) =>
    `unknown key ${show(key)}${remarkOn(key)}, and ${show(missing)} is missing: is it that?`,
  'schema.misplaced-key': (key: string, place: string, known: readonly string[]) =>
    `unknown key ${show(key)}; it is known in ${place === '' ? 'the outermost object' : place}${known.length === 0 ? '' : `, and known here: ${listOf(known, ', ')}`}`,
  'schema.excluded-key': (key: string) =>
    `the key ${show(key)} is not allowed beside what else is in this object`,
  'schema.missing-key': (missing: readonly string[], because: string) =>
    `must have ${keysOf(missing)}${because}`,
  'schema.one-key': (all: readonly (readonly string[])[]) =>
    `must have ${[...new Set(all.map(keysOf))].join(' or ')}`,
  'schema.too-many-keys': (keys: readonly string[]) =>
    `must have only one of the keys ${listOf(keys)}`,
  'schema.type': (kinds: readonly string[], value: unknown, near: readonly unknown[]) =>
    `must be ${listOf(kinds, ' or ', ' or ', String)}${butIs(value)}${isNear(near)}`,
  'schema.enum': (allowed: readonly unknown[], value: unknown, near: readonly unknown[]) =>
    `must be ${allowed.length > 1 ? 'one of ' : ''}${listOf(allowed, ', ')}${butIs(value)}${isNear(near)}`,
  'schema.pattern': mustMatch,
  'schema.format': mustMatch,
  'schema.any-of': (count: number, value: unknown, near: readonly unknown[]) =>
    `must match one of the ${count} kinds that the schema allows${butIs(value)}${isNear(near)}`,
  'schema.one-of': (count: number, passing: number) =>
    `must match exactly one of the ${count} kinds that the schema allows, but matches ${passing}`,
  'schema.not-allowed': () => 'is not allowed here',
  'schema.unique-items': (earlier: number, value: unknown) =>
    `must differ from item ${earlier} (the first is item 0), but is ${show(value)} too`,
  'schema.limit': (keyword: string, limit: number, value: unknown) => {
    const bound = BOUNDS[keyword.replace(/(?:Length|Items|Properties)$/, '')]
    if (typeof value === 'number') return `must be ${bound} ${limit}, but is ${value}`
    const of = typeof value === 'string' ? 'character' : Array.isArray(value) ? 'item' : 'key'
    const count = (of === 'character' ? Array.from(String(value)) : Object.keys(asObject(value)))
      .length
    return `must have ${bound} ${plural(limit, of)}, but has ${formatNumber(count)}`
  },
  'schema.keyword': (message: string, value: unknown) => `${message}${butIs(value)}`,
  'schema.key-name': (fault: string) => `the name of this key ${fault}`,
  'schema.endless': () =>
    'nothing in this file was checked: it has a text of more than 8 million characters, or the schema refers to itself without an end',

  // The HTML of a body
  'html.text': (tag: string) => `must have &lt; for a < that is text, as in ${show(tag)}`,
  'html.tag-or-text': (written: string, tag: string) =>
    `must be written ${written}, or with &lt; for its < if it is text, but is ${show(tag)}`,
  'html.element': (element: string, allowed: readonly string[], mayBeText: boolean) =>
    `${cut(element, 40)} is not allowed here; allowed are ${allowed.map((it) => `<${it}>`).join(' ')}${mayBeText ? '; a < that is text is written &lt;' : ''}`,
  'html.tag': (written: string, tag: string) => `must be written ${written}, but is ${show(tag)}`,
  'html.rows': (tag: string) =>
    `browsers read ${show(tag)} differently: rows stand in <tbody> or <thead>`,
  'html.order': (tag: string) =>
    `browsers read ${show(tag)} differently: an element is not closed in order, may not be inside another, or has an attribute twice`,
  'html.ampersand': (found: string, others: number) =>
    `must have &amp; for this &${more(others)}, as in ${show(found)}`,

  // What content.ts says of the file and its records
  'file.no-list': () =>
    'the file is no list of records, and "records" of content.ts does not say where they are',
  'content.fails': (name: string, why: string) => `"${name}" of content.ts fails here: ${why}`,
  'content.promise': (name: string) =>
    `"${name}" of content.ts returns a Promise, but the build does not wait for it; remove "async", and call nothing that must be awaited`,
  'content.no-list': (name: string, returned: unknown) =>
    `"${name}" of content.ts must return a list, if only an empty one, but returns ${show(returned)}`,
  'content.no-fault': (name: string, item: unknown) =>
    `"${name}" of content.ts must return a list of { pointer, message }, but ${show(item)} is in it`,
  'content.odd-fault': (
    name: string,
    key: string,
    mustBe: string,
    value: unknown,
    message: unknown,
  ) =>
    `"${name}" of content.ts returns a fault whose "${key}" must be ${mustBe}, but is ${show(value)}${typeof message === 'string' ? `; its message: ${message}` : ''}`,
  'file.record-twice': (number: number) =>
    `"records" of content.ts yields a record twice, as number ${number}`,
  'file.no-record': (number: number) =>
    `number ${number} of "records" of content.ts is no object of the file; yield the objects as they are (JSON Lines are a list), and let "page" make what is new`,
  'page.no-object': (returned: unknown) =>
    `"page" of content.ts must return a plain object, but returns ${show(returned)}`,
  'page.not-json': (what: string, place: string) =>
    `"page" of content.ts makes a page with ${what} at ${place}, which JSON cannot hold; allowed are texts, finite numbers, true, false, null, and lists and plain objects of these`,
  'page.half-character': (place: string) =>
    `"page" of content.ts makes a page with half of a character (a lone surrogate) at ${place}; cut a text between characters, for example between those of Array.from(text)`,
  'record.not-json': (why: string) =>
    `content.ts has changed this record, so that it cannot be written: ${why}; let "page" make what is new`,
  'page.no-text': (key: string, made: unknown) =>
    `"page" of content.ts must make a "${key}" that is a text${key === 'contentHtml' ? '' : ' and not empty'}, but makes ${made === undefined ? 'none' : show(made)}`,
  'page.made': (fault: string, key: string) =>
    `${fault} (in the "${key}" that "page" of content.ts makes)`,
  'page.no-identity': (made: unknown) =>
    `"identity" of content.ts must be a text or a finite number, but is ${show(made)}`,

  'dataset.emptied': (folder: string) =>
    `no page is left: no batch has one, but the last dataset has some; if that is meant, remove the folder ${folder}`,

  // Pages
  'page.no-path': () => 'must have a path that is a string: pages are identified by their paths',
  'path.two-records': (own: unknown, other: unknown, place: string) =>
    `is claimed by two different records: this one is ${show(own)}, and ${place} is ${show(other)}; give each a path of its own`,
  'path.conflict': (fields: readonly string[], place: string) =>
    `${place} has the same path, but differs in ${fields.join(', ')}, which --strict refuses; give one of them another path, or remove one`,
  'schema.unique': (value: unknown, place: string) =>
    `must be in one record only, but ${show(value)} is also in ${place}`,
  'link.nowhere': (written: string, meant: string | undefined) =>
    `must lead to a page, but no page is at ${show(written)}${meant === undefined ? '' : `; ${show(meant)} is near`}`,
  'link.unchecked': (paths: number) =>
    `links to ${plural(paths, 'path')} are not checked: the pages may be among the records with problems`,
} as const satisfies Record<string, (...facts: never[]) => string>

type Code = keyof typeof SENTENCES

type Facts<C extends Code> = Parameters<(typeof SENTENCES)[C]>

/** The fault of a value, in the words of its code. */
export function fault<C extends Code>(code: C, pointer: Pointer, ...facts: Facts<C>): Violation {
  const sentence: (...facts: never[]) => string = SENTENCES[code]
  return { code, pointer, at: 'value', message: sentence(...(facts as never[])) }
}

/** The fault of a part of a text. */
export function faultAt<C extends Code>(code: C, range: Range, ...facts: Facts<C>): Violation {
  return { ...fault(code, [], ...facts), range }
}

/** What a format demands. */
export function mustHaveFormat(format: string): string {
  return `must have the format "${format}"${EXAMPLES[format] ?? ''}`
}

/** What `--fix` does. */
export function sayFix(fix: readonly Edit[]): string {
  return fix.every(({ text }) => text === '') ? '(--fix removes it)' : '(--fix writes it)'
}
