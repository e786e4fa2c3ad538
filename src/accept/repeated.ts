/** Finds the records of one batch that have one path, though they are different. Pure. */
import { differingFields } from '../dataset/precedence.ts'
import type { Content } from '../page/content.ts'
import { type Fault, fault } from '../page/fault.ts'
import type { Pages } from './emit.ts'
import type { Records } from './records.ts'

/**
 * Returns a fault for each page whose path an earlier page of its batch has, if the two may not share
 * it: because they're under two keys of one object, or because `content.ts` refuses duplicates that
 * differ. Between two batches, the first one wins; that's for the dataset to say.
 */
export function repeatedFaults(pages: Pages, records: Records, content: Content): Fault[] {
  const isKeyed = keyOf(records, 0) !== undefined
  if (!isKeyed && content.duplicates !== 'refuse') return []

  const faults: Fault[] = []
  const firstByPath = new Map<string, number>()

  for (const [at, path] of pages.paths.entries()) {
    const earlier = firstByPath.get(path)
    if (earlier === undefined) {
      firstByPath.set(path, at)
      continue
    }

    const repeated = repeatedFault(pages, records, content, earlier, at)
    if (repeated) faults.push({ ...repeated, page: pages.indexes[at] as number })
  }
  return faults
}

/**
 * Returns the fault of a page whose path an earlier one has, if the two may not share it.
 *
 * @param earlier the position of the earlier page in `pages`, and `at` that of the later one
 */
function repeatedFault(
  pages: Pages,
  records: Records,
  { identity, duplicates }: Content,
  earlier: number,
  at: number,
): Fault | undefined {
  const index = pages.indexes[at] as number
  const other = pages.indexes[earlier] as number

  const key = keyOf(records, index)
  const otherKey = keyOf(records, other)
  const areTwoKeys = key !== undefined && otherKey !== undefined && key !== otherKey
  if (areTwoKeys && !identity) return fault('path.two-keys', ['path'], { key, otherKey, other })

  // Two identities on one path are a problem of their own, whatever `duplicates` says.
  const areTwoIdentities = pages.identities[at] !== pages.identities[earlier]
  if (duplicates !== 'refuse' || areTwoIdentities) return undefined

  const fields = differingFields(pageAt(pages, earlier), pageAt(pages, at))
  return fields.length === 0 ? undefined : fault('path.repeated', ['path'], { fields, other })
}

/** The key of a record in the object that it is in; undefined in a list. */
function keyOf(records: Records, index: number): string | undefined {
  if (index >= records.all.length) return undefined
  const key = records.pointerTo(index).at(-1)
  return typeof key === 'string' ? key : undefined
}

function pageAt({ bytes, starts, ends }: Pages, at: number): object {
  return JSON.parse(bytes.toString('utf8', starts[at], ends[at]))
}
