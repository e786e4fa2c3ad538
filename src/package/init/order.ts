/** Whether records are kept in order. Pure. */
import type { Draft } from './drafts.ts'
import type { Id } from './ids.ts'

/** How many records must be in order, so that this isn't chance. */
const MANY_SORTED = 10

/** Returns the key by which the records of one file are sorted. */
export function sortKeyOf({ files, shape, records }: Draft, { parts }: Id): string | undefined {
  const isList = shape.kind === 'list' || shape.kind === 'under a key'
  if (files.length > 1 || !isList || records.length < MANY_SORTED) return undefined

  const [part] = parts
  const idKey = Array.isArray(part) && part.length === 1 ? part[0] : undefined
  const keys = [idKey, 'name', 'title'].filter((key) => key !== undefined)
  return keys.find((key) => isSorted(records.map(({ value }) => value[key])))
}

/** Whether all values are texts or numbers, and each comes before the next. */
function isSorted(values: readonly unknown[]): boolean {
  return values.every((value, index) => {
    if (index === 0) return typeof value === 'string' || typeof value === 'number'

    const previous = values[index - 1]
    if (typeof previous === 'number' && typeof value === 'number') return previous <= value
    if (typeof previous !== 'string' || typeof value !== 'string') return false
    return previous.normalize('NFC') <= value.normalize('NFC')
  })
}
