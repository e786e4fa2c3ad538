/** Values, counts and names as they stand in a sentence. */

const LONGEST_SHOWN = 60

/** Formats a value as JSON, cut to fit on a line. An object or array is only named as such. */
export function show(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  if (typeof value === 'string') return JSON.stringify(cut(value, LONGEST_SHOWN))
  // JSON.parse returns Infinity for 1e999.
  const isTooLarge = Math.abs(Number(value)) === Number.POSITIVE_INFINITY
  return isTooLarge ? 'a number that is too large' : String(value)
}

/** Cuts a text to a length, with an ellipsis as its end, and never within a code point. */
export function cut(text: string, longest: number): string {
  if (text.length <= longest) return text
  return `${text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** Returns the code point of a character, such as U+200B. */
export function nameOf(character: string): string {
  const code = character.codePointAt(0) as number
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/** Formats like `toLocaleString('en-US')`, which takes longer to load than a small build takes. */
export function formatNumber(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** Formats a count with its word, for example "1,234 batches". */
export function plural(count: number, word: string): string {
  const ending = word.endsWith('ch') ? 'es' : 's'
  return `${formatNumber(count)} ${word}${count === 1 ? '' : ending}`
}

/** Formats a number of bytes, for example "112.4 kB". */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`
}
