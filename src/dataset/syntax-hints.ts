/**
 * What mistakes in a JSON text are called, and how they are mended. A hint is looked for only where
 * the grammar has refused a text. It never decides; where there is none, a general sentence stands.
 */
import { nameOf } from './wording.ts'

interface Mistake {
  /** What stands where the grammar refused; sticky. */
  at: RegExp
  /** @param due what the grammar would have taken, such as "a value" */
  says(found: string, due: string): string
  /** Where else than there it is no such mistake. */
  only?(text: string, at: number, due: string): boolean
}

const isDue = (what: string) => (_text: string, _at: number, due: string) => due.startsWith(what)
const DUE_VALUE = 'a value'
const DUE_KEY = 'a key'

const MISTAKES: readonly Mistake[] = [
  {
    at: /<{7}|={7}|>{7}|\|{7}/y,
    says: () =>
      'a merge conflict is left here; keep one side of it and remove the lines that begin with <<<<<<<, ======= and >>>>>>>',
  },
  {
    at: /[\u2018-\u201f\u00ab\u00bb\u2039\u203a]/y,
    says: (found, due) =>
      `a curly quote, ${found}, stands where ${due} must come; JSON has straight double quotes only`,
  },
  {
    at: /\ufeff/y,
    says: (_, due) => `a byte-order mark (U+FEFF) stands where ${due} must come; remove it`,
  },
  {
    at: /\u00a0/y,
    says: (_, due) =>
      `a no-break space (U+00A0) stands where ${due} must come; put a common space in its place`,
  },
  {
    at: /[\p{Z}\v\f\x85]/uy,
    says: (found, due) =>
      `a space that JSON does not know (${nameOf(found)}) stands where ${due} must come; put a common space in its place`,
  },
  {
    at: /[\p{Cc}\p{Cf}\p{DI}]/uy,
    says: (found, due) =>
      `an invisible character (${nameOf(found)}) stands where ${due} must come; remove it`,
  },
  {
    at: /'/y,
    says: (_, due) => `"'" stands where ${due} must come (JSON has double quotes only)`,
  },
  {
    at: /\/[/*]|#/y,
    says: ([first], due) => `"${first}" stands where ${due} must come (JSON has no comments)`,
  },
  {
    at: /,/y,
    only: (text, at) => text.slice(0, at).trimEnd().endsWith(','),
    says: (_, due) => `"," stands where ${due} must come; remove it`,
  },
  {
    at: /[\p{L}_$][\p{L}\p{N}_$-]{0,40}(?=\s*:)/uy,
    only: isDue(DUE_KEY),
    says: (found) => `the key ${found} must stand in double quotes`,
  },
  {
    at: /[^\s\]},:]/uy,
    only: isDue(DUE_VALUE),
    says: (found) =>
      `${JSON.stringify(found)} stands where a value must come; text stands in double quotes`,
  },
]

/**
 * @param at the offset at which the text was refused
 * @param due what would have been right there
 */
export function hintAt(text: string, at: number, due: string): string | undefined {
  for (const mistake of MISTAKES) {
    mistake.at.lastIndex = at
    const [found] = mistake.at.exec(text) ?? []
    if (found !== undefined && mistake.only?.(text, at, due) !== false) {
      return mistake.says(found, due)
    }
  }
  return undefined
}

/** What follows the end of the value that should have been all: `at` is where it begins. */
export function hintAfterEnd(text: string, at: number): string {
  const isList = text.trimStart().startsWith('[')
  const next = text[at] as string
  if (isList && next === ']') {
    return 'this "]" closes nothing, because the list has ended before it; remove it'
  }
  if (isList && next === '[') {
    return 'a second list begins here, but a batch is one list; put a comma in the place of the ] and [ between them'
  }
  if (isList && ',{'.includes(next)) {
    return 'the list has ended before this; to add pages to it, remove the "]" before, and the "[" after if there is one'
  }
  if (next === '{') {
    return 'a second page begins here, outside of a list; put [ before the first page, a comma between two, and ] after the last'
  }
  if (next === ',')
    return 'pages must stand in a list; put [ before the first page and ] after the last'
  return 'the file goes on after the end of its JSON value; remove what follows'
}

const YAML = /^\s*(?:---|-\s|[\w-]+:\s)/
const LONGEST_WORD = 40

const LITERALS: Record<string, string> = {
  ...{ true: 'true', false: 'false', null: 'null' },
  ...{ none: 'null', nil: 'null', undefined: 'null', nan: 'null' },
}

/** @param word what stands at the offset in the place of a literal or a number */
export function hintOfWord(word: string, text: string, at: number): string {
  if (YAML.test(text) && text.slice(0, at).trim() === '') {
    return 'this looks like YAML, but a batch is JSON: a list in [ ] of pages in { }, keys and texts in double quotes'
  }
  const shown = word.length > LONGEST_WORD ? `${word.slice(0, LONGEST_WORD)}…` : word
  const meant = Object.hasOwn(LITERALS, word.toLowerCase()) && LITERALS[word.toLowerCase()]
  if (meant) return `${shown} is not a JSON value; did you mean ${meant}?`
  if (/^\d{4}-\d\d-\d\d/.test(word)) {
    return `${shown} is not a JSON number; a date stands in double quotes`
  }
  return /^[-+.]?\d/.test(word)
    ? `${shown} is not a JSON number (no leading zero or plus, digits on both sides of the point)`
    : `${shown} is not a JSON value; text stands in double quotes, other words are true, false, null`
}
