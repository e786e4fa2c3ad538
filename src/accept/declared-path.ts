/** Finds out whether a schema knows a path at which records refer to others. Pure. */
import { EACH_ITEM, type ReferenceStep } from '../collections/references.ts'
import { createPlaces, isDeclared, type Places } from '../schema/known.ts'
import type { Node } from '../schema/schemas-in.ts'
import type { Pointer } from '../text/pointer.ts'
import type { SchemaChoice } from './schema-choice.ts'

/**
 * Whether a schema declares each key of a path.
 *
 * @param records places of records in their files
 */
export function declaresPath(
  choice: SchemaChoice,
  records: readonly Pointer[],
  steps: readonly ReferenceStep[],
): boolean {
  const starts = choice.kind === 'record' ? [[]] : records
  return rootsOf(choice).some((root) => {
    const places = createPlaces(root)
    return starts.some((start) => declares(places, start, steps))
  })
}

function rootsOf(choice: SchemaChoice): Node[] {
  if (choice.kind === 'none') return []
  if (choice.kind === 'named') return choice.schemas.map(({ schema }) => schema.root)
  return [choice.schema.root]
}

function declares(places: Places, start: Pointer, steps: readonly ReferenceStep[]): boolean {
  let place = places.root
  for (const step of start) place = places.within(place, String(step))

  for (const step of steps) {
    if (step !== EACH_ITEM && !isDeclared(place, step)) return false
    place = places.within(place, step === EACH_ITEM ? '0' : step)
  }
  return true
}
