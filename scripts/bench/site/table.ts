/** Formats measurements as a table, with their budgets. Pure. */

/** The measurements of all rounds, in the unit of their row; undefined if there are none. */
export type Samples = readonly number[] | undefined

export interface Row {
  measure: string
  unit: string
  /** Digits after the point; 0 by default. */
  digits?: number
  /** What the median must not exceed, must stay below, or must reach. */
  budget?: { most: number } | { below: number } | { least: number }
  own: Samples
  /** In the order of the peers' names. */
  peers?: Samples[]
}

/** Whether the median is within the budget; undefined without a budget or measurements. */
export function isMet({ budget, own }: Row): boolean | undefined {
  if (!budget || !own?.length) return undefined
  const value = median(own)
  if ('most' in budget) return value <= budget.most
  return 'below' in budget ? value < budget.below : value >= budget.least
}

/** A Markdown table with the median of each row and, if rounds differ, the minimum and maximum. */
export function table(rows: readonly Row[], own: string, peers: readonly string[]): string {
  const lines = [['Measured', own, 'Budget', '', ...peers]]
  for (const row of rows) {
    const met = isMet(row)
    const mark = met === undefined ? '' : met ? '✓' : '✗'
    const others = peers.map((_, peer) => (row.peers ? cell(row.peers[peer], row) : ''))
    lines.push([row.measure, cell(row.own, row), budgetText(row), mark, ...others])
  }
  const widths = lines[0]?.map((_, column) => {
    return Math.max(3, ...lines.map((line) => line[column]?.length ?? 0))
  })
  const draw = (line: string[]) =>
    `| ${line.map((text, column) => text.padEnd(widths?.[column] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = lines
  const rule = `|${widths?.map((width) => '-'.repeat(width + 2)).join('|')}|`
  return [draw(head), rule, ...body.map(draw)].join('\n')
}

export function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const low = sorted[Math.ceil(middle) - 1] ?? Number.NaN
  const high = sorted[Math.floor(middle)] ?? Number.NaN
  return (low + high) / 2
}

function cell(samples: Samples, row: Row): string {
  if (!samples?.length) return 'not measured'
  const least = number(Math.min(...samples), row)
  const most = number(Math.max(...samples), row)
  const spread = least === most ? '' : ` (${least}–${most})`
  return `${number(median(samples), row)}${row.unit && ` ${row.unit}`}${spread}`
}

function budgetText({ budget, unit, ...row }: Row): string {
  if (!budget) return ''
  const sign = 'most' in budget ? '≤' : 'below' in budget ? '<' : '≥'
  const value = Object.values(budget)[0] as number
  const digits = Number.isInteger(value) ? 0 : 2
  return `${sign} ${number(value, { ...row, digits })}${unit && ` ${unit}`}`
}

function number(value: number, { digits = 0 }: { digits?: number | undefined }): string {
  return value.toLocaleString('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
}
