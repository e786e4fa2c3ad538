/** Says in sentences what an inspection of the store has found. Pure. */
import { formatNumber, plural } from '../text/wording.ts'
import type { DamagedRow, Inspection } from './store.ts'

/** How many rows, and how many faults of the structure, are named. */
const MOST_NAMED = 50

/** Says how much is damaged, without naming any submission; undefined if nothing is. */
export function summarizeInspection({ rows, structure }: Inspection): string | undefined {
  const receipts = new Set(rows.map(({ receipt }) => receipt))

  const parts: string[] = []
  if (receipts.size > 0) parts.push(plural(receipts.size, 'submission'))
  if (structure.length > 0) parts.push('the structure of the file')
  return parts.length > 0 ? `damaged: ${parts.join(', ')}` : undefined
}

/** Says what is damaged, a line for each row or fault; undefined if nothing is. */
export function describeInspection({ rows, structure }: Inspection): string | undefined {
  const parts: string[] = []
  if (structure.length > 0) parts.push(describeStructure(structure))
  if (rows.length > 0) parts.push(describeRows(rows))

  return parts.length > 0 ? parts.join('\n') : undefined
}

/** Says what is wrong with the structure of the file, a line for each fault. */
export function describeStructure(structure: readonly string[]): string {
  const named = structure.map((fault) => `  ${fault}`)
  return ['the structure of the file is damaged:', ...shortened(named)].join('\n')
}

/** Says which rows are damaged, a line for each. */
export function describeRows(rows: readonly DamagedRow[]): string {
  const receipts = new Set(rows.map(({ receipt }) => receipt))

  const named = rows.map(({ receipt, table, damage }) => {
    return `  ${receipt}  ${SAID[table]}: ${damage.join(', ')}`
  })
  return [`${plural(receipts.size, 'submission')} damaged:`, ...shortened(named)].join('\n')
}

const SAID = {
  submissions: 'the submission',
  repeats: 'the receipt of a repeat',
  outbox: 'its notification',
}

function shortened(lines: readonly string[]): string[] {
  if (lines.length <= MOST_NAMED) return [...lines]
  return [...lines.slice(0, MOST_NAMED), `  and ${formatNumber(lines.length - MOST_NAMED)} more`]
}

/** Says that a command shows damaged submissions. */
export function describeMarked(receipts: readonly string[]): string {
  const isOne = receipts.length === 1
  const are = isOne ? 'is' : 'are'
  const them = isOne ? 'it' : 'them'

  const all = plural(receipts.length, 'submission')
  return `${all} ${are} damaged, so what you see of ${them} may be wrong: ${listed(receipts)}`
}

/** Says that a command leaves out damaged submissions, because its options may mean them or not. */
export function describeLeftOut(receipts: readonly string[]): string {
  const isOne = receipts.length === 1
  const are = isOne ? 'is' : 'are'
  const were = isOne ? 'was' : 'were'

  const all = plural(receipts.length, 'submission')
  return `this may be incomplete: ${all} ${are} damaged and ${were} left out: ${listed(receipts)}. "show RECEIPT" shows what is left of one`
}

function listed(receipts: readonly string[]): string {
  const names = receipts.slice(0, MOST_NAMED).join(', ')
  const more = receipts.length - MOST_NAMED

  return more > 0 ? `${names} and ${formatNumber(more)} more` : names
}
