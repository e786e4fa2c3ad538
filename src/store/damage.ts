/** Says in sentences what an inspection of the store has found. Pure. */
import { formatNumber, plural } from '../text/wording.ts'
import type { Doubt, Inspection } from './store.ts'

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
    const named = structure.map((fault) => `  ${fault.replaceAll('\n', ' ')}`)
    lines.push('the structure of the file is damaged:', ...shortened(named))
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

/** Says which submissions a command cannot vouch for, and what that means for its result. */
export function describeDoubt(doubt: Doubt, receipts: readonly string[]): string {
  const all = plural(receipts.length, 'submission')
  const isOne = receipts.length === 1
  const are = isOne ? 'is' : 'are'
  const were = isOne ? 'was' : 'were'
  const them = isOne ? 'it' : 'them'
  const sentences = {
    marked: `${all} ${are} damaged, so what you see of ${them} may be wrong`,
    leftOut: `this may be incomplete: ${all} ${are} damaged and ${were} left out`,
    lost: `this is incomplete: ${all} ${are} in the store, but cannot be reached ("check" says why)`,
  }

  const names = receipts.slice(0, MOST_NAMED).join(', ')
  const more = receipts.length - MOST_NAMED
  const rest = more > 0 ? ` and ${formatNumber(more)} more` : ''
  const advice = doubt === 'leftOut' ? '. "show RECEIPT" shows what is left of one' : ''
  return `${sentences[doubt]}: ${names}${rest}${advice}`
}
