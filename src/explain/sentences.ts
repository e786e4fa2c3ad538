/**
 * All that a person reads about what is wrong in a batch: a sentence for each code, made of the
 * facts of its fault. To change a message, change it here. To add a fact, see `src/page/facts.ts`.
 */
import type { FactsOf, JsonToken, Saying } from '../page/facts.ts'
import type { Code, Edit } from '../page/fault.ts'
import { asObject, isObject } from '../text/as-object.ts'
import { remarkOn } from '../text/lookalikes.ts'
import { cut, formatNumber, nameOf, plural, show } from '../text/wording.ts'

/** Returns the sentence of a fault. */
export function sentenceOf(saying: Saying): string {
  const { because = [], madeKey, message = ownSentence(saying) } = saying
  const where = madeKey === undefined ? '' : ` (in the "${madeKey}" that "content.page" makes)`
  return `${message}${becauseOf(because)}${where}`
}

function ownSentence({ code, facts }: Saying): string {
  const sentences: Record<string, ((facts: never) => string) | undefined> = SENTENCES
  const sentence = sentences[code]
  if (!sentence) throw new Error(`there is no sentence for the code ${code}`)
  return sentence(facts as never)
}

/** Says what `--fix` does. */
export function sayFix(edits: readonly Edit[]): string {
  const isRemoval = edits.every(({ text }) => text === '')
  return isRemoval ? '(--fix removes it)' : '(--fix writes it)'
}

/** Every code needs a sentence, but for those that `explain` replaces by more exact ones. */
type Sentences = {
  [C in Exclude<Code, `${string}.refused` | 'file.syntax'>]: (facts: FactsOf[C]) => string
}

const SENTENCES: Sentences = {
  // The file
  'file.empty': () => 'the file is empty; at least [] or {} must be in it, in JSON Lines a record',
  'file.byte-order-mark': () => 'the file begins with a byte-order mark, which JSON does not have',
  'file.unreadable': ({ reason }) => `the file cannot be read: ${reason}`,
  'file.not-read': ({ kind, reason }) => `this ${kind} is not read (${reason})`,
  'file.utf-16': () => 'the file is in UTF-16 or UTF-32; save it as UTF-8',
  'file.not-utf-8': () =>
    'the file is not UTF-8 from here on; open it in its own encoding, perhaps Windows-1252, and save it as UTF-8',
  'file.other': ({ kind }) => `the file is not JSON, but ${kind}`,
  'file.no-list': () =>
    'the file is no list of records, and "content.records" does not say where they are',
  'file.record-twice': ({ number }) =>
    `"content.records" yields a record twice, as number ${number}`,
  'file.no-record': ({ number }) =>
    `number ${number} of "content.records" is no object of the file; yield the objects as they are (JSON Lines are a list), and let "page" make what is new`,

  // JSON
  'json.too-deep': () =>
    'lists and objects are in each other more than 1,000 levels deep, too deep to be checked',
  'json.comma-missing': () => 'a comma must come here, between this value and the next',
  'json.comma-trailing': () => 'nothing follows this comma, so JSON does not allow it',
  'json.comma-extra': () => 'nothing is between this comma and what is before it',
  'json.end': (expected) => `the file ends here, where ${mustCome(expected)}`,
  'json.after-end': ({ line, sign }) =>
    `nothing may come here: the value of the file ends at line ${line}${WHOLE_FILE[sign] ?? ''}`,
  'json.unexpected': ({ found, ...expected }) => {
    const hint = found === ':' ? '; a key stands in an object, from { to }' : ''
    return `${showFound(found)} is not allowed here; ${mustCome(expected)}${hint}`
  },
  'json.word': ({ word, near }) =>
    `${cut(word, 40)} is no JSON value${isNear(near).replaceAll('"', '')}; a text stands in double quotes`,
  'json.quote-extra': () => 'one quote is too many here',
  'json.quote-missing': ({ where }) => `a quote is missing ${where}`,
  'json.quote': ({ text, next }) =>
    `the text ${show(text)} ends here, and ${showFound(next)} comes after it; a quote that is part of a text is written \\"`,
  'json.colon-inside': () => 'this colon is within the quotes of the key; it must come after them',
  'json.line-break': ({ line }) =>
    `this text goes on after the end of its line, to the quote at line ${line}: JSON allows no line break in a text`,
  'json.string-end': () => 'this text has no closing quote',
  'json.control-character': ({ escape: written }) =>
    `this control character must be written ${written} in a text`,
  'json.escape': ({ escape: written }) =>
    `${written} is no escape of JSON; a backslash is written \\\\, a quote \\", another character as itself or as \\u and four digits`,
  'json.comment': () => 'JSON has no comments',
  'json.fence': () => '``` is no JSON: this line belongs to Markdown',
  'json.conflict': ({ lines }) =>
    `a merge conflict is left in this file: its marks are at line${lines.length > 1 ? 's' : ''} ${listWords(lines, { last: ', ' })}`,
  'json.invisible': ({ character, others }) =>
    `this character is invisible (${nameOf(character)}${andMore(others, ' in the file')}), and JSON does not allow it here`,
  'json.lookalike': ({ character, meant, others }) =>
    `${character} (${nameOf(character)}${andMore(others, ' in the file')}) is not allowed here; in JSON it is ${meant}`,
  'json.line': () =>
    'this line is not one record; in JSON Lines each line is one, from its { to its }, and nothing is between two',

  // What a value loses
  'loss.repeated-key': ({ key, line }) =>
    `the key ${show(key)} is at line ${formatNumber(line)} of this object, too; join the two`,
  'loss.number': ({ becomes }) =>
    `would become ${becomes}; a text in double quotes keeps it, if the schema allows one`,
  'loss.lone-surrogate': () =>
    'must be well-formed Unicode, but has half of a character (a lone surrogate)',
  'loss.character': ({ others }) =>
    `has U+FFFD${andMore(others)}, which stands for a character that a program could not read`,

  // The schema
  'schema.unknown-key': ({ key, known, near }) => {
    const rest = near.length > 0 ? isNear(near) : knownHere(known)
    return `unknown key ${show(key)}${remarkOn(key)}${rest}`
  },
  'schema.misspelled-key': ({ key, missing }) =>
    `unknown key ${show(key)}${remarkOn(key)}, and ${show(missing)} is missing: is it that?`,
  'schema.misplaced-key': ({ key, place, known }) => {
    const object = place === '' ? 'the outermost object' : place
    const here = known.length === 0 ? '' : `, and known here: ${listWords(known, { last: ', ' })}`
    return `unknown key ${show(key)}; it is known in ${object}${here}`
  },
  'schema.excluded-key': ({ key }) =>
    `the key ${show(key)} is not allowed beside what else is in this object`,
  'schema.missing-key': ({ keys }) => `must have ${nameKeys(keys)}`,
  'schema.one-key': ({ choices }) => {
    const different = new Set(choices.map(nameKeys))
    return `must have ${[...different].join(' or ')}`
  },
  'schema.too-many-keys': ({ keys }) => `must have only one of the keys ${listWords(keys)}`,
  'schema.type': ({ kinds, value, near }) =>
    `must be ${listWords(kinds, { last: ' or ', between: ' or ', write: String })}${butIs(value)}${isNear(near)}`,
  'schema.enum': ({ allowed, value, near }) => {
    const choice = allowed.length > 1 ? 'one of ' : ''
    return `must be ${choice}${listWords(allowed, { last: ', ' })}${butIs(value)}${isNear(near)}`
  },
  'schema.pattern': mustMatch,
  'schema.format': mustMatch,
  'schema.any-of': ({ count, value, near }) =>
    `must match one of the ${count} kinds that the schema allows${butIs(value)}${isNear(near)}`,
  'schema.one-of': ({ count, passing }) =>
    `must match exactly one of the ${count} kinds that the schema allows, but matches ${passing}`,
  'schema.not-allowed': () => `is not allowed here`,
  'schema.unique-items': ({ earlier, value }) =>
    `must differ from item ${earlier} (the first is item 0), but is ${show(value)} too`,
  'schema.limit': ({ keyword, limit, value }) => `${mustKeepLimit(keyword, limit, value)}`,
  'schema.keyword': ({ message, value }) => `${message}${butIs(value)}`,
  'schema.key-name': ({ fault }) => `the name of this key ${sentenceOf(fault)}`,
  'schema.endless': () =>
    'nothing in this file was checked: it has a text of more than 8 million characters, or the schema refers to itself without an end',

  // A schema itself
  'schema-file.unknown-document': ({ reference, file }) => {
    const place =
      file === undefined
        ? ' beside this one, and name it here'
        : ` as ${show(file)} beside this file`
    return `${show(reference)} is in another file that can't be read. References are read from the disk, never from the network: save it${place}`
  },
  'schema-file.nothing-there': ({ reference }) =>
    `${show(reference)} leads to nothing: there is no such place in that schema`,
  'schema-file.endless': () =>
    'this reference leads back to itself, so no value can ever be checked against it',
  'schema-file.pattern': ({ reason }) =>
    `must be a regular expression of JavaScript (with the flag u), but it has a mistake: ${reason}`,
  'schema-file.mark': ({ keyword, kinds }) =>
    `${show(keyword)} is for ${kinds} only; write their "type" beside it`,
  'schema-file.unknown-draft': ({ address }) =>
    `must be the address of a draft of JSON Schema, such as "https://json-schema.org/draft/2020-12/schema" or "http://json-schema.org/draft-07/schema#" (2019-09, draft-06 and draft-04 are read, too)${butIs(address)}`,
  'schema-file.empty-enum': () => 'must list at least one value: an empty list allows none',
  'schema-file.no-check': () =>
    'this schema checks nothing: it accepts every value. Say what a file must be, such as "type": "array"',
  'schema-file.not-compiled': ({ message }) => `this schema can't be compiled: ${message}`,
  'schema-file.unknown-keyword': ({ keyword, draft, near }) => {
    if (draft === undefined)
      return `${show(keyword)} is not a keyword of JSON Schema, so it checks nothing${isNear(near)}`
    const name = draft.startsWith('0') ? `draft-${draft}` : draft
    return `${show(keyword)} is not a keyword of ${name}, so it checks nothing; if you mean it, name another draft in "$schema"`
  },
  'schema-file.unknown-format': ({ format, near }) =>
    `the format ${show(format)} is unknown, so it is not checked${isNear(near)}`,
  'schema-file.beside-ref': ({ keyword }) =>
    `${show(keyword)} beside "$ref" is ignored in this draft of JSON Schema; if you mean it, put both into "allOf"`,
  'schema-file.nullable': () => '"nullable" has no effect without a "type" beside it',

  // The HTML of a body
  'html.text': ({ tag }) => `must have &lt; for a < that is text, as in ${show(tag)}`,
  'html.element': ({ element, allowed, mayBeText }) => {
    const tags = allowed.map((name) => `<${name}>`).join(' ')
    const hint = mayBeText ? '; a < that is text is written &lt;' : ''
    return `${cut(element, 40)} is not allowed here; "content.elements" allows ${tags}${hint}`
  },
  'html.tag-or-text': ({ written, tag }) =>
    `must be written ${written}, or with &lt; for its < if it is text, but is ${show(tag)}`,
  'html.tag': ({ written, tag }) => `must be written ${written}, but is ${show(tag)}`,
  'html.rows': ({ tag }) =>
    `browsers read ${show(tag)} differently: rows stand in <tbody> or <thead>`,
  'html.order': ({ tag }) =>
    `browsers read ${show(tag)} differently: an element is not closed in order, may not be inside another, or has an attribute twice`,
  'html.reference': ({ meant, text }) =>
    `must be written ${meant}, or with &amp; for its & if it is text, but is ${show(text)}`,
  'html.ampersand': ({ found, others }) =>
    `must have &amp; for this &${andMore(others)}, as in ${show(found)}`,

  // What content.ts makes
  'content.fails': ({ name, reason }) => `"content.${name}" fails here: ${reason}`,
  'content.promise': ({ name }) =>
    `"content.${name}" returns a Promise, but the build does not wait for it; remove "async", and call nothing that must be awaited`,
  'content.no-list': ({ name, returned }) =>
    `"content.${name}" must return a list, if only an empty one, but returns ${show(returned)}`,
  'content.no-fault': ({ name, item }) =>
    `"content.${name}" must return a list of { pointer, message }, but ${show(item)} is in it`,
  'content.odd-fault': ({ name, key, mustBe, value, message }) => {
    const its = typeof message === 'string' ? `; its message: ${message}` : ''
    return `"content.${name}" returns a fault whose "${key}" must be ${mustBe}, but is ${show(value)}${its}`
  },
  'page.no-object': ({ returned }) =>
    `"content.page" must return a plain object, but returns ${show(returned)}`,
  'page.not-json': ({ what, place }) =>
    `"content.page" makes a page with ${what} at ${place}, which JSON cannot hold; allowed are texts, finite numbers, true, false, null, and lists and plain objects of these`,
  'page.half-character': ({ place }) =>
    `"content.page" makes a page with half of a character (a lone surrogate) at ${place}; cut a text between characters, for example between those of Array.from(text)`,
  'record.not-json': ({ reason }) =>
    `content.ts has changed this record, so that it cannot be written: ${reason}; let "page" make what is new`,
  'page.no-text': ({ key, value }) => {
    const must = key === 'contentHtml' ? 'a text' : 'a text and not empty'
    const makes = value === undefined ? 'none' : show(value)
    return `"content.page" must make a "${key}" that is ${must}, but makes ${makes}`
  },
  'page.no-identity': ({ value }) =>
    `"content.identity" must be a text or a finite number, but is ${show(value)}`,
  'page.no-path': () => 'must have a path that is a string: pages are identified by their paths',

  // Between records
  'path.two-records': ({ identity, otherIdentity, place }) =>
    `is claimed by two different records: this one is ${show(identity)}, and ${place} is ${show(otherIdentity)}; give each a path of its own`,
  'path.conflict': ({ fields, place }) =>
    `${place} has the same path, but differs in ${fields.join(', ')}, which --strict refuses; give one of them another path, or remove one`,
  'path.repeated': ({ fields, other, line }) =>
    `Record ${other}${atLine(line)} of this batch has the same path, and other values of ${listWords(fields)}. If one is a copy, change its id, or remove it.`,
  'path.two-keys': ({ key, otherKey, other, line }) =>
    `The key ${show(key)} gives the same path as the key ${show(otherKey)} of record ${other}${atLine(line)}. Give each a path of its own in content.ts.`,
  'path.one-file': ({ otherPath, place }) =>
    `On some disks, this page would be the same file as ${show(otherPath)} (${place}). Change one of the two paths by more than the case of letters.`,
  'schema.unique': ({ value, place }) =>
    `must be in one record only, but ${show(value)} is also in ${place}`,
  'link.nowhere': ({ written, near }) => {
    const hint = near === undefined ? '' : `; ${show(near)} is near`
    return `must lead to a page, but no page is at ${show(written)}${hint}`
  },
  'link.unchecked': ({ paths }) =>
    `links to ${plural(paths, 'path')} are not checked: the pages may be among the records with problems`,

  'reference.nowhere': ({ value, near }) => {
    const hint = near === undefined ? '' : ` Nearest: ${show(near)}.`
    return `${show(value)} names a record, but no record has this identity.${hint}`
  },
  'reference.unchecked': ({ identities }) =>
    `references to ${plural(identities, 'record')} are not checked: these may be among the records with problems`,

  'dataset.emptied': ({ folder }) =>
    `no page is left: no batch has one, but the last dataset has some; if that is meant, remove the folder ${folder}`,

  // What the site needs of a page
  'site.path': ({ path }) =>
    `The site can't show a page at ${show(path)}. A path has parts such as "/guides/first-steps", each of at most 247 bytes, without \\ ? # % [ ] | ^ " < > \` { } and without a space at its ends.`,
  'site.device': ({ path }) =>
    `The site can't have a file for ${show(path)}: on Windows, a part of it is the name of a device. Change the path.`,
  'site.taken': ({ path }) => `The site itself uses the address ${show(path)}. Change the path.`,
  'site.title': ({ value }) =>
    `The site needs a title that is a text, but here it is ${show(value)}.`,
  'site.body': ({ value }) =>
    `The site needs a "contentHtml" that is a text, but here it is ${show(value)}.`,
  'site.language': ({ value }) =>
    `The site needs a language tag such as "en" or "pt-BR", but here it is ${show(value)}.`,
  'site.instant': ({ value }) =>
    `The site needs a date and time such as 2025-08-28T10:15:00Z, but here it is ${show(value)}.`,
  'site.hiding-field': ({ name }) =>
    `A field can't have the name ${show(name)}: browsers would take it for a part of its form. Change the name.`,
  'site.fact-link': ({ name, href }) =>
    `The fact ${show(name)} of content.ts leads to ${show(href)}. A link begins with https://, http://, mailto:, # or a single /.`,
}

function atLine(line: number | undefined): string {
  return line === undefined ? '' : ` (line ${formatNumber(line)})`
}

/** How many keys, values or lines a sentence names. */
const MOST_NAMED = 20

interface ListStyle {
  last?: string
  between?: string
  write?: (word: unknown) => string
}

/** For example "a", "b" and "c"; of many, the first, and how many more there are. */
function listWords(words: readonly unknown[], style: ListStyle = {}): string {
  const { last = ' and ', between = ', ', write = spell } = style
  const named = words.slice(0, MOST_NAMED).map(write)

  const unnamed = words.length - named.length
  if (unnamed > 0) return `${named.join(between)} and ${formatNumber(unnamed)} more`

  if (named.length < 2) return named.join('')
  return `${named.slice(0, -1).join(between)}${last}${named.at(-1)}`
}

/** Writes a value. An object or a list that is allowed has to be shown whole. */
export function spell(value: unknown): string {
  return isObject(value) ? JSON.stringify(value) : show(value)
}

/** Names a type of JSON Schema. */
export function nameType(type: string): string {
  if (type === 'null') return 'null'
  if (type === 'boolean') return 'true or false'

  const beginsWithVowel = /^[aeiou]/.test(type)
  return beginsWithVowel ? `an ${type}` : `a ${type}`
}

function butIs(value: unknown): string {
  const remark = typeof value === 'string' ? remarkOn(value) : ''
  return `, but is ${show(value)}${remark}`
}

function nameKeys(keys: readonly string[]): string {
  const word = keys.length > 1 ? 'keys' : 'key'
  return `the ${word} ${listWords(keys)}`
}

/** Names the keys of an object that make the schema demand something of it. */
function becauseOf(keys: readonly string[]): string {
  return keys.length === 0 ? '' : `, because of ${nameKeys(keys)}`
}

/** Names what would be accepted. */
function isNear(near: readonly unknown[]): string {
  if (near.length === 0) return ''
  const verb = near.length === 1 ? 'is' : 'are'
  return `; ${listWords(near)} ${verb} near`
}

function knownHere(known: readonly string[]): string {
  return known.length === 0 ? '' : `; known here: ${listWords(known, { last: ', ' })}`
}

/** Says what must come at a place of a JSON text, and which bracket is open there. */
function mustCome({ due, bracket, line }: FactsOf['json.end']): string {
  const must = `${due.map(nameToken).join(' or ')} must come`
  if (bracket === undefined) return must

  const outer = bracket === '{' ? 'object' : 'array'
  return `${must} (the ${outer} opens at line ${line})`
}

function nameToken(token: JsonToken): string {
  if (token === 'key') return 'a key in double quotes'
  if (token === ',' || token === ':') return `a "${token}"`
  return `a ${token}`
}

/** What a file may be, or may lack, that goes on with such a sign after its value. */
const WHOLE_FILE: Record<string, string> = {
  '{': '; a file with one record a line is JSON Lines, and its name ends in .jsonl',
  ',': '; an array begins with [',
  ':': '; an object begins with {',
}

/** Shows what was found in a JSON text: a word as it is, a sign in quotes. */
function showFound(found: string): string {
  const isWord = /[\w\p{L}]/u.test(found)
  if (isWord) return cut(found, 40)
  return found === '"' ? `'"'` : JSON.stringify(cut(found, 40))
}

/** For example ", and 21 more in the file". */
function andMore(others: number, where = ''): string {
  return others === 0 ? '' : `, and ${formatNumber(others)} more${where}`
}

function mustMatch({ demands, value, near }: FactsOf['schema.pattern']): string {
  const orNone = value === '' ? '; without a value, leave it out if it may be missing' : ''
  return `${demands.join(', or ')}${butIs(value)}${isNear(near)}${orNone}`
}

/** Formats that a person may write. */
const FORMAT_EXAMPLES: Record<string, string> = {
  date: ', a day of the calendar such as "2026-07-11"',
  time: ', a time of the day such as "18:30:00Z"',
  'date-time': ', a day and a time such as "2026-07-11T18:30:00Z"',
}

/** What a format demands. */
export function mustHaveFormat(format: string): string {
  return `must have the format "${format}"${FORMAT_EXAMPLES[format] ?? ''}`
}

/** The limits of JSON Schema, of numbers and of counts. */
const BOUNDS: Record<string, string> = {
  min: 'at least',
  max: 'at most',
  minimum: 'at least',
  maximum: 'at most',
  exclusiveMinimum: 'more than',
  exclusiveMaximum: 'less than',
  items: 'at most',
}

/** The end of a keyword that counts, as in `minLength`. */
const COUNTED = /(?:Length|Items|Properties)$/

function mustKeepLimit(keyword: string, limit: number, value: unknown): string {
  const bound = BOUNDS[keyword.replace(COUNTED, '')]
  if (typeof value === 'number') return `must be ${bound} ${limit}, but is ${value}`

  const { count, unit } = countIn(value)
  return `must have ${bound} ${plural(limit, unit)}, but has ${formatNumber(count)}`
}

function countIn(value: unknown): { count: number; unit: string } {
  if (typeof value === 'string') return { count: Array.from(value).length, unit: 'character' }
  if (Array.isArray(value)) return { count: value.length, unit: 'item' }
  return { count: Object.keys(asObject(value)).length, unit: 'key' }
}
