/** Formats submissions for the terminal of their owner. */
import stringWidth from 'string-width'
import { formatFields, inOneLine, printableLine, startOf } from '../notify/message.ts'
import type { Counts, StoredSubmission } from '../store/submission.ts'
import { formatNumber, plural } from '../text/wording.ts'

/** The time zone of this machine, such as Europe/Berlin. */
export const { timeZone } = Intl.DateTimeFormat().resolvedOptions()

/** Formats a moment in that time zone, to the minute. */
export function formatTime(moment: string | Date): string {
  // Swedish writes dates as in ISO 8601, such as 2026-03-28 12:00:00.
  return new Date(moment).toLocaleString('sv-SE').slice(0, 16)
}

const HEADINGS = [`Received (${timeZone})`, 'Page', 'Receipt', 'Status', 'Content']

/** The least number of columns for the content. */
const NARROWEST = 20

/** Formats submissions as a table, one line each, cut to the width of a terminal in columns. */
export function* formatTable(
  submissions: readonly StoredSubmission[],
  width: number,
): Generator<string> {
  const rows = [HEADINGS, ...submissions.map(cells)]
  const widths = HEADINGS.slice(0, -1).map((_, column) => widestOf(rows, column) + 2)
  const left = widths.reduce((sum, columnWidth) => sum + columnWidth, 0)

  for (const row of rows) {
    const padded = widths.map((columnWidth, column) => {
      const text = row[column] ?? ''
      return text + ' '.repeat(columnWidth - stringWidth(text))
    })

    const content = cutToWidth(row.at(-1) ?? '', Math.max(NARROWEST, width - left))
    yield `${padded.join('')}${content}\n`
  }
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Cuts a text to a number of columns, with an ellipsis as its end. East Asian letters take two. */
function cutToWidth(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text

  let kept = ''
  let width = 1

  for (const { segment } of segmenter.segment(text)) {
    width += stringWidth(segment)
    if (width > columns) break
    kept += segment
  }

  return `${kept}…`
}

/** Returns the width of the widest cell of a column. */
function widestOf(rows: readonly string[][], column: number): number {
  let widest = 0
  for (const row of rows) widest = Math.max(widest, stringWidth(row[column] ?? ''))
  return widest
}

function cells({ receivedAt, path, receipt, status, repeats, fields, damage }: StoredSubmission) {
  const times = repeats > 0 ? `, ${formatNumber(repeats + 1)} times` : ''
  return [
    formatTime(receivedAt),
    printableLine(path),
    startOf(receipt),
    `${status}${times}${damage ? ', damaged' : ''}`,
    inOneLine(fields),
  ]
}

/** Formats the number of submissions as a sentence. */
export function formatCounts({ received, suspect, spam, repeats }: Counts): string {
  const parts = [
    plural(received + suspect + spam, 'submission'),
    ...(suspect > 0 ? [`${formatNumber(suspect)} suspected to be spam`] : []),
    ...(spam > 0 ? [`${formatNumber(spam)} marked as spam`] : []),
    ...(repeats > 0 ? [`${formatNumber(repeats)} more sent again and not stored twice`] : []),
  ]
  return `${parts.join(', ')}\n`
}

/** Says what it meant for visitors that nothing was stored for some seconds. */
export function formatWait(seconds: number): string {
  if (seconds < 1) return ''
  return seconds < 10
    ? ` Forms that were sent meanwhile waited for up to ${seconds.toFixed(1)} seconds.`
    : ` This took ${seconds.toFixed(0)} seconds. Forms that were sent meanwhile waited, and were refused after ten seconds.`
}

/** Formats everything that is known about one submission. */
export function formatSubmission(submission: StoredSubmission): string {
  const { receipt, receivedAt, path, status, repeats, dataset, contentHash, fields, damage } =
    submission

  const facts = [
    ['Receipt', receipt],
    ['Received', `${formatTime(receivedAt)} (${timeZone}), ${receivedAt}`],
    ['Page', path],
    ['Status', status],
    ['Sent', repeats === 0 ? 'once' : `${formatNumber(repeats + 1)} times`],
    ['Hash', contentHash],
    ['Dataset', dataset],
    ...(damage ? [['Damaged', damage.join(', ')]] : []),
  ]

  const lines = facts.map(
    ([name = '', value = '']) => `${name.padEnd(10)}${printableLine(value)}\n`,
  )

  return [...lines, formatFields(fields)].join('')
}
