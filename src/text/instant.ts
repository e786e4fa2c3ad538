/** Reads an instant, as it is written in batches, pages and commands. */

/**
 * RFC 3339 in the one spelling that every browser reads (ECMA-262) and a sitemap may have, such as
 * 2025-08-28T10:15:00.000Z. Its day is a group of its own.
 */
const INSTANT = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/

/**
 * @param value such as "2025-08-28T10:15:00.000Z"
 * @returns milliseconds since 1970; undefined for any other value, also for 30 February
 */
export function readInstant(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined

  const [, day] = INSTANT.exec(value) ?? []
  if (day === undefined) return undefined

  const milliseconds = Date.parse(value)
  return Number.isNaN(milliseconds) || !isDay(day) ? undefined : milliseconds
}

/** Whether the calendar has a day such as 2025-02-28: Date takes 30 February for 2 March. */
function isDay(day: string): boolean {
  const isInEveryMonth = Number(day.slice(-2)) <= 28
  if (isInEveryMonth) return true

  const date = new Date(day)
  return !Number.isNaN(date.valueOf()) && date.toISOString().startsWith(day)
}
