/** Reads an instant, as it is written in batches, pages and commands. */

/** RFC 3339 in the one spelling that every browser reads (ECMA-262) and a sitemap may have. */
const INSTANT = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/

/**
 * @param value such as "2025-08-28T10:15:00.000Z"
 * @returns milliseconds since 1970; undefined for any other value, also for 30 February
 */
export function readInstant(value: unknown): number | undefined {
  const [text = '', day = ''] = (typeof value === 'string' && INSTANT.exec(value)) || []
  const milliseconds = Date.parse(text)
  // Date takes 30 February for 2 March.
  const exists = !Number.isNaN(milliseconds) && new Date(day).toISOString().startsWith(day)
  return exists ? milliseconds : undefined
}
