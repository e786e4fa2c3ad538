/** Where records name others: the paths in a configuration, such as `authors[].id`, and the collections. */
import { nearest } from '../text/nearest.ts'
import { show } from '../text/wording.ts'

/** Stands for each item of a list: it's written `[]`. */
export const EACH_ITEM: unique symbol = Symbol('[]')

/** A key of an object, or each item of a list. */
export type ReferenceStep = string | typeof EACH_ITEM

/** A key, then `[]` for a list, and again for a list in it: `name`, `borders[]`, `rows[][]`. */
const KEY_AND_LISTS = /^([^.[\]]+)((?:\[\])*)$/

/** @returns the steps from the record; undefined if the text isn't a path */
export function parseReferencePath(path: string): ReferenceStep[] | undefined {
  const steps: ReferenceStep[] = []

  for (const part of path.split('.')) {
    const [isPart, key = '', lists = ''] = KEY_AND_LISTS.exec(part) ?? []
    if (isPart === undefined) return undefined

    steps.push(key)
    for (let depth = lists.length / '[]'.length; depth > 0; depth--) steps.push(EACH_ITEM)
  }
  return steps
}

/** Writes a path as in a configuration. */
export function formatReferencePath(steps: readonly ReferenceStep[]): string {
  const parts = steps.map((step) => (step === EACH_ITEM ? '[]' : `.${step}`))
  return parts.join('').slice('.'.length)
}

/**
 * Says that a collection refers to one that isn't there.
 *
 * @param names of the collections that are there
 */
export function unknownCollection(from: string, to: string, names: readonly string[]): string {
  const [near] = nearest(to, names)
  const hint =
    near === undefined ? `there are ${names.map(show).join(', ')}` : `do you mean ${show(near)}?`
  return `"${from}.references" names the collection ${show(to)}, which isn't there; ${hint}`
}
