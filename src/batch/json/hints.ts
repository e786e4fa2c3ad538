/** Says what is wrong with a text that is not JSON, and how to fix it. */

import { faultAt, type Range, type Violation } from '../../page/violation.ts'
import { nameLookalike, toAscii } from '../../text/lookalikes.ts'
import { cut } from '../../text/wording.ts'

const NO_JSON =
  'this is no JSON: a file of pages begins with the [ of its list and ends with the ] of it, with keys and texts in double quotes; move what else is there, such as the marks of a diff, to another file'
export const TOO_DEEP =
  'lists and objects are in each other more than 1,000 levels deep, too deep to be checked; write them with fewer levels'
const AFTER_END =
  'the JSON ends before this; all pages must be in one list, with one [ before the first, one ] after the last and a comma between two (move other text to another file)'
const COMMA = 'a comma must come here, between this value and the next, as between any two'
const STRAY_QUOTE = 'this quote ends the string; a double quote within a text is written \\"'
const KEY_QUOTE = 'this quote ends the key; a " is missing between the key and its colon'
const KEY_OUTSIDE =
  'the key before this is in no object; a { is missing before it, or a } before it is one too many'
const ONE_TOO_MANY = 'the JSON ends before this bracket; remove it'
const NO_END =
  'this string does not end on its line; its last " is missing, or is another quote (a line break in it is written "\\n")'
const CUT_OFF = 'the file ends inside this string; if it was cut off, deliver it again'
const NO_ESCAPE =
  'JSON has no such escape; write a backslash that is meant as \\\\, and remove any other'
const NO_VALUE =
  'is not a JSON value; write keys, texts and dates in double quotes, numbers as 29 or 0.5, yes and no as true and false, and nothing as null'

/** What may be found where something else is due, and a remark on each. */
const MISPLACED: readonly [at: RegExp, remark: string][] = [
  [
    /<{7}|={7}|>{7}|\|{7}/y,
    'a merge conflict is left here: keep the lines of one side (what only the other says is lost), and remove the lines of marks',
  ],
  [/[\p{Z}\p{Cc}\p{Cf}\p{DI}]/uy, 'this character is invisible: remove it'],
  [/\\+"/y, 'the quotes around keys and texts have no backslash: remove those'],
  [/['`]/y, 'JSON has double quotes only'],
  [/[/#]/y, 'JSON has no comments: move this one, with all that is in it, to another file'],
  [/\+/y, 'JSON cannot join texts: write them as one'],
]

/** Words follow, or the quote is the first of an attribute, such as `="/` or `=""`. */
const GOES_ON = /"[ \t,]*[\p{L}\p{N}.<>!?()][^"\n]*"|(?<=[\w-]=)"["/#]/uy
const VALUE = /["[{]|-?\d|(?:true|false|null)\b/y
const WORD = /[-+.\w$]+/y

/**
 * Explains the first error of jsonc-parser.
 *
 * @param due the code of the first error after it that says what is due: for tokens that JSON does
 *   not have, jsonc-parser does not say it
 * @param code 0 if it is unknown, because lists and objects are thousands of levels deep
 * @param open the object or list that is open, and its line
 */
export function explainError(
  text: string,
  due: number,
  code: number,
  { start, end }: Range,
  open: string | undefined,
): Violation {
  const first = text.length - text.trimStart().length
  if (code === 0) return faultAt('json.too-deep', first, first + 1, TOO_DEEP)
  if (/[^[{]/.test(text.charAt(first))) return faultAt('json.start', first, first + 1, NO_JSON)
  if (text[start] === '"' && code >= 12) return explainString(text, code, start, end)

  const before = text.slice(0, start).trimEnd().length
  const isObject = text[start] === '{' && open?.startsWith('the object')
  if (code === 6 && before < start && isAt(text, VALUE, start) && !isObject)
    return faultAt('json.comma-missing', before, before, COMMA)
  const quote = text.lastIndexOf('"', start - 1)
  if (isAt(text, GOES_ON, quote))
    return faultAt('json.quote', quote, quote + 1, due === 5 ? KEY_QUOTE : STRAY_QUOTE)
  if (text[before - 1] === ',' && /[\]}]/.test(text.charAt(start)))
    return faultAt(
      'json.comma-trailing',
      before - 1,
      before,
      'no comma may follow the last item or member',
    )
  let from = start
  while (isAt(text, WORD, from - 1)) from--
  const isWord = isAt(text, WORD, start) && (code < 3 || code === 13 || from < start)
  if (open && isWord && isAt(text, WORD, from)) {
    const [word, to] = [text.slice(from, WORD.lastIndex), WORD.lastIndex]
    // It is a value if another character is stuck to it.
    if (/^(?:true|false|null)$/.test(word)) return unexpected(text, 0, to, open)
    if (/\w/.test(word)) return faultAt('json.word', from, to, `${cut(word, 40)} ${NO_VALUE}`)
  }
  if (code === 6 && text[start] === ':') return faultAt('json.key-outside', start, end, KEY_OUTSIDE)
  return unexpected(text, due, start, open)
}

function explainString(text: string, code: number, start: number, end: number): Violation {
  const string = text.slice(start, end)
  if (code === 12)
    return faultAt('json.quote-missing', start, end, end < text.length ? NO_END : CUT_OFF)
  if (code === 16) {
    const at = start + string.search(/[^ -\uffff]/)
    const written = JSON.stringify(text.charAt(at))
    return faultAt(
      'json.control-character',
      at,
      at + 1,
      `this control character must be written ${written} in a text`,
    )
  }
  const escapes = string.matchAll(/\\(?:["\\/bfnrt]|u[\da-fA-F]{4})?/g)
  const { index = 0 } = [...escapes].find(([found]) => found === '\\') ?? {}
  return faultAt('json.escape', start + index, start + index + 2, NO_ESCAPE)
}

function unexpected(text: string, code: number, at: number, open = ''): Violation {
  const isObject = open.startsWith('the object')
  const isFirst = /[[{,]/.test(text.slice(0, at).trimEnd().at(-1) ?? '')
  const end = isObject ? 'the }' : 'the ]'
  const key = text[at] === '{' ? 'a } or a key in double quotes' : 'a key in double quotes'
  let due = `a "," or ${end}`
  if (code === 5) due = 'the ":" after the key'
  else if (code === 3 || (isFirst && isObject)) due = key
  else if (code === 4 || isFirst || open === '') due = 'a value'
  const where = open && ` (${open})`
  const ends = `the file ends here, where ${due} must come${where}; if it was cut off, deliver it again`
  if (at >= text.length) return faultAt('json.end', at, at, ends)
  const character = String.fromCodePoint(text.codePointAt(at) as number)
  const shown = `unexpected ${character === '"' ? `'"'` : JSON.stringify(character)}`
  const meant = toAscii(character)
  const isMark = meant !== character && '":,[]{}'.includes(meant)
  const [, found] = MISPLACED.find(([mistake]) => isAt(text, mistake, at)) ?? []
  const remark = isMark ? nameLookalike(character) : found
  const isBracket = /^[\]}\s]+$/.test(text.slice(at))
  let says = remark ? `${shown} (${remark})` : `${shown}; ${due} must come here${where}`
  if (!remark && open === '') says = isBracket ? ONE_TOO_MANY : AFTER_END
  return faultAt('json.unexpected', at, at + character.length, says)
}

/** @param expression sticky */
function isAt(text: string, expression: RegExp, at: number): boolean {
  expression.lastIndex = at
  return expression.test(text)
}
