/** What a run says loses nothing that was delivered, even if an author does it to the letter. */
import { expect, test } from 'vitest'
import { toAscii } from '../../src/text/lookalikes.ts'
import { FAULTS, GOOD } from '../helpers/faults.ts'
import { compileCheck, validate } from '../helpers/page.ts'
import { SAMPLE_FAULTS } from './faults.ts'
import { obey } from './obey.ts'

const check = compileCheck()
const problemsOf = (text: string) => validate('b.json', Buffer.from(text), check, 0).problems

/** The texts of a batch without tags; not paths, times and names of fields. */
function textsOf(text: string): string[] {
  const texts: string[] = []
  JSON.parse(text, (key, value) => {
    const isText =
      typeof value === 'string' && !/^(?:path|createdAt|updatedAt|name|type)$/.test(key)
    if (isText && /^\s*[[{]/.test(value)) texts.push(...textsOf(value))
    else if (isText && !/^(?:true|null)$/.test(value))
      texts.push(
        Array.from(value.replace(/<!\[CDATA\[|\]\]>|<[^<>]*>|&#?\w+;?/g, ' '), toAscii).join(''),
      )
    return value
  })
  return texts
}

/** Their words that are not in what was made of them. */
function missingWords(before: string, after: string): string[] {
  const words = textsOf(before).flatMap((text) => text.match(/[\p{L}\p{N}]{3,}/gu) ?? [])
  const kept = textsOf(after).join(' ')
  return words.filter((word) => !kept.includes(word))
}

test.each(
  [...FAULTS, ...SAMPLE_FAULTS].flatMap(({ fault, batch, of = GOOD }) => {
    if (batch instanceof Uint8Array) return []
    const text =
      typeof batch === 'string'
        ? batch
        : batch.reduce((all, [from, to]) => all.replace(from, () => to), of)
    try {
      JSON.parse(text)
    } catch {
      return []
    }
    return [{ fault, text }]
  }),
)('$fault', ({ text }) => {
  let isLost = false
  let now = text
  for (let round = 0; round < 40; round++) {
    const told = problemsOf(now)
    // What is moved to another file is kept there.
    isLost ||= told.some(({ message }) => /\blost\b(?! then)|to another file/.test(message))
    const next = obey(now, told)
    if (next === undefined || next === now) break
    now = next
  }
  if (!isLost) expect(missingWords(text, now)).toEqual([])
})
