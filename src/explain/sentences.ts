/**
 * All sentences about what is wrong in a batch: one for each code, with the facts of its fault. To
 * change a message, change it here. To add a fact, see `src/fault/facts.ts`.
 */
import { PAGES } from '../collections/of-config.ts'
import type {
  Code,
  Demand,
  FactsOf,
  FieldKey,
  JsonToken,
  Kind,
  Neighbour,
  OldKind,
  OtherKind,
  OtherRecord,
  PartOfFault,
  Reason,
  Saying,
  SayingOf,
} from '../fault/facts.ts'
import { FIELD_TYPES, HONEYPOT } from '../page/form-fields.ts'
import { asObject, isObject } from '../text/as-object.ts'
import { remarkOn } from '../text/lookalikes.ts'
import type { Edit } from '../text/range.ts'
import { codePointOf, cut, formatNumber, plural, show, showAmong } from '../text/wording.ts'
import { PAGE_WORDS, type ReaderWords } from './words.ts'

/** Returns the sentences of a fault. */
export function sentenceOf(saying: Saying, words: ReaderWords = PAGE_WORDS): string {
  const message = 'message' in saying ? saying.message : sentenceOfCode(saying, words)
  const { madeKey } = saying
  if (madeKey === undefined) return message
  return withRemark(message, `in the "${madeKey}" that "content.page" makes`)
}

function sentenceOfCode<C extends Code>(
  { code, facts, because = [] }: SayingOf<C>,
  words: ReaderWords,
): string {
  const condition = conditionOf(because)
  const text = SENTENCES[code](facts, condition, words)
  const isComplete = condition === '' || CONDITIONAL.includes(code)
  return isComplete ? text : `${text} This is required${condition}.`
}

/** Adds a remark about --fix to a message. */
export function withFix(
  message: string,
  edits: readonly Edit[],
  { fix }: ReaderWords = PAGE_WORDS,
): string {
  return withRemark(message, `${fix} ${deedOf(edits)}`)
}

function deedOf(edits: readonly Edit[]): string {
  if (edits.every(({ text }) => text === '')) return 'removes it'
  if (edits.every(({ text }) => SPACES.test(text))) return 'writes a space'
  return 'writes it'
}

/** Spaces and tabs, or nothing. */
const SPACES = /^[ \t]*$/

/** Adds a remark in brackets to the last sentence of a message. */
function withRemark(message: string, remark: string): string {
  const text = message.endsWith('.') ? message.slice(0, -1) : message
  const stop = message.endsWith('.') ? '.' : ''
  return `${text} (${remark})${stop}`
}

/** @param condition when this is so, such as ` when "method" is "cash"`; or '' */
type Sentence<Facts> = (facts: Facts, condition: string, words: ReaderWords) => string

/** For a fault that only names what is refused: `explain` replaces it by exact ones. */
function notExplained(): never {
  throw new Error('a fault that only names what is refused has no sentence')
}

/** Every code needs a sentence. */
const SENTENCES: { [C in Code]: Sentence<FactsOf[C]> } = {
  'file.syntax': notExplained,
  'schema.refused': notExplained,
  'html.refused': notExplained,
  'path.refused': notExplained,
  'reference.refused': notExplained,

  // The file
  'file.empty': ({ format }) => {
    const least = format === 'JSON Lines' ? 'one record' : '[] or {}'
    return `This file has no data. It needs at least ${least}.`
  },
  'file.byte-order-mark': () =>
    'This file begins with a byte-order mark, which JSON does not allow.',
  'file.unreadable': ({ reason }) => ended(`This file can't be read: ${reason}`),
  'file.failed': ({ reason }) =>
    `ManyURLs failed on this file: ${ended(reason)} This is a fault in ManyURLs, not in your file. Please report it with the file.`,
  'file.not-read': ({ kind, reason }) => `This ${kind} isn't read (${reason}).`,
  'file.excludes-nothing': () => 'This exclusion matches no file. Correct it, or remove it.',
  'file.utf-16': () => 'This file is in UTF-16 or UTF-32. Save it as UTF-8.',
  'file.not-utf-8': () =>
    "From here on, this file isn't UTF-8. Open it in its own encoding, perhaps Windows-1252, and save it as UTF-8.",
  'file.nul': () =>
    'This character is NUL (U+0000), which no text has. The file may be damaged, or in UTF-16: restore it, or save it as UTF-8.',
  'file.other': ({ kind }) => `This file is ${OTHER_KINDS[kind]}.`,
  'file.no-records': () => 'This file has no records: it must be a list of them, or an object.',
  'file.no-key': ({ key }) =>
    `The records of this file should be in a list or an object under the key ${show(key)}, but there is none.`,
  'file.record-twice': ({ number }, _, { owner }) =>
    `"${owner}.records" returns the same record twice, the second time as number ${number + 1}.`,
  'file.no-record': ({ number }, _, { owner, item }) => {
    const advice = item === 'page' ? ' Let "page" make what is new.' : ''
    return `"${owner}.records" must return records as they are in this file, but number ${number + 1} is something else. A JSON Lines file is a list of records.${advice}`
  },

  // JSON
  'json.too-deep': ({ most }) =>
    `Here, more than ${formatNumber(most)} lists and objects are inside each other. That's too deep to check.`,
  'json.comma-missing': () => 'A comma is missing here, between this value and the next.',
  'json.comma-trailing': () => 'Nothing comes after this comma. Remove it, or add what is missing.',
  'json.comma-extra': () => 'A value is missing before this comma. Write it, or remove the comma.',
  'json.end': (expected) => `The file ends too early. ${mustCome(expected)}`,
  'json.after-end': ({ line, sign, format }, _, { owner }) => {
    const end = `the data of this file ends at line ${line}.`
    if (sign === '}' || sign === ']')
      return `One ${sign} is too many: ${end} Remove this ${sign}, or a wrong one before it.`

    const beginning = `Nothing more is allowed here: ${end}`
    if (sign !== '{') return `${beginning} Several values need a list: [ ], with commas between.`

    const lines = `${beginning} A file with one record in each line is JSON Lines`
    if (format === undefined) return `${lines}. Its name must end in .jsonl.`
    return `${lines}, but "${owner}.format" is ${show(format)}. Write "JSON Lines", or remove it if the file's name ends in .jsonl.`
  },
  'json.unexpected': ({ found, ...expected }) =>
    `${showFound(found)} isn't allowed here. ${mustCome(expected)}`,
  'json.word': ({ word, near }) => {
    const [meant] = near
    const hint = meant === undefined ? '' : ` Write ${meant}.`
    return `${cut(word, 40)} isn't valid JSON.${hint} If it's text, put it in double quotes.`
  },
  'json.quote-extra': () => 'There is one double quote too many here.',
  'json.quote-missing': ({ before }) => {
    const isWord = /[\w\p{L}]/u.test(before)
    if (before === '') return 'A double quote is missing here.'
    if (before === ',') return 'A double quote is missing before this comma.'
    if (before === ':') return 'A double quote is missing before this colon.'
    return `A double quote is missing before ${isWord ? cut(before, 40) : `this ${before}`}.`
  },
  'json.quote': ({ text, next }) => {
    const beginning = `The text "${cut(text, 60)}" ends at this quote, but ${next === '"' ? showFound(next) : show(next)} comes after it.`
    if (text.endsWith('\\'))
      return `${beginning} In a text, \\\\ is one backslash: for a quote, write only \\".`
    return `${beginning} If the quote is part of the text, write \\". Otherwise, remove it.`
  },
  'json.colon-inside': () => 'This colon is inside the quotes of the key. It must come after them.',
  'json.line-break': ({ line, isAtEnd }) =>
    isAtEnd
      ? `The closing quote of this text is at line ${line}. Move it to the end of this line.`
      : `This text goes on to the quote at line ${line}, but JSON allows no line break in a text. Write \\n instead. If the text ends in this line, write its closing quote.`,
  'json.string-end': () => 'This text has no closing double quote.',
  'json.control-character': ({ character }) => {
    const name = character === '\t' ? 'A tab' : `An invisible character (${codePointOf(character)})`
    const written = JSON.stringify(character).slice(1, -1)
    return `${name} is in this text. Remove it, or write ${written}.`
  },
  'json.escape': ({ escape: written }) =>
    `${written} has no meaning in JSON. To keep the backslash, write it twice: \\${written}. Otherwise, remove it.`,
  'json.comment': () => 'JSON has no comments. Remove this one.',
  'json.comment-sign': () => 'A comment begins with // or /* here. Remove this one, or write //.',
  'json.comment-end': () => 'This comment has no end. Write */ after it.',
  'json.fence': () => 'This line belongs to Markdown, not to JSON. Remove it.',
  'json.bracket-missing': ({ bracket, line }) => {
    const outer = bracket === '}' ? 'object' : 'list'
    return `A ${bracket} is missing here to close the ${outer} that begins at line ${line}.`
  },
  'json.opening-missing': ({ bracket, before }) =>
    before === undefined
      ? `A ${bracket} is missing at the beginning of this file.`
      : `A ${bracket} is missing before ${cut(before, 40)}.`,
  'json.bracket-extra': ({ bracket, partner }) =>
    partner === undefined
      ? `This ${bracket} is one too many. Remove it.`
      : `This ${bracket} needs a key and a colon before it. If its keys belong to the object around it, remove the { and its } at line ${partner}.`,
  'json.bracket-wrong': ({ bracket, line }) => {
    const outer = bracket === '}' ? 'object' : 'list'
    return `A ${bracket} is needed instead: it closes the ${outer} that begins at line ${line}.`
  },
  'json.unclosed': ({ missing }) => {
    const names = missing.map(({ bracket, line }) => {
      return `the ${bracket} of the ${bracket === '}' ? 'object' : 'list'} that begins at line ${line}`
    })
    return `The file ends too early. Missing: ${listWords(names, ', and ', String)}.`
  },
  'json.keys-in-list': ({ line }) =>
    `A list [ ] can't have keys. For one object, write { } instead of this [ and its ] at line ${line}. For a list of objects, put each between { and }.`,
  'json.key-in-list': ({ line }) =>
    `A key is only allowed in an object { }, but this one is in the list that begins at line ${line}. Close the list before it, or put { and } around the keys.`,
  'json.object-for-list': ({ line, isSingle }) => {
    const single = isSingle ? ' For a single value, remove both.' : ''
    return `In an object { }, each value needs a key. For a list, write [ ] instead of this { and its } at line ${line}.${single}`
  },
  'json.closed-too-early': ({ bracket, line, hasComma }) => {
    const comma = hasComma ? '' : ', and write a comma'
    const [outer, more] =
      bracket === '}' ? ['object', 'more keys follow'] : ['list', 'more follows']
    return `This ${bracket} closes the ${outer} that begins at line ${line}, but ${more}. Remove it${comma}.`
  },
  'json.two-objects': () =>
    'A second object begins here. To make one object of both, replace the } before it and this { with a comma. For a list of objects, put all of them between [ and ], with commas between.',
  'json.colon-missing': ({ key }) => `A colon is missing after the key ${show(key)}.`,
  'json.comma-for-colon': ({ mayBeList }) => {
    const list = mayBeList ? ' For a list, write [ ] instead of the { } around it.' : ''
    return `A colon belongs here instead of this comma.${list}`
  },
  'json.one-of-pair': ({ text, isFirst }) => {
    const list = isFirst
      ? ''
      : " If it's another value of the key before it, put all its values between [ and ]."
    return `An object needs keys with values, but ${show(text)} is alone. Add its value, or its key.${list}`
  },
  'json.stray': ({ text }) => {
    const isOdd = Array.from(text).length === 1 && !isAscii(text)
    return `${cut(text, 40)}${isOdd ? ` (${codePointOf(text)})` : ''} doesn't belong here. Remove it.`
  },
  'json.escaped-quote': () =>
    'The backslash makes this quote a part of the text, which then has no end. Remove the backslash.',
  'json.key-without-quotes': ({ key }) => `A key needs double quotes: ${show(key)}.`,
  'json.value-missing': ({ key }) => `The value of ${show(key)} is missing.`,
  'json.round-bracket': ({ meant }) =>
    meant === undefined
      ? "( isn't a bracket of JSON. For a list, write [ instead. Otherwise, remove it."
      : `( isn't a bracket of JSON. Write ${meant} instead.`,
  'json.no-json': ({ found }) =>
    `This file isn't JSON: it begins with ${showFound(found)}. JSON begins with { or [.`,
  'json.second-key': ({ key, first }) => {
    const beginning = `Two keys come before one value, and ${show(key)} is the second.`
    if (key === first) return `${beginning} Remove one of them.`
    return `${beginning} Write the value of ${show(first)}, or remove one of them.`
  },
  'json.diff': ({ lines }) =>
    `A diff was pasted into this file: its + and - signs are at ${nameLines(lines)}. Remove these signs, and each line that begins with -.`,
  'json.conflict': ({ lines }) =>
    `A merge conflict is left in this file, with marks at ${nameLines(lines)}. Choose what to keep, and remove the marks.`,
  'json.invisible': ({ character, others }) =>
    `Here is an invisible character that JSON doesn't allow: ${codePointOf(character)}${andMore(others, ' in this file')}.`,
  'json.lookalike': ({ character, meant, others }) => {
    const needed = meant === ',' || meant === ':' ? nameToken(meant) : meant
    const remark = isAscii(character) ? '' : ` (${codePointOf(character)})`
    const more = others === 0 ? '' : `, and in ${plural(others, 'more place')} of this file`
    return `JSON needs ${needed} instead of ${character}${remark} here${more}.`
  },
  'json.line': () =>
    "This line isn't one record. In JSON Lines, each record is an object { } in a line of its own, without commas between.",

  // YAML, and Markdown with front matter
  'yaml.syntax': ({ found, after }) => {
    if (found === '') return 'The text ends here, but a value is missing.'
    if (found.startsWith('#'))
      return "Text without quotes can't begin with #, which begins a comment. Put the text in quotes."
    if (found.startsWith('- '))
      return `A list can't begin in the line of its key. Put ${show(found)} in the next line. If it's text, put it in quotes.`

    const place = after === undefined ? '' : ` after ${nameNeighbour(after)}`
    return `This can't be read as YAML${place}: ${show(found)}. If it's text, put the whole text in quotes.`
  },
  'yaml.indentation': ({ spaces, neighbours }) => {
    const fact = spaces === 0 ? "isn't indented" : `is indented by ${plural(spaces, 'space')}`
    return `This line ${fact}.${neighbours.map(putBeside).join('')}`
  },
  'yaml.below-text': ({ isItem, above, beside }) => {
    const fact = `This ${isItem ? 'list' : 'key'} can't be inside ${nameNeighbour(above)}, which already has a value.`
    if (!isItem && above.name === undefined)
      return `${fact} If that value belongs to a key, write the key before it.`
    return beside === undefined ? fact : `${fact}${putBeside(beside)}`
  },
  'yaml.item-missing': ({ inner }) => {
    const rest = inner === undefined ? '' : putBeside(inner)
    return `This line is indented like the items of the list above, but doesn't begin with "- ".${rest}`
  },
  'yaml.text': ({ key, spaces, textSpaces }) => {
    const text = key === undefined ? 'the text of the item above' : `the text of ${show(key)}`
    if (spaces === 0)
      return `This line isn't indented, so it isn't part of ${text}. To continue that text, indent it.`
    return textSpaces === undefined
      ? `This line isn't indented far enough to be part of ${text}. To continue that text, indent it further.`
      : `This line is indented by ${plural(spaces, 'space')}, but ${text} by ${textSpaces}. To continue that text, indent the line by ${plural(textSpaces, 'space')}.`
  },
  'yaml.colon': () =>
    "Text without quotes can't contain a colon followed by a space, or end with one. Put the whole text in quotes, or remove the colon.",
  'yaml.tab': () => "YAML doesn't allow tabs as indentation. Write spaces instead.",
  'yaml.quote-missing': ({ quote }) =>
    `This text has no end. Write ${quote} after it. If it goes on below, indent each of its lines.`,
  'yaml.quote': ({ quote, next }) => {
    if (next === ',')
      return "In YAML, a line doesn't end with a comma. Remove the one after this quote."
    if (next.startsWith('#'))
      return 'Before a comment, a space is needed: write one after this quote.'

    const escaped = quote === '"' ? '\\"' : "''"
    return `The text ends at this quote, but ${cut(next, 40)} comes after it. If it's part of the text, put the whole text in quotes, and write ${escaped} for each quote inside.`
  },
  'yaml.colon-space': () => 'A space is missing after the colon of this key.',
  'yaml.mark': () => '--- must begin its line. Remove the space before it.',
  'yaml.bracket-missing': ({ sign, bracket }) =>
    `${capitalised(nameBracketed(sign))} begins at this ${sign}, but isn't closed. Write ${bracket} at its end. If ${sign} is part of a text, put the whole text in quotes.`,
  'yaml.bracket-first': ({ sign }) =>
    `This text begins with ${sign}, so YAML reads ${nameBracketed(sign)}. Put the whole text in quotes.`,
  'yaml.block-start': ({ sign, next }) =>
    `After ${sign}, the text begins in the next line. Put ${show(next)} there, indented. If ${sign} is part of the text, put the whole text in quotes.`,
  'yaml.no-pair': () =>
    'This line is neither a key with its value, such as "name: Oslo", nor an item, such as "- Oslo".',
  'yaml.escape': ({ escape: written }) =>
    `${written} has no meaning in double quotes. To keep the backslash, write it twice: \\${written}. Otherwise, remove it.`,
  'yaml.dash': () => 'In a list, a space is needed after this dash.',
  'yaml.two-keys': () => 'A second key begins here. Put it into a line of its own.',
  'yaml.conflict': ({ lines }) =>
    `A merge conflict is left in this file, with marks at ${nameLines(lines)}. Choose what to keep, and remove the marks.`,
  'yaml.start': ({ sign }) => `Text without quotes can't begin with ${sign}. Put it in quotes.`,
  'yaml.documents': ({ isLast }) =>
    isLast
      ? 'Remove this ---: nothing comes after it.'
      : 'A second document begins here, but each file is read as one. Remove this line, or put what follows into a file of its own.',
  'yaml.version': () =>
    'This line asks for YAML 1.1, but files are read as YAML 1.2. Remove it, and check words such as yes and no: in YAML 1.2, they are text.',
  'yaml.tag': ({ tag }) =>
    `The tag ${cut(tag, 40)} isn't read, so its value would be another one. Write the value without a tag.`,
  'yaml.key': ({ written }) =>
    /^[:\s]*$/.test(written)
      ? 'A key is missing before this colon.'
      : `A key must be text, but ${show(written)} isn't. If it is a number or a word that stands for a value, put quotes around it.`,
  'yaml.number': ({ written }) =>
    `${written} isn't a number that JSON can hold. Put quotes around it if it is text.`,
  'yaml.merge': () =>
    'After <<, an object or a list of objects must come, or aliases of them. If << is text, put quotes around it.',
  'yaml.alias-unknown': ({ name }) =>
    `No anchor &${cut(name, 40)} comes before this alias. If this is text that begins with *, put quotes around it.`,
  'yaml.alias-endless': ({ name }) =>
    `This alias is inside its own anchor &${cut(name, 40)}, so its value would have no end.`,
  'yaml.alias-size': () =>
    'With its aliases written out, this file would have more than 10 million characters. Repeat less of it.',
  'front-matter.missing': ({ isToml }) =>
    isToml
      ? 'This front matter is TOML (+++), which is not read. Write it in YAML, between two lines of ---.'
      : 'This file has no front matter: its first line must be ---. If the file isn\'t data, add its name to "files", with a ! before it.',
  'front-matter.line-ends': () =>
    'The lines of this file end in CR alone. Save it with LF or CRLF.',
  'front-matter.end': () =>
    'The front matter that begins here has no end. Write --- on a line of its own below its last value.',
  'front-matter.no-object': () =>
    'The front matter above this line has no keys. Write lines such as "title: Hello".',
  'front-matter.body': ({ key }) =>
    `The key ${show(key)} is taken by the text below the front matter. Rename this one, or name another key for the text.`,

  // What a value loses
  'loss.repeated-first-key': ({ key, line }) =>
    `${show(key)} is the first key of this item, at line ${formatNumber(line)}, and comes again. If a second item begins here, write "- " before it, below the dash above.`,
  'loss.repeated-key': ({ key, line, isEqual, both, merged }) => {
    const beginning = `The key ${show(key)} is already in this object, at line ${formatNumber(line)}`
    if (isEqual) return `${beginning}, with the same value. Remove one of the two.`
    if (merged !== undefined) return `${beginning}. ${mergeAll(merged)}`
    if (both === 'lists') return `${beginning}. Put the items of both lists under one key.`
    if (both === 'objects') return `${beginning}. Rename one, or put the keys of both under one.`
    return `${beginning}, with another value. Keep the right one. If both are needed, rename one, or put it into another object.`
  },
  'loss.number': ({ becomes }) =>
    `${numberLost(becomes)} In double quotes it stays as it is, if the schema allows text here.`,
  'loss.lone-surrogate': () =>
    "Here is only half of a character (a lone surrogate), which isn't valid Unicode. Write the whole character.",
  'loss.yaml-1.1': ({ written, kind }) =>
    `In YAML 1.1, which some programs read, ${cut(written, 40)} is ${OLD_KINDS[kind]}`,
  'loss.zero': ({ written, becomes }) =>
    `This is read as the number ${becomes}. If each character of ${cut(written, 40)} counts, as in a postcode, put it in quotes: ${show(written)}. If it's a number, write ${becomes}.`,
  'loss.comment': ({ value, comment }) =>
    `The value ends before ${cut(comment, 40)}, because a # after a space begins a comment. If this is part of the text, put the whole text in quotes: ${show(`${value} ${comment}`)}. If it's a comment, write a space after the #.`,
  'loss.no-value': ({ comment }) =>
    `There's no value here, because ${nameComment(comment)} If it's a comment, write a space after the #.`,
  'loss.character': ({ others }) =>
    `Here is U+FFFD${andMore(others)}. It stands for a character that a program couldn't read. Write the right one.`,

  // The schema
  'schema.unknown-key': ({ key, known, patterns, near }) => {
    const rest = near.length > 0 ? nearest(near, key) : allowedKeys(known, patterns)
    return `The key ${show(key)}${remarkOn(key)} isn't allowed here.${rest}`
  },
  'schema.misspelled-key': ({ key, missing, isNear, isAllowed }) => {
    const here = isAllowed ? "isn't in the schema" : "isn't allowed here"
    const beginning = `The key ${show(key)}${remarkOn(key)} ${here}`
    if (isNear) return `${beginning}. Nearest: ${showAmong(missing, [key])}, which is missing.`
    return `${beginning}, and the key ${showAmong(missing, [key])} is missing. If you mean that one, rename this one.`
  },
  'schema.near-key': ({ key, near }) =>
    `The key ${show(key)}${remarkOn(key)} isn't in the schema. Others have ${listWords(near)} instead.`,
  'schema.misplaced-key': ({ key, levels, beside, inside, known }) => {
    const allowed = known.length === 0 ? '' : ` Allowed here: ${listWords(known)}.`
    const beginning = `The key ${show(key)} isn't allowed`
    if (inside !== undefined) return `${beginning} here, but inside ${show(inside)}.${allowed}`
    if (levels === 1) return `${beginning} inside ${show(beside)}, but beside it.${allowed}`
    return `${beginning} here, but beside ${show(beside)}, ${levels} levels higher.${allowed}`
  },
  'schema.excluded-key': ({ key, isBeside }, condition) => {
    if (condition !== '') return `${show(key)} isn't allowed${condition}.`
    const where = isBeside ? 'beside the other keys of this object' : 'here'
    return `The key ${show(key)} isn't allowed ${where}.`
  },
  'schema.missing-key': ({ keys, values }, condition) => {
    const [word, verb] = keys.length > 1 ? ['keys', 'are'] : ['key', 'is']
    const missing = `The ${word} ${listWords(keys, ' and ')} ${verb} missing.`
    const they = keys.length > 1 ? 'They are' : 'It is'
    const required = condition === '' ? '' : ` ${they} required${condition}.`

    const musts = values.map(({ key, demands }) => {
      return ` ${keys.length > 1 ? show(key) : 'It'} must ${phrases(demands)}.`
    })
    return `${missing}${required}${musts.join('')}`
  },
  'schema.one-key': ({ choices }) => {
    const isSingle = choices.every(({ length }) => length === 1)
    if (isSingle) return `One of these keys is required: ${listWords(unique(choices.flat()))}.`
    return `One of these is required: ${unique(choices.map(nameKeys)).join('; or ')}.`
  },
  'schema.too-many-keys': ({ groups }) => {
    const isSingle = groups.every(({ length }) => length === 1)
    if (isSingle)
      return `The keys ${listWords(groups.flat(), ' and ')} aren't allowed together. Keep one of them.`
    return `These aren't allowed together: ${groups.map(nameKeys).join('; ')}. Keep one group.`
  },
  'schema.type': ({ kinds, value, isItem, near, comment }) => {
    const must = `This must be ${listWords(nameKinds(kinds), ' or ', String)}`
    if (comment !== undefined) return `${must}, but it is null, because ${nameComment(comment)}`

    const orNone = value === null ? ifNoValue(isItem) : ''
    return `${must}, but it is ${nameValue(value)}.${nearest(near, value)}${orNone}`
  },
  'schema.enum': ({ allowed, value, near, comment }) => {
    const [meant] = near
    const isOnly = allowed.length === 1 && near.length === 1 && otherForm(meant, value) === ''
    const rest = isOnly ? '' : nearest(near, value)
    const known = listWords(allowed, ', ', (word) => spell(word, [...allowed, value]))
    return `${subject(value)} isn't allowed here. Allowed: ${known}.${rest}${whyNull(comment)}`
  },
  'schema.pattern': mustMatch,
  'schema.format': mustMatch,
  'schema.any-of': ({ count, choices, value, near }) =>
    choices === undefined
      ? `${subject(value)} fits none of the ${count} kinds that the schema allows here.${nearest(near, value)}`
      : `${subject(value)} isn't allowed here. It must ${listWords(choices, ', or ', phrases)}.${nearest(near, value)}`,
  'schema.one-of': ({ count, passing }) => {
    const fits = passing === 2 && count === 2 ? 'both' : `${passing} of the ${count}`
    return `This fits ${fits} kinds that the schema allows here, but must fit only one.`
  },
  'schema.not-allowed': (_, condition) => `Nothing is allowed here${condition}.`,
  'schema.not': (facts, condition) => `${refused(facts)}${condition}.${whyNull(facts.comment)}`,
  'schema.contains': ({ demands, least, most, count }) => {
    const must = demands === undefined ? 'fit the "contains" of the schema' : phrases(demands)
    const there = count === 1 ? 'there is 1' : `there are ${formatNumber(count)}`
    return `${countOfItems(least, most)} of this list must ${must}; ${count === 0 ? 'there is none' : there}.`
  },
  'schema.unique-items': ({ earlier, value }) => {
    const kind = Array.isArray(value) ? 'list' : 'object'
    const same = isObject(value) ? `The same ${kind}` : subject(value)
    return `${same} is already in this list, as item ${earlier + 1}.`
  },
  'schema.limit': (facts) => beyondLimit(facts),
  'schema.multiple': ({ unit, value, near }) =>
    `${subject(value)} isn't a multiple of ${unit}.${nearest(near, value)}`,
  'schema.keyword': ({ keyword, value }) =>
    `${subject(value)} isn't allowed here, because of the keyword "${keyword}" of the schema.`,
  'schema.key-name': ({ fault }, _, words) => {
    if (fault.code === 'schema.limit') return beyondLimit(fault.facts, 'The name of this key')
    return `The name of this key isn't allowed. ${sentenceOf(fault, words)}`
  },
  'schema.unnamed': ({ schemas }) =>
    `This file must name its schema under the key "$schema": ${listWords(schemas, ' or ')}.`,
  'schema.unknown-name': ({ value, schemas, near }) => {
    const rest = near.length > 0 ? nearest(near, value) : ` Allowed: ${listWords(schemas)}.`
    return `${subject(value)} isn't the name of a schema here.${rest}`
  },
  'schema.endless': () =>
    'Nothing in this file was checked. It has a text of more than 8 million characters, or the schema refers to itself without end.',

  // A schema itself
  'schema-file.unknown-document': ({ reference, file }) => {
    const place =
      file === undefined
        ? ' beside this one, and name it here'
        : ` as ${show(file)} beside this file`
    return `${show(reference)} is in another file that can't be read. References are read from the disk, never from the network. Save it${place}.`
  },
  'schema-file.nothing-there': ({ reference }) =>
    `${show(reference)} leads to nothing: there is no such place in that schema.`,
  'schema-file.dynamic': ({ reference }) =>
    `${show(reference)} may lead to several schemas, depending on which of them refers here. That isn't supported. Write a "$ref" to the schema you mean.`,
  'schema-file.endless': () =>
    'This reference leads back to itself, so no value can ever be checked against it.',
  'schema-file.pattern': ({ reason }) =>
    ended(`This isn't a regular expression of JavaScript (with the flag u): ${reason}`),
  'schema-file.mark': ({ keyword }) =>
    `${show(keyword)} is for ${keyword === 'pagePath' ? 'texts' : 'texts and numbers'} only. Write their "type" beside it.`,
  'schema-file.unknown-draft': ({ address }) =>
    `${subject(address)} isn't the address of a draft of JSON Schema. Write one such as "https://json-schema.org/draft/2020-12/schema" or "http://json-schema.org/draft-07/schema#". 2019-09, draft-06 and draft-04 are read, too.`,
  'schema-file.empty-enum': () => 'This list is empty, so it allows no value. List at least one.',
  'schema-file.required-forbidden': ({ key, keyword }) => {
    const why =
      keyword === 'additionalProperties'
        ? `"additionalProperties": false forbids it, because "properties" doesn't have it`
        : `"${keyword}" forbids it by false`
    return `The key ${show(key)} is required, but ${why}. So no object could be right.`
  },
  'schema-file.no-check': () =>
    'This schema checks nothing: it accepts every value. Say what a file must be, for example "type": "array".',
  'schema-file.not-compiled': ({ message }) => ended(`This schema can't be compiled: ${message}`),
  'schema-file.unknown-keyword': ({ keyword, draft, near }) => {
    if (draft === undefined)
      return `${show(keyword)} isn't a keyword of JSON Schema, so it checks nothing.${nearest(near, keyword)}`
    const name = draft.startsWith('0') ? `draft-${draft}` : draft
    return `${show(keyword)} isn't a keyword of ${name}, so it checks nothing. If you mean it, name another draft in "$schema".`
  },
  'schema-file.unknown-format': ({ format, near }) =>
    `The format ${show(format)} is unknown, so it isn't checked.${nearest(near, format)}`,
  'schema-file.beside-ref': ({ keywords }) => {
    const isOne = keywords.length === 1
    const ignored = `${listWords(keywords, ' and ')} beside "$ref" ${isOne ? 'is' : 'are'} ignored`
    const remedy = `To use ${isOne ? 'it' : 'them'}, write "allOf": [{ "$ref": … }] instead of the "$ref".`
    return `${ignored} in this draft of JSON Schema. ${remedy}`
  },
  'schema-file.alone': ({ keyword, needed }) =>
    `${show(keyword)} has no effect without ${show(needed)} beside it.`,

  // The HTML of a body
  'html.text': ({ tag }) => `The < in ${show(tag)} is text. Write &lt; for it.`,
  'html.element': ({ element, allowed, mayBeText }) => {
    const tags = allowed.map((name) => `<${name}>`).join(' ')
    const hint = mayBeText ? ' If the < is text, write &lt; for it.' : ''
    return `${cut(element, 40)} isn't allowed here. "content.elements" allows ${tags}.${hint}`
  },
  'html.tag-or-text': ({ written, tag, hasValues }) =>
    `Write ${written} instead of ${show(tag)}.${allowedValues(hasValues)} If its < is text, write &lt; for the <.`,
  'html.tag': ({ written, tag, hasValues }) =>
    `Write ${written} instead of ${show(tag)}.${allowedValues(hasValues)}`,
  'html.rows': ({ tag }) =>
    `Browsers don't read ${show(tag)} as it is written. Put the rows of a table into <tbody> or <thead>.`,
  'html.order': ({ tag }) =>
    `Browsers don't read ${show(tag)} as it is written. Check that its element is closed in order, may be inside the element around it, and has no attribute twice.`,
  'html.ampersand': ({ found, others }) =>
    `Write &amp; for this &${andMore(others)}. It is in ${show(found)}.`,

  // What content.ts makes
  'content.fails': ({ name, reason }, _, { owner }) =>
    ended(`"${owner}.${name}" fails here: ${reason}`),
  'content.promise': ({ name }, _, { owner }) =>
    `"${owner}.${name}" returns a Promise, but the build doesn't wait for it. Remove "async", and call nothing that must be awaited.`,
  'content.no-names': ({ name, returned }, _, { owner, item }) => {
    const example = item === 'page' ? '{ pages: ["/about"] }' : '{ currencies: ["EUR"] }'
    return `"${owner}.${name}" must return ids under the names of collections, such as ${example}, but it returns ${show(returned)}.`
  },
  'content.no-id': ({ key, isInList, value }, _, { owner }) => {
    const what = isInList ? `${show(value)} in a list` : show(value)
    return `"${owner}.references" must return ids under ${show(key)}, each text or a number, but it returns ${what}.`
  },
  'content.no-number': ({ name, returned }, _, { owner }) =>
    `"${owner}.${name}" must return a number for two records, such as -1, 0 or 1, but it returns ${show(returned)}.`,
  'content.no-list': ({ name, returned }, _, { owner }) =>
    `"${owner}.${name}" must return a list, which may be empty, but it returns ${show(returned)}.`,
  'content.no-fault': ({ name, item }, _, { owner }) =>
    `"${owner}.${name}" must return a list of { pointer, message }, but one of its items ${item === undefined ? 'has no value' : `is ${show(item)}`}.`,
  'content.odd-fault': ({ name, key, value, message }, _, { owner }) => {
    const its = typeof message === 'string' ? ended(` The fault's message is: ${message}`) : ''
    const kind = PARTS_OF_FAULT[key]
    const fault =
      value === undefined
        ? `without "${key}", which must be ${kind}`
        : `whose "${key}" must be ${kind}, but it is ${show(value)}`
    return `"${owner}.${name}" returns a fault ${fault}.${its}`
  },
  'page.no-object': ({ returned }) =>
    `"content.page" must return a plain object, but it returns ${show(returned)}.`,
  'page.not-json': ({ what, place }) =>
    `"content.page" makes a page with ${what} at ${place}, which JSON can't hold. Allowed: text, finite numbers, true, false, null, and lists and plain objects of these.`,
  'page.half-character': ({ place }) =>
    `"content.page" makes a page with half of a character (a lone surrogate) at ${place}. Cut a text between characters, for example between those of Array.from(text).`,
  'record.not-json': ({ reason }, _, { owner, item }) => {
    if (item === 'page')
      return `content.ts has changed this record, and now it can't be written (${reason}). Let "page" make what is new.`
    return `A function of "${owner}" has changed this record, and now it can't be written (${reason}).`
  },
  'page.no-text': ({ key, value }) => {
    const kind = key === 'contentHtml' ? 'text' : 'text that is not empty'
    const makes = value === undefined ? 'none' : show(value)
    return `"content.page" must make a "${key}" of ${kind}, but it makes ${makes}.`
  },
  'page.no-identity': ({ name, value }, _, { owner }) =>
    `"${owner}.${name}" must return text that is not empty, or a finite number, but it returns ${show(value)}.`,
  'id.missing': ({ key }) => `This record has no ${show(key)}, so it has no id.`,
  'id.no-key': ({ key, near }, _, { owner }) =>
    `"${owner}.id" is ${show(key)}, but no record has this key.${nearest(near, key)}`,
  'id.no-id': ({ key, value }) =>
    `${subject(value)} can't be an id: ${show(key)} must be text that is not empty, or a number.`,
  'page.no-path': () =>
    'This page needs a path, which must be text that is not empty: a page is known by its path.',

  // A form
  'form.no-fields': () => 'A form must be null, or an object with a list "fields".',
  'form.missing-key': ({ key }) => `This field has no "${key}", which must be ${FIELD_KEYS[key]}.`,
  'form.value': ({ key, value }) =>
    `"${key}" must be ${FIELD_KEYS[key]}, but it is ${show(value)}.`,
  'form.no-options': () =>
    'A "select" needs "options": a list of different texts, none of them empty.',
  'form.repeated-name': ({ name, earlier }) =>
    `${show(name)} is already the name of field ${earlier + 1}.`,

  // Between records
  'path.two-records': ({ identity, otherIdentity, other }) =>
    `Two different records claim this path: this one is ${showAmong(identity, [otherIdentity])}, and ${nameRecord(other)} is ${showAmong(otherIdentity, [identity])}. Give each a path of its own.`,
  'path.conflict': ({ fields, other }, _, words) =>
    `${capitalised(nameRecord(other))} has the same ${words.id}, but differs in ${fields.join(', ')}, and --strict refuses that. Give one of them another ${words.id}, or remove one.`,
  'path.repeated': ({ fields, value, other, line }, _, words) => {
    const same = `${nameRepeated(other, line, words)} has the same ${words.id}`
    const isPage = words.item === 'page'
    const named = isPage ? same : `${same} (${show(value)})`
    if (fields.length === 0) return `${named} and the same values. Remove one of the two.`
    return `${named}, but other values of ${listWords(fields, ' and ')}. If one is a copy, change its id, or remove it.`
  },
  'order.before': ({ key, value, otherValue, other, line }, _, { owner }) => {
    const place = `record ${other + 1}${atLine(line)}`
    if (key === undefined) return `This record belongs before ${place}, as "${owner}.sorted" says.`
    return `The records are sorted by ${show(key)}, but ${showAmong(value, [otherValue])} comes after ${showAmong(otherValue, [value])}, the value of ${place}. Move this record up.`
  },
  'order.no-values': ({ key, near }, _, { owner }) => {
    if (key === undefined)
      return `"${owner}.sorted" returns neither text nor a number for any record, so nothing says how they are sorted.`
    return `"${owner}.sorted" is ${show(key)}, but no record has text or a number there.${nearest(near, key)}`
  },
  'path.two-keys': ({ key, otherKey, other, line }) =>
    `The key ${showAmong(key, [otherKey])} gives the same path as the key ${showAmong(otherKey, [key])} of record ${other + 1}${atLine(line)}. Give each a path of its own in content.ts.`,
  'path.one-file': ({ otherPath, other }) =>
    `On some disks, this page would be the same file as ${show(otherPath)} (${nameRecord(other)}). Change one of the two paths by more than the case of letters.`,
  'schema.unique': ({ value, other }) =>
    `${subject(value)} is also in ${nameRecord(other)}, but only one record may have it.`,
  'link.nowhere': ({ written, near }) =>
    `No page is at ${show(written)}.${nearest(near === undefined ? [] : [near], written)}`,

  'reference.nowhere': ({ collection, value, near }, _, { item }) => {
    const hint = nearest(near === undefined ? [] : [near], value)
    if (item === 'page' && collection === PAGES)
      return `No page has the path or the identity ${show(value)}.${hint}`
    return `No record of ${show(collection)} has the id ${show(value)}.${hint}`
  },
  'reference.value': ({ value, wanted, path, to }, _, { owner }) => {
    if (wanted === 'id') {
      const hint = Array.isArray(value)
        ? ` For each item of a list, write ${show(`${path}[]`)}.`
        : ''
      return `${subject(value)} can't be the id of a record of ${show(to)}, which "${owner}.references" expects at ${show(path)}: an id is text or a number.${hint}`
    }
    const kind = wanted === 'list' ? 'a list' : 'an object'
    return `${subject(value)} is where "${owner}.references" expects ${kind}: its path is ${show(path)}.`
  },
  'reference.none': ({ path }, _, { owner }) => {
    const place = path === undefined ? '' : ` at the path ${show(path)}`
    return `"${owner}.references" names nothing${place} for any record, so no reference was checked.`
  },
  'reference.no-path': ({ path, near }, _, { owner }) => {
    const advice = near.length > 0 ? nearest(near, path) : ' Correct the path, or remove it.'
    return `"${owner}.references" has the path ${show(path)}, but no record has it.${advice}`
  },
  'reference.unchecked': ({ references, to, because }) => {
    const verb = references === 1 ? "wasn't" : "weren't"
    return `${plural(references, 'reference')} to ${show(to)} ${verb} checked, because of what is wrong in ${because}.`
  },

  'dataset.emptied': ({ folder }, _, { item, file }) =>
    `No ${item} is left: no ${file} has one, but the last dataset has some. If that is what you want, remove the folder ${folder}.`,

  // What the site needs of a page
  'site.path': ({ path }) =>
    `The site can't show a page at ${show(path)}. A path has parts such as "/guides/first-steps", each of at most 247 bytes, without \\ ? # % [ ] | ^ " < > \` { } and without a space at its ends.`,
  'site.device': ({ path }) =>
    `The site can't have a file for ${show(path)}: on Windows, a part of it is the name of a device. Change the path.`,
  'site.taken': ({ path }) => `The site itself uses the address ${show(path)}. Change the path.`,
  'site.title': ({ value }) =>
    value === undefined
      ? 'This record has no title. The site needs one.'
      : `The site needs a title that is text, but here it is ${show(value)}.`,
  'site.body': ({ value }) =>
    value === undefined
      ? 'This record has no "contentHtml". The site needs one.'
      : `The site needs a "contentHtml" that is text, but here it is ${show(value)}.`,
  'site.language': ({ value }) =>
    `The site needs a language tag such as "en" or "pt-BR", but here it is ${show(value)}.`,
  'site.instant': ({ value }) =>
    `The site needs a date and time such as 2025-08-28T10:15:00Z, but here it is ${show(value)}.`,
  'site.hiding-field': ({ name }) =>
    `A field can't have the name ${show(name)}: browsers would take it for a part of its form. Change the name.`,
  'site.fact': ({ item }) =>
    `"content.facts" must return pairs of a name and a value, such as ["Price", "78 kr"], but ${show(item)} is in its list.`,
  'site.fact-value': ({ name, item }) =>
    item === undefined
      ? `The list of the fact ${show(name)} of "content.facts" has an item that is undefined. Leave it out of the list.`
      : `In the fact ${show(name)} of "content.facts", ${show(item)} is neither a text nor a link such as { href: "/a", text: "A" }.`,
  'site.fact-link': ({ name, href }) =>
    `The fact ${show(name)} of "content.facts" leads to ${show(href)}. A link begins with https://, http://, mailto:, # or a single /.`,
  'site.image': ({ returned }) =>
    `"content.image" must return { src, alt }, which are texts, or nothing, but it returns ${show(returned)}.`,
  'site.image-address': ({ src }) =>
    `"content.image" returns the address ${show(src)}. The address of an image begins with https:// or a single /, and has no < > ".`,
  'site.group': ({ item }) =>
    `"content.group" must return a text or a list of texts, but ${show(item)} is not a text.`,
}

type MemberDemand = Extract<Demand, { kind: 'member' }>

/** The codes whose sentences say themselves when something is required. */
const CONDITIONAL: readonly Code[] = [
  'schema.excluded-key',
  'schema.missing-key',
  'schema.not-allowed',
  'schema.not',
]

/** Says when the schema demands something, for example ` when "method" is "cash"`; '' if it always does. */
function conditionOf(reasons: readonly Reason[]): string {
  const whens = reasons
    .filter(({ except }) => except === undefined)
    .map(({ key, value }) => {
      return value === undefined ? `${show(key)} is there` : `${show(key)} is ${show(value)}`
    })
  const unlesses = reasons.flatMap(({ key, except }) => {
    if (except === undefined) return []
    return except.length === 0
      ? `${show(key)} is there`
      : `${show(key)} is ${listWords(except, ' or ')}`
  })

  const when = whens.length === 0 ? '' : ` when ${listWords(whens, ' and ', String)}`
  const unless = unlesses.length === 0 ? '' : ` unless ${listWords(unlesses, ' or ', String)}`
  return when + unless
}

/** For example "lines 3, 7 and 9". */
function nameLines(lines: readonly number[]): string {
  return `line${lines.length > 1 ? 's' : ''} ${listWords(lines, ' and ')}`
}

/** For example "record 3 of b.json". */
function nameRecord({ batch, index }: OtherRecord): string {
  return `record ${index + 1} of ${batch}`
}

/**
 * Names the record that another one repeats: by its number and its line, or only by its line.
 *
 * @param other its batch is undefined if it's the same one
 */
function nameRepeated(
  { batch, index }: FactsOf['path.repeated']['other'],
  line: number,
  { file, item }: ReaderWords,
): string {
  if (item === 'record')
    return `The record at line ${formatNumber(line)}${batch === undefined ? '' : ` of ${batch}`}`
  return `Record ${index + 1}${atLine(line)} of ${batch ?? `this ${file}`}`
}

function atLine(line: number | undefined): string {
  return line === undefined ? '' : ` (line ${formatNumber(line)})`
}

/** What ends a sentence. */
const STOP = /[.!?…]$/

/** Ends a sentence that was written elsewhere and may have an end. */
function ended(text: string): string {
  return STOP.test(text) ? text : `${text}.`
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** How many keys, values or lines a sentence names. */
const MOST_NAMED = 20

/** For example "a", "b" and "c"; of many, the first, and how many more there are. */
function listWords<Word>(
  words: readonly Word[],
  last = ', ',
  write: (word: Word) => string = (word) => spell(word, words),
): string {
  const named = words.slice(0, MOST_NAMED).map(write)

  const unnamed = words.length - named.length
  if (unnamed > 0) return `${named.join(', ')} and ${formatNumber(unnamed)} more`

  if (named.length < 2) return named.join('')
  return `${named.slice(0, -1).join(', ')}${last}${named.at(-1)}`
}

function unique(words: readonly string[]): string[] {
  return [...new Set(words)]
}

/** Writes a value among others. An object or a list that is allowed has to be shown whole. */
function spell(value: unknown, others: readonly unknown[]): string {
  return isObject(value) ? JSON.stringify(value) : showAmong(value, others)
}

const TYPE_NAMES: Record<string, string> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list [ ]',
  object: 'an object { }',
}

/** Names a type of JSON Schema. */
function nameType(type: string): string {
  return TYPE_NAMES[type] ?? type
}

function nameKinds(kinds: readonly Kind[]): string[] {
  const values = kinds.flatMap((kind) => ('value' in kind ? [kind.value] : []))
  return unique(
    kinds.map((kind) => ('type' in kind ? nameType(kind.type) : spell(kind.value, values))),
  )
}

/** What a file is instead of JSON, and what to do. */
const OTHER_KINDS: Record<OtherKind, string> = {
  gzip: 'compressed (unpack it)',
  ZIP: 'compressed, or a document such as .xlsx (unpack it)',
  PDF: 'a PDF',
  'Git LFS': 'only a pointer of Git LFS (run "git lfs pull")',
}

const OLD_KINDS: Record<OldKind, string> = {
  true: 'true. Put quotes around it.',
  false: 'false. Put quotes around it.',
  date: 'a date. Put quotes around it.',
  number: 'a number. Put quotes around it.',
  text: 'text. Write this number in the base 10.',
}

/** What each part of a fault from an owner's rule must be. */
const PARTS_OF_FAULT: Record<PartOfFault, string> = {
  pointer: 'a list of keys and positions, such as ["tags", 0]',
  message: 'text',
  code: 'text',
  about: 'text',
  at: '"key" or "value"',
  within: '{ start, end }, offsets into the text at "pointer"',
  instead: 'text, a finite number, true or false',
}

/** What the keys of a form's field must be. */
const FIELD_KEYS: Record<FieldKey, string> = {
  name: `text, and not "" or "${HONEYPOT}"`,
  label: 'text',
  type: `one of ${Object.keys(FIELD_TYPES).map(show).join(', ')}`,
  placeholder: 'text',
  required: 'true or false',
  options: 'a list of different texts, none of them empty',
}

/** Names a value within a sentence. */
function nameValue(value: unknown): string {
  if (value === '') return 'an empty text ("")'
  if (typeof value === 'string') return `the text ${show(value)}${remarkOn(value)}`
  if (typeof value === 'number' && Number.isFinite(value)) return `the number ${value}`
  return show(value)
}

/** Names a value at the beginning of a sentence. */
function subject(value: unknown): string {
  if (value === '') return 'An empty text'
  if (typeof value === 'string') return `${show(value)}${remarkOn(value)}`
  if (isObject(value)) return Array.isArray(value) ? 'This list' : 'This object'
  if (typeof value === 'number' && Number.isFinite(value)) return `The number ${value}`
  return `The value ${show(value)}`
}

function nameKeys(keys: readonly string[]): string {
  const word = keys.length > 1 ? 'keys' : 'key'
  return `the ${word} ${listWords(keys, ' and ')}`
}

/**
 * Names what would be accepted, in a sentence of its own.
 *
 * @param value what is there instead
 */
function nearest(near: readonly unknown[], value: unknown): string {
  if (near.length === 0) return ''
  const [first] = near
  const words = listWords(near, ', ', (word) => spell(word, [...near, value]))
  return ` Nearest: ${words}${near.length === 1 ? otherForm(first, value) : ''}.`
}

/** Describes how two texts differ that look the same: é may be one character, or two. */
function otherForm(meant: unknown, value: unknown): string {
  if (typeof meant !== 'string' || typeof value !== 'string') return ''
  if (meant === value || meant.normalize() !== value.normalize()) return ''

  const characters = Array.from(new Intl.Segmenter().segment(value), ({ segment }) => segment)
  const odd = characters.find((character) => !meant.includes(character)) ?? ''
  const right = [odd.normalize('NFC'), odd.normalize('NFD')].find((form) => meant.includes(form))
  if (odd === '' || right === undefined) return ', in another Unicode normal form'
  return `, which looks the same, but has ${right} as ${codePointsOf(right)} instead of ${codePointsOf(odd)}`
}

/** The code points of a text, such as U+0065 U+0301. */
function codePointsOf(text: string): string {
  return Array.from(text, codePointOf).join(' ')
}

function allowedKeys(known: readonly string[], patterns: readonly string[]): string {
  if (known.length === 0 && patterns.length === 0) return ''
  if (patterns.length === 0) return ` Allowed: ${listWords(known)}.`

  const matching = `keys that match the pattern ${listWords(patterns, ' or ', String)}`
  if (known.length === 0) return ` Allowed: ${matching}.`
  return ` Allowed: ${listWords(known)}, and ${matching}.`
}

/** For example `;`, but not `“`. */
function isAscii(character: string): boolean {
  return /^[ -~]*$/.test(character)
}

/** Says what must come at a place of a JSON text, and which bracket is open there. */
function mustCome({ due, bracket, line }: FactsOf['json.end']): string {
  const [first = ',', closing] = due
  const name = capitalised(nameToken(first))

  const outer = `the ${bracket === '{' ? 'object' : 'list'} that begins at line ${line}`
  if (closing !== undefined) return `${name} must come, or the ${closing} of ${outer}.`

  const isItem = first === 'key' || (first === 'value' && bracket === '[')
  return isItem ? `${name} must come, in ${outer}.` : `${name} must come.`
}

function nameToken(token: JsonToken): string {
  if (token === 'key') return 'a key in double quotes'
  if (token === ',') return 'a comma'
  if (token === ':') return 'a colon'
  return `a ${token}`
}

const CONTROL = /\p{Cc}/u

/** Shows what was found in a JSON text: a word as it is, a sign in quotes. */
function showFound(found: string): string {
  const isWord = /[\w\p{L}]/u.test(found)
  if (isWord) return cut(found, 40)
  if (found === '"') return `'"'`
  return CONTROL.test(found) ? JSON.stringify(cut(found, 40)) : `"${cut(found, 40)}"`
}

/** For example ", and 21 more in the file". */
function andMore(others: number, where = ''): string {
  return others === 0 ? '' : `, and ${formatNumber(others)} more${where}`
}

/** Says why a number can't be kept, by what it would become. */
function numberLost(becomes: number): string {
  if (!Number.isFinite(becomes)) return 'This number is too large to be read.'
  if (becomes === 0) return 'This number is too small: it would be read as 0.'
  return `This number is too long: it would be read as ${becomes}.`
}

/** What an alias of YAML looks like, or several: `*first, *second`. */
const ALIASES = /^\*[^\s,[\]{}]+(?:, \*[^\s,[\]{}]+)*$/

/** Says how one merge key can name what several do. */
function mergeAll(merged: string): string {
  const aliases = ALIASES.test(merged) ? cut(merged, 80) : '*a, *b'
  return `Write one, with a list: <<: [${aliases}]. Where both have a key, the first one counts.`
}

function mustMatch({ demands, value, isItem, near, examples }: FactsOf['schema.pattern']): string {
  const example = near.length > 0 ? '' : examplesOf(examples)
  const orNone = value === '' ? ifNoValue(isItem) : ''
  const other = withoutSign(near, value) ?? nearest(near, value)
  return `${mismatch(demands, value)}${example}${other}${orNone}`
}

/** Says that a text would match without the sign at its beginning, or at its end: the @ of "@jin". */
function withoutSign(near: readonly unknown[], value: unknown): string | undefined {
  const [meant, ...others] = near
  if (typeof value !== 'string' || typeof meant !== 'string' || others.length > 0) return undefined

  const isFirst = value.slice(1) === meant
  const sign = isFirst ? value.charAt(0) : value.slice(meant.length)
  const isSign = /^[!-~]$/.test(sign) && (isFirst || value.startsWith(meant))
  return isSign ? ` Without the ${sign}${isFirst ? '' : ' at its end'}, it would match.` : undefined
}

/** Says what to do where there is no value, so that somebody wrote null or an empty text. */
function ifNoValue(isItem: boolean): string {
  return isItem
    ? ' Write the item, or remove it.'
    : " Write a value, or remove the key if it isn't required."
}

/** Says why a value of YAML is null. */
function whyNull(comment: string | undefined): string {
  return comment === undefined ? '' : ` It's null, because ${nameComment(comment)}`
}

/** For example `#ff8800 is a comment: … If it's the value, put it in quotes: "#ff8800".` */
function nameComment(comment: string): string {
  return `${cut(comment, 40)} is a comment: a # after a space begins one. If it's the value, put it in quotes: ${show(comment)}.`
}

function examplesOf(examples: readonly string[]): string {
  const [first] = examples
  return first === undefined ? '' : ` Example: ${show(first)}.`
}

/** Says that a text isn't one of the allowed ones. */
function mismatch(demands: readonly Demand[], value: unknown): string {
  const [demand, ...others] = demands
  if (demand === undefined || others.length > 0)
    return `${subject(value)} isn't allowed here. It must ${listWords(demands, ', or ', phrase)}.`

  if (demand.kind === 'sentence') return withOwnersText(value, demand.sentence)
  if (demand.kind === 'pattern')
    return `${subject(value)} doesn't match the pattern ${demand.pattern} of the schema.`
  if (demand.kind === 'format')
    return `${subject(value)} isn't ${nameFormat(demand.format)}.${oddInAddress(demand.format, value)}`
  return `${subject(value)} isn't allowed here. It must ${phrase(demand)}.`
}

/** The beginning of an address, such as `https://`. */
const SCHEME = /^[a-z][a-z\d+.-]*:\/\//i
/** A character that an address can't have, such as ③, a space or < (RFC 3986, appendix A). */
const ODD_IN_ADDRESS = /[^!#-;=?-[\]_a-z~]/u

/** Names what is wrong with a text that begins like an address. */
function oddInAddress(format: string, value: unknown): string {
  const isAddress = ['uri', 'url'].includes(format) && SCHEME.test(String(value))
  const [odd] = (isAddress && ODD_IN_ADDRESS.exec(String(value))) || []
  if (odd === undefined || remarkOn(String(value)) !== '') return ''
  return ` An address can't have ${/\s/.test(odd) ? 'spaces' : odd}.`
}

/**
 * Continues a sentence with the `patternErrorMessage` of a schema: a sentence, or a part of one such as
 * `must be a slug`.
 */
function withOwnersText(value: unknown, text: string): string {
  const isSentence = /^[^\p{Ll}]/u.test(text)
  return ended(`${subject(value)} isn't allowed here${isSentence ? '.' : ':'} ${text}`)
}

/** Describes a demand, to follow "must". */
function phrase(demand: Demand): string {
  switch (demand.kind) {
    case 'values':
      return `be ${listWords(demand.values, ' or ')}`
    case 'types':
      return `be ${listWords(demand.types.map(nameType), ' or ', String)}`
    case 'keys':
      return `have ${nameKeys(demand.keys)}`
    case 'pattern':
      return `match the pattern ${demand.pattern} of the schema`
    case 'format':
      return `be ${nameFormat(demand.format)}`
    case 'sentence':
      return `fit this: ${demand.sentence.replace(/\.$/, '')}`
    case 'limit':
      return keep(demand.keyword, demand.limit)
    case 'multiple':
      return `be a multiple of ${demand.unit}`
    case 'member':
      return phraseOfMember(demand)
  }
}

/** For example `have "kind": "main"`. */
function phraseOfMember({ key, demands }: MemberDemand): string {
  const [demand, ...others] = demands
  const isOneValue = demand?.kind === 'values' && demand.values.length === 1 && others.length === 0
  if (isOneValue) return `have ${show(key)}: ${spell(demand.values[0], [])}`
  return `have the key ${show(key)}, whose value must ${phrases(demands)}`
}

function phrases(demands: readonly Demand[]): string {
  return listWords(demands, ' and ', phrase)
}

function allowedValues(hasValues: boolean): string {
  return hasValues ? ' "content.elements" says which values are allowed.' : ''
}

/** Says what a `not` of the schema refuses. */
function refused({ value, demands }: FactsOf['schema.not']): string {
  const [demand, ...others] = demands
  if (demand === undefined) return `${subject(value)} isn't allowed here`
  if (others.length > 0) return `${subject(value)} must not ${phrases(demands)}, all at once`

  if (demand.kind === 'values') return `${subject(value)} isn't allowed here`
  if (demand.kind === 'member') return `${show(demand.key)} must not ${phrases(demand.demands)}`
  if (demand.kind !== 'keys') return `${subject(value)} must not ${phrase(demand)}`
  if (demand.keys.length === 1) return `The key ${listWords(demand.keys)} isn't allowed here`
  return `The keys ${listWords(demand.keys, ' and ')} aren't allowed together`
}

/** What the formats of JSON Schema demand, in words. */
const FORMAT_NAMES: Record<string, string> = {
  date: 'a day of the calendar such as "2026-07-11"',
  time: 'a time of the day such as "18:30:00Z"',
  'date-time': 'a day and a time such as "2026-07-11T18:30:00Z"',
  duration: 'a duration such as "P1DT12H"',
  uri: 'a full address such as "https://example.com/about"',
  url: 'a full address such as "https://example.com/about"',
  'uri-reference': 'an address such as "https://example.com/about" or "/about"',
  email: 'an email address such as "you@example.com"',
  hostname: 'a host name such as "example.com"',
  ipv4: 'an IP address such as "192.0.2.1"',
  ipv6: 'an IPv6 address such as "2001:db8::1"',
  uuid: 'a UUID such as "123e4567-e89b-42d3-a456-426614174000"',
  regex: 'a regular expression such as "^[a-z]+$"',
  'json-pointer': 'a JSON pointer such as "/tags/0"',
}

/** Names what a format demands. */
function nameFormat(format: string): string {
  const name = FORMAT_NAMES[format]
  return name === undefined ? `in the format "${format}"` : `${name} (format "${format}")`
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
  unevaluatedItems: 'at most',
}

/** The end of a keyword that counts, as in `minLength`, and what it counts. */
const COUNTED = /(Length|Items|Properties)$/
const UNITS: Record<string, string> = { Length: 'character', Items: 'item', Properties: 'key' }

/** Describes a limit, to follow "must". */
function keep(keyword: string, limit: number): string {
  const [, counted] = COUNTED.exec(keyword) ?? []
  const bound = BOUNDS[keyword] ?? BOUNDS[keyword.replace(COUNTED, '')]
  if (counted === undefined) return `be ${bound} ${limit}`
  return `have ${bound} ${plural(limit, UNITS[counted] as string)}`
}

/**
 * Says that a value is beyond a limit.
 *
 * @param whole names the value, if not by its type
 */
function beyondLimit({ keyword, limit, value }: FactsOf['schema.limit'], whole?: string): string {
  const bound = BOUNDS[keyword] ?? BOUNDS[keyword.replace(COUNTED, '')]
  const isUpper = bound === 'at most' || bound === 'less than'
  if (typeof value === 'number') {
    const size = isUpper ? 'large' : 'small'
    return `${subject(value)} is too ${size}. It must be ${bound} ${limit}.`
  }

  const { name, count, unit } = countIn(value)
  const beginning = whole ?? `This ${name}`
  if (count === 0) return `${beginning} is empty. It must have ${bound} ${plural(limit, unit)}.`
  return `${beginning} has ${plural(count, unit)}. It must have ${bound} ${formatNumber(limit)}.`
}

function countIn(value: unknown): { name: string; count: number; unit: string } {
  if (typeof value === 'string')
    return { name: 'text', count: Array.from(value).length, unit: 'character' }
  if (Array.isArray(value)) return { name: 'list', count: value.length, unit: 'item' }
  return { name: 'object', count: Object.keys(asObject(value)).length, unit: 'key' }
}

/** For example "At least 2 items", "Exactly 1 item". */
function countOfItems(least: number, most: number | undefined): string {
  if (most === undefined) return `At least ${plural(least, 'item')}`
  if (least === most) return `Exactly ${plural(most, 'item')}`
  if (least === 0) return `At most ${plural(most, 'item')}`
  return `Between ${formatNumber(least)} and ${plural(most, 'item')}`
}

function nameBracketed(sign: string): string {
  return sign === '[' ? 'a list' : 'an object'
}

/** Says how a line gets beside another one, in a sentence of its own. */
function putBeside(neighbour: Neighbour): string {
  const { spaces } = neighbour
  const deed =
    spaces === 0 ? 'remove the spaces before it' : `indent it by ${plural(spaces, 'space')}`
  return ` To put it beside ${nameNeighbour(neighbour)}, ${deed}.`
}

/** For example `"name" at line 2`. */
function nameNeighbour({ name, line }: Neighbour): string {
  return `${name === undefined ? 'the item' : show(name)} at line ${formatNumber(line)}`
}
