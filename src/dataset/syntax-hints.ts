/**
 * Names common mistakes in a JSON text and how to fix them. A hint is looked up only after the
 * grammar has refused a text, so it never decides. Without a hint, a general message is used.
 */
import { nameOf } from './wording.ts'

/** Text found where something else is expected, and the message for it. */
const MISPLACED: readonly [at: RegExp, says: string][] = [
  [/<{7}|={7}|>{7}|\|{7}/y, 'a merge conflict is left here; keep one side, remove its markers'],
  [
    /[\u2018-\u201f\u00ab\u00bb]/y,
    'unexpected curly quote {found}; write " instead ({due} must come here)',
  ],
  [/[\p{Z}\p{Cc}\p{Cf}\p{DI}]/uy, 'unexpected {name}; remove it ({due} must come here)'],
  [/'/y, `unexpected "'"; {due} must come here (JSON has double quotes only)`],
  [/\/(?=[/*])|#/y, 'unexpected "{found}"; {due} must come here (JSON has no comments)'],
  [/(?<=,\s*),/y, 'unexpected ","; remove it ({due} must come here)'],
  [/[\p{L}_$][\w-]{0,40}(?=\s*:)/uy, 'the key {found} must be in double quotes'],
]

const NAMES: Record<string, string> = { '\ufeff': 'byte-order mark', '\u00a0': 'no-break space' }

/**
 * @param at the offset at which the text was refused
 * @param due what was expected there
 */
export function hintAt(text: string, at: number, due: string): string | undefined {
  for (const [mistake, says] of MISPLACED) {
    mistake.lastIndex = at
    const [found] = mistake.exec(text) ?? []
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
  return hint ?? 'there is text after the end of the JSON value; remove it'
}

const YAML = /^\s*(?:---|-\s|[\w-]+:\s)/
const LONGEST_WORD = 40

/** @param word the text at the offset, where a literal or a number was expected */
export function hintOfWord(word: string, text: string, at: number): string {
  if (YAML.test(text) && text.slice(0, at).trim() === '') {
    return 'this looks like YAML, but a batch is JSON: a list in [ ] of pages in { }, keys and texts in double quotes'
  }
  const shown = word.length > LONGEST_WORD ? `${word.slice(0, LONGEST_WORD)}…` : word
  const [meant] =
    /^(?:true|false|null)$/.exec(word.toLowerCase().replace(/^(?:none|undefined)$/, 'null')) ?? []
  if (meant) return `${shown} is not a JSON value; did you mean ${meant}?`
  if (/^\d{4}-\d\d-/.test(word))
    return `${shown} is not a JSON number; a date must be in double quotes`
  return /^[-+.]?\d/.test(word)
    ? `${shown} is not a JSON number (no leading zero or plus, digits on both sides of the point)`
    : `${shown} is not a JSON value; text must be in double quotes, except for true, false and null`
}
