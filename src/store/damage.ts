/** Says in sentences what an inspection of the store has found. Pure. */
import { formatNumber, plural } from '../text/wording.ts'
import type { Inspection } from './store.ts'

/** How many rows, and how many faults of the structure, are named. */
const MOST_NAMED = 50

/** Says how much is damaged, without naming any submission; undefined if nothing is. */
export function summarizeInspection({ rows, structure }: Inspection): string | undefined {
  const parts: string[] = []
  const receipts = new Set(rows.map(({ receipt }) => receipt))
  if (receipts.size > 0) parts.push(plural(receipts.size, 'submission'))
  if (structure.length > 0) parts.push('the structure of the file')
  return parts.length > 0 ? `damaged: ${parts.join(', ')}` : undefined
}

/** Says what is damaged, a line for each row; undefined if nothing is. */
export function describeInspection({ rows, structure }: Inspection): string | undefined {
  const lines: string[] = []
  if (rows.length > 0) {
    const receipts = new Set(rows.map(({ receipt }) => receipt))
    lines.push(`${plural(receipts.size, 'submission')} damaged:`)
    const named = rows.map(({ receipt, table, damage }) => {
      return `  ${receipt}  ${SAID[table]}: ${damage.join(', ')}`
    })
    lines.push(...shortened(named))
  }
  if (structure.length > 0) {
    lines.push('SQLite finds the structure of the file damaged:')
    lines.push(...shortened(structure.map((fault) => `  ${fault.replaceAll('\n', ' ')}`)))
  }
  return lines.length > 0 ? lines.join('\n') : undefined
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

/** Says which submissions a command has left out because they are damaged. */
export function describeLeftOut(receipts: readonly string[]): string {
  const names = receipts.slice(0, MOST_NAMED).join(', ')
  const more = receipts.length - MOST_NAMED
  const rest = more > 0 ? ` and ${formatNumber(more)} more` : ''
  const verb = receipts.length === 1 ? 'is damaged and was' : 'are damaged and were'
  return `${plural(receipts.length, 'submission')} ${verb} left out: ${names}${rest}`
}
