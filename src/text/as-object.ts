/** Returns a value of any type as an object whose keys can be read; one without keys if it is none. */
export function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
