/**
 * Names common mistakes in a JSON text and how to fix them. A hint is looked up only after the
 * grammar has refused a text, so it never decides. Without a hint, a general message is used.
 */

import { toAscii } from '../../text/lookalikes.ts'
import { nameOf } from '../../text/wording.ts'
import { faultAt } from '../violation.ts'

const BUT = 'but a batch is JSON: a list in [ ] of pages in { }, keys and texts in double quotes'

/** Beginnings of files that are something else, and the message for each. */
const NOT_JSON: readonly [start: RegExp, says: string][] = [
  [
    /^version https:\/\/git-lfs\S*/,
    'this is a pointer of Git LFS, not the file itself; run git lfs pull',
  ],
  [
    /^\s*(```+|~~~+)/,
    'this is a code fence; remove its lines, {found} before the list and {found} after it',
  ],
  [
    /^\s*((?:export\s+default|module\.exports\s*=|(?:export\s+)?(?:const|let|var)\s[^=\n]*=))(?=\s*[[{])/,
    'this is JavaScript; remove {found} before the list, and any ; after it',
  ],
  [
    /^\s*(?:[\w$.]+|\/\*+\/\s*[\w$.]+)\((?=\s*[[{])/,
    'this is a call in JavaScript; keep only what is in its parentheses',
  ],
  [/^\s*1(?:[:.|)]\s*|\s+)[[{]/, 'the lines are numbered; remove the number before each'],
  [
    /^\s*[[{]\s*\{?\s*(\\"|&quot;)/,
    'the quotes are escaped; write " instead of {found} everywhere',
  ],
  [/^\s*(?:--\s|(?:INSERT|CREATE|SELECT|BEGIN|DROP|SET)\b)/i, `this looks like SQL, ${BUT}`],
  [/^\s*(?:---|-\s|[\w-]+:\s)/, `this looks like YAML, ${BUT}`],
  [/^\s*<(?!<<)/, `this looks like HTML or XML, ${BUT}`],
  [/^"?[\w -]+"?(?:[,;\t]"?[\w -]+"?)+\r?\n/, `this looks like CSV, ${BUT}`],
  [
    /^\s*(?!["'“`/<]|[[{])\S[^[{]*\n\s*[[{]/u,
    'there are words before the JSON; move them to another file',
  ],
  [
    /^\s*(?!(?:true|false|null|none|undefined)\b)[\p{L}#|$*]/iu,
    'this is no JSON: a file of pages begins with [',
  ],
]

/** Returns the message for a text that is not JSON at all, at its start. */
export function hintOfFile(text: string) {
  for (const [start, says] of NOT_JSON) {
    const [all, found = ''] = start.exec(text.slice(0, LONGEST_START)) ?? []
    if (all === undefined) continue
    const at = all.length - all.trimStart().length
    return faultAt(
      at,
      at + 1,
      says.replaceAll('{found}', () => found),
    )
  }
  return undefined
}

const LONGEST_START = 1_000

/** Text found where something else, or only what is named, is expected, and the message for it. */
const MISPLACED: readonly [at: RegExp, says: string, due?: string][] = [
  [
    /<{7}|={7}|>{7}|\|{7}/y,
    'a merge conflict is left here; join what its two sides say, and remove its markers',
  ],
  [/[\p{Z}\p{Cc}\p{Cf}\p{DI}]/uy, 'unexpected {name}; remove it ({due} must come here)'],
  [/['`]/y, `unexpected "{found}"; {due} must come here (JSON has double quotes only)`],
  [
    /(?<![\w-]=")(?:\/(?=[/*])|#)/y,
    'unexpected "{found}"; {due} must come here (JSON has no comments)',
  ],
  [/(?<=,\s*),/y, 'unexpected ","; remove it ({due} must come here)'],
  [/[\p{L}_$][\w-]{0,40}(?=\s*:)/uy, 'the key {found} must be in double quotes'],
  [/[\w-]{1,40}(?="\s*:)/y, 'a " must come here, before the key'],
  [/;|\.(?=\s*\n\s*["{[])/y, 'unexpected "{found}"; write a comma instead', 'a ","'],
  [/\}(?=\s*(?:\]|,\s*\{))/y, 'this } closes nothing; remove it', 'a "," or the end of the array'],
]

const NAMES: Record<string, string> = { '\ufeff': 'byte-order mark', '\u00a0': 'no-break space' }

/**
 * @param at the offset at which the text was refused
 * @param due what was expected there
 */
export function hintAt(text: string, at: number, due: string): string | undefined {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
  const meant = toAscii(character)
  if (meant !== character && '":,[]{}'.includes(meant)) {
    return `unexpected ${character} (${nameOf(character)}); write ${meant} instead (${due} must come here)`
  }
  for (const [mistake, says, only = ''] of MISPLACED) {
    mistake.lastIndex = at
    const [found] = due.startsWith(only) ? (mistake.exec(text) ?? []) : []
    if (found === undefined) continue
    const name = `${NAMES[found] ?? 'invisible character'} (${nameOf(found)})`
    return says.replace('{found}', found).replace('{name}', name).replace('{due}', due)
  }
  return undefined
}

/** By the first character of a text, and the first one after the end of its value. */
const AFTER_END: Record<string, string> = {
  '[]': 'this "]" closes nothing, because the list has ended before it; remove it',
  '[[': 'a second list begins here; replace the ] and [ between the two with a comma',
  '[,': 'the list has ended before this; remove the "]" before it, and the "[" after if there is one',
  '[{': 'a page follows the end of the list; put it before the "]", after a comma',
  '{{': 'a second page begins here; put [ before the first page, a comma between two, and ] after the last',
  '{,': 'pages must be in a list; put [ before the first page and ] after the last',
}

export function hintAfterEnd(text: string, at: number): string {
  const hint = AFTER_END[text.trimStart().charAt(0) + text.charAt(at)]
  return hint ?? 'there is text after the end of the JSON value; move it to another file'
}

/** Returns the fault if the end of a line seems to end a string, with a quote that JSON has not. */
export function hintOfQuote(text: string, start: number, end: number) {
  const [all = '', quote = ''] = /([^"\s])\s*[,:]?\s*$/.exec(text.slice(start + 1, end)) ?? []
  const isQuote =
    /^["'`]$/.test(toAscii(quote)) && /^\s*["}\]]/.test(text.slice(end, end + LONGEST_START))
  if (!isQuote) return undefined
  const at = end - all.length
  return faultAt(at, at + 1, `${quote} (${nameOf(quote)}) does not end the string; write " instead`)
}

const LONGEST_WORD = 40
/** A value of a shell of MongoDB, or of JavaScript. */
const CALL = /^\w+\(["']$/

/**
 * @param word the text where a literal or a number was expected
 * @param after the two characters after it
 */
export function hintOfWord(word: string, after: string): string {
  const shown = word.length > LONGEST_WORD ? `${word.slice(0, LONGEST_WORD)}…` : word
  const [meant] =
    /^(?:true|false|null)$/.exec(word.toLowerCase().replace(/^(?:none|undefined)$/, 'null')) ?? []
  if (meant) return `${shown} is not a JSON value; did you mean ${meant}?`
  if (word === 'new' || CALL.test(word + after))
    return `${shown}(…) is not JSON; keep only what is in its parentheses`
  if (/^\d{4}-\d\d-/.test(word))
    return `${shown} is not a JSON number; a date must be in double quotes`
  return /^[-+.]?\d/.test(word)
    ? `${shown} is not a JSON number (no leading zero or plus, digits on both sides of the point)`
    : `${shown} is not a JSON value; text must be in double quotes, except for true, false and null`
}
