/**
 * Names common mistakes in a JSON text and how to fix them. A hint is looked up only after the
 * grammar has refused a text, so it never decides. Without a hint, a general message is used.
 */
import { nameOf } from './wording.ts'

/** Text found where something else is expected, and the message for it. */
const MISPLACED: readonly [at: RegExp, says: string][] = [
  [/<{7}|={7}|>{7}|\|{7}/y, 'a merge conflict is left here; keep one side, remove its markers'],
  [/[\u2018-\u201f\u00ab\u00bb]/y, 'the curly quote {found} stands where {due} must come; write "'],
  [/[\p{Z}\p{Cc}\p{Cf}\p{DI}]/uy, '{name} stands where {due} must come; remove it'],
  [/'/y, `"'" stands where {due} must come (JSON has double quotes only)`],
  [/\/(?=[/*])|#/y, '"{found}" stands where {due} must come (JSON has no comments)'],
  [/(?<=,\s*),/y, '"," stands where {due} must come; remove it'],
  [/[\p{L}_$][\w-]{0,40}(?=\s*:)/uy, 'the key {found} must stand in double quotes'],
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
    const name = `a ${NAMES[found] ?? 'character that nobody sees'} (${nameOf(found)})`
    return says.replace('{found}', found).replace('{name}', name).replace('{due}', due)
  }
  return undefined
}

/** By the first character of a text, and the first one after the end of its value. */
const AFTER_END: Record<string, string> = {
  '[]': 'this "]" closes nothing, because the list has ended before it; remove it',
  '[[': 'a second list begins here; put a comma in the place of the ] and [ between the two',
  '[,': 'the list has ended before this; remove the "]" before it, and the "[" after if there is one',
  '[{': 'a page stands here after the end of the list; put it before the "]", after a comma',
  '{{': 'a second page begins here; put [ before the first page, a comma between two, and ] after the last',
  '{,': 'pages must stand in a list; put [ before the first page and ] after the last',
}

export function hintAfterEnd(text: string, at: number): string {
  const hint = AFTER_END[text.trimStart().charAt(0) + text.charAt(at)]
  return hint ?? 'the file goes on after the end of its JSON value; remove what follows'
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
    return `${shown} is not a JSON number; a date stands in double quotes`
  return /^[-+.]?\d/.test(word)
    ? `${shown} is not a JSON number (no leading zero or plus, digits on both sides of the point)`
    : `${shown} is not a JSON value; text stands in double quotes, other words are true, false, null`
}
