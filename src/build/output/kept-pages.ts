/**
 * Lets pages claim their paths, and writes those that are kept straight to a file: memory holds the
 * claimed paths, but no pages.
 */

import type { Pages } from '../../accept/accept.ts'
import type { OpenBatch } from '../../accept/open.ts'
import { DATASET } from '../../dataset/format.ts'
import { differingFields, type KeptPaths, type Provenance } from '../../dataset/precedence.ts'
import { fault } from '../../explain/sentences.ts'
import type { Digest, GrowingFile } from '../../machine/growing-file.ts'
import { parsePointer, type Violation } from '../../page/fault.ts'
import type { ReadBatch } from '../read-batches.ts'

/** A fault of a record that only shows beside another one. It finds its place in the batch. */
export type LateFault = (batch: OpenBatch) => Violation

const START = Buffer.from(DATASET.start)
const BETWEEN = Buffer.from(DATASET.between)

/**
 * @param file of the dataset; still empty
 * @param keptPaths where the pages claim their paths; still empty
 */
export function keepPages(file: GrowingFile, keptPaths: KeptPaths) {
  /** The offset of each kept page in the file. */
  const offsets: number[] = []
  /** The values that only one page may have, each with where it was found first. */
  const found = new Map<string, Provenance>()
  /** How many of the pages have a form. */
  let withForms = 0

  /** Writes pages from one position to before another; `BETWEEN` is between them already. */
  function keep({ starts, ends, bytes }: Pages, first: number, end: number): void {
    if (first === end) return
    file.add(file.size === 0 ? START : BETWEEN)
    const start = starts[first] as number
    const moved = file.size - start
    for (let at = first; at < end; at++) offsets.push((starts[at] as number) + moved)
    file.add(bytes.subarray(start, ends[end - 1]))
  }

  /** The bytes of a kept page. */
  function read(number: number): Buffer {
    const start = offsets[number] as number
    const next = offsets[number + 1]
    const end = next === undefined ? file.size : next - BETWEEN.length
    return file.read(start, end - start)
  }

  /** Finds values that an earlier page has, too, under the same mark of the schema. */
  function findShared({ name: batch, uniques }: ReadBatch, dropped: ReadonlySet<number>) {
    const faults: LateFault[] = []
    for (const { index, place, value, schema } of uniques) {
      if (dropped.has(index)) continue
      const key = `${schema} ${JSON.stringify(value)}`
      const first = found.get(key)
      if (!first) found.set(key, { batch, index })
      else if (first.batch !== batch || first.index !== index)
        faults.push(({ pageOf }) => {
          // Made again: its path is named.
          pageOf(index)
          return fault('schema.unique', parsePointer(place), value, placeOf(first))
        })
    }
    return faults
  }

  return {
    /**
     * Lets the pages of a batch claim their paths. The first record to claim a path keeps it.
     *
     * @param batch batches come in the order of precedence
     * @param isStrict whether a record may not differ from the one that keeps its path
     * @returns the positions of the records that lost their paths, and the faults that show
     */
    claim(batch: ReadBatch, isStrict = false): { dropped: Set<number>; faults: LateFault[] } {
      const { paths, indexes, identities, hasForm, starts, ends, bytes } = batch.pages
      const losers: { at: number; winner: number }[] = []
      let next = 0
      for (const [at, path] of paths.entries()) {
        const winner = keptPaths.claim(path, batch.name, indexes[at] as number, identities[at])
        if (winner === undefined) {
          if (hasForm[at]) withForms++
          continue
        }
        keep(batch.pages, next, at)
        next = at + 1
        losers.push({ at, winner })
      }
      keep(batch.pages, next, paths.length)
      const faults: LateFault[] = []
      for (const { at, winner } of losers) {
        const index = indexes[at] as number
        const fields = differingFieldsOf(read(winner), bytes.subarray(starts[at], ends[at]))
        keptPaths.drop(winner, paths[at] as string, { batch: batch.name, index }, fields)
        const refuse = (violation: Violation) =>
          faults.push(({ inFile, pageOf }) => inFile(index, pageOf(index), violation))
        const place = placeOf(keptPaths.provenance(winner))
        const [own, other] = [identities[at], keptPaths.identity(winner)]
        if (own !== other) refuse(fault('path.two-records', ['path'], own, other, place))
        else if (isStrict && fields.length > 0)
          refuse(fault('path.conflict', ['path'], fields, place))
      }
      const dropped = new Set(losers.map(({ at }) => indexes[at] as number))
      return { dropped, faults: [...faults, ...findShared(batch, dropped)] }
    },

    /** Completes the dataset. */
    seal(): Digest & { withForms: number } {
      file.add(Buffer.from(offsets.length === 0 ? DATASET.empty : DATASET.end))
      return { ...file.seal(), withForms }
    },
  }
}

function placeOf({ batch, index }: Provenance): string {
  return `record ${index} of ${batch}`
}

function differingFieldsOf(kept: Buffer, dropped: Buffer): string[] {
  if (kept.equals(dropped)) return []
  return differingFields(JSON.parse(kept.toString()), JSON.parse(dropped.toString()))
}
