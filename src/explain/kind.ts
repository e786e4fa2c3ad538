/** Which problems are one mistake, made in several places. Only what reads the same is shown as one. */
import { type Fault, formatPointer, type Pointer } from '../page/fault.ts'
import { sha256Of } from '../text/digest.ts'

/** A position in a list, such as the /12 of /12/title. */
const POSITION = /\/\d+(?=\/|$)/g

/**
 * Returns what is the same for one mistake in all records: its code, its place in the record, what it's
 * about, and what is demanded there.
 *
 * @param within the place in the record, or in the file
 * @param message the sentence of the fault
 */
export function kindOf(fault: Fault, within: Pointer, message: string): string {
  const { code, about = '' } = fault
  const place = formatPointer(within).replace(POSITION, '/#')
  const parts = [code, place, about, digestOf(demandOf(fault, message))]
  return parts.filter((part) => part !== '').join(' ')
}

/** Returns what tells a fault from others of its code at one place; '' if nothing does. */
function demandOf({ facts, because, range, message: ofRule }: Fault, message: string): string {
  // The text of a file isn't in any record, and what others have written has no facts.
  const isSentence = range !== undefined || ofRule !== undefined || facts.reason !== undefined
  if (isSentence) return withoutValues(message)

  const demanded = JSON.stringify(facts, withoutValue)
  const reasons = because === undefined ? '' : JSON.stringify(because)
  return demanded === '{}' ? reasons : demanded + reasons
}

/** Text in quotes, or a number: `"Cook"`, `‘Cook’`, `12.5`. */
const VALUE = /"[^"]*"|'[^']*'|‘[^’]*’|“[^”]*”|\d+(?:[.,]\d+)*/g

/** Returns a sentence without the values in it, which differ from place to place. */
function withoutValues(sentence: string): string {
  return sentence.replace(VALUE, '#')
}

/** The facts that say what stands at one place, what it's near to, and which other place there is. */
const OF_ONE_PLACE: ReadonlySet<string> = new Set([
  ...['value', 'near', 'isItem', 'count', 'passing', 'earlier', 'becomes', 'item', 'returned'],
  ...['written', 'found', 'text', 'tag', 'element', 'meant', 'path', 'href', 'src'],
  ...['other', 'others', 'otherValue', 'otherKey', 'otherPath', 'otherIdentity', 'identity'],
  ...['fields', 'line', 'number'],
])

/** So many items of a list tell it from others. */
const MOST_COMPARED = 20

function withoutValue(name: string, value: unknown): unknown {
  if (OF_ONE_PLACE.has(name)) return undefined
  return Array.isArray(value) ? value.slice(0, MOST_COMPARED) : value
}

/** Memory holds the kind of every problem, so it's short. */
function digestOf(text: string): string {
  return text === '' ? '' : sha256Of(text).slice(0, 8)
}
