/**
 * The build in a few plain lines: whole batches as objects, claimed in a Map, written by
 * `JSON.stringify`. The pipeline must have the same result without creating the objects.
 */

import type { Page } from '../../scripts/samples/batches.ts'
import { DATASET } from '../../src/dataset/format.ts'
import { type Duplicate, differingFields } from '../../src/dataset/precedence.ts'
import { fault } from '../../src/fault/fault.ts'
import { type Compiled, validate } from './page.ts'

/** @param batches names and bytes, in the order of precedence */
export function plainBuild(batches: readonly (readonly [string, Buffer])[], check: Compiled) {
  const kept = new Map<string, { page: Page; batch: string; index: number }>()
  const duplicates = new Map<string, Duplicate>()
  const problems = batches.flatMap(([batch, bytes]) => {
    const { pages, problems, lost, locate } = validate(
      batch,
      bytes,
      check,
      Number.POSITIVE_INFINITY,
    )
    const conflicts = pages.flatMap(({ page, index }) => {
      const first = kept.get(page.path)
      if (!first) {
        kept.set(page.path, { page, batch, index })
        return []
      }
      const fields = differingFields(first.page, page)
      const provenance = { batch: first.batch, index: first.index }
      const duplicate: Duplicate = duplicates.get(page.path) ?? {
        id: page.path,
        kept: provenance,
        dropped: [],
      }
      const kind = fields.length === 0 ? 'identical' : 'conflicting'
      duplicate.dropped.push({ batch, index, kind, fields })
      duplicates.set(page.path, duplicate)
      if (fields.length === 0) return []
      return [fault('path.conflict', [index, 'path'], { fields, other: provenance })]
    })
    return [...problems, ...lost, ...locate(conflicts)].sort(
      (a, b) => a.line - b.line || a.column - b.column,
    )
  })
  const lines = [...kept.values()].map(({ page }) => JSON.stringify(page))
  const { start, end, empty } = DATASET.list
  const dataset = lines.length === 0 ? empty : start + lines.join(DATASET.between) + end
  return { dataset, duplicates: [...duplicates.values()], problems }
}
