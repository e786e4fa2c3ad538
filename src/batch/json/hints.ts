/**
 * Names common mistakes in a JSON text and how to fix them. A hint is looked up only after the
 * grammar has refused a text, so it never decides. Without a hint, a general message is used.
 */

import { nameLookalike, toAscii } from '../../text/lookalikes.ts'
import { faultAt } from '../violation.ts'

/** How files begin that are no JSON, and the message for each. */
const NOT_JSON: readonly [start: RegExp, says: string][] = [
  [
    /^version https:\/\/git-lfs/,
    'this is a pointer of Git LFS, not the file itself; run git lfs pull',
  ],
  [/^\s*1(?:[:.|)]\s*|\s+)[[{]/, 'the lines are numbered; remove the number before each'],
  [/^\s*[[{]\s*\{?\s*(?:\\"|&quot;)/, 'the quotes in this file are escaped; write " everywhere'],
  [
    /^\s*[^\s[{].*?[[{]\s*["{[]/s,
    'the file must begin with the [ of its list, and end with the ] of it; move what stands around them to another file',
  ],
  [
    /^\s*[^\s[{]/,
    'this is no JSON: a file of pages is a list in [ ] of pages in { }, with keys and texts in double quotes',
  ],
]

/** Returns the message for a text that is not JSON at all, at its start. */
export function hintOfFile(text: string) {
  const [, says] = NOT_JSON.find(([start]) => start.test(text.slice(0, 1_000))) ?? []
  const at = text.length - text.trimStart().length
  return says === undefined ? undefined : faultAt(at, at + 1, says)
}

/** What may be found where something else is due, and a remark on each. */
const MISPLACED: readonly [at: RegExp, remark: string][] = [
  [
    /<{7}|={7}|>{7}|\|{7}/y,
    'a merge conflict is left here: join what its two sides say, and remove its markers',
  ],
  [/[\p{Z}\p{Cc}\p{Cf}\p{DI}]/uy, 'this character is invisible: remove it'],
  [/['`]/y, 'JSON has double quotes only'],
  [/[/#]/y, 'JSON has no comments'],
]

/** Returns a remark on what was refused at an offset, or undefined. */
export function hintAt(text: string, at: number): string | undefined {
  const character = String.fromCodePoint(text.codePointAt(at) as number)
  const meant = toAscii(character)
  if (meant !== character && '":,[]{}'.includes(meant)) return nameLookalike(character)
  const [, remark] =
    MISPLACED.find(([mistake]) => {
      mistake.lastIndex = at
      return mistake.test(text)
    }) ?? []
  return remark
}
