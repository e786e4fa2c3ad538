/** Decides which problems are the same mistake in several places: only those are shown as one. */
import { type Fault, shownCode } from '../fault/fault.ts'
import { sha256Of } from '../text/digest.ts'
import { formatPlace, type Pointer } from '../text/pointer.ts'

/** Text in quotes, or a number: `"Cook"`, `'Cook'`, `12.5`; not the apostrophes of "isn't" and "doesn't". */
const VALUE = /"(?:[^"\\]|\\.)*"|(?<!\p{L})'[^']*'|‘[^’]*’|“[^”]*”|\d+(?:[.,]\d+)*/gu

/**
 * Returns a key that is the same for one mistake in all records: its code, its place in the record,
 * what it's about, and why the schema demands it. Faults of syntax and errors of functions also differ
 * by their sentences, without the values in these; repeated ids by whether the records are the same.
 *
 * @param within the place in the record, or in the file
 * @param message the sentence of the fault
 */
export function kindOf(fault: Fault, within: Pointer, message: string): string {
  const { about = '', because = [], range } = fault
  const place = formatPlace(within)
  const parts = [shownCode(fault), place, about]

  if (isSameRecord(fault)) parts.push('same')
  if (because.length > 0) parts.push(digestOf(JSON.stringify(because)))
  const isThrown = 'facts' in fault && 'reason' in fault.facts
  if (range !== undefined || isThrown) parts.push(digestOf(message.replace(VALUE, '#')))

  return parts.filter((part) => part !== '').join(' ')
}

/** Whether a record repeats another one with all its values. */
function isSameRecord(fault: Fault): boolean {
  return fault.code === 'path.repeated' && fault.facts.fields.length === 0
}

/** Memory holds the kind of every problem, so it's short. */
function digestOf(text: string): string {
  return sha256Of(text).slice(0, 8)
}
