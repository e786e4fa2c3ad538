/**
 * Checks that every link of a page, and every reference, leads to a page. Memory holds the paths that
 * no batch has had so far, and after the last batch the problems.
 */

import type { Reading } from '../accept/accept.ts'
import { openBatch } from '../accept/open.ts'
import { findLinks } from '../accept/page-links.ts'
import type { BatchEntry } from '../dataset/format.ts'
import type { KeptPaths } from '../dataset/precedence.ts'
import { fileProblem, type Problem, toProblems, UNCHECKED } from '../explain/problem.ts'
import { fault } from '../explain/sentences.ts'
import { BuildError } from '../machine/errors.ts'
import { formatPointer, type Violation } from '../page/fault.ts'
import { nearest } from '../text/nearest.ts'
import { type ReadBatch, readAgain } from './read-batches.ts'
import type { Source } from './source.ts'

/** Each missing path is compared with those of all pages, so only the first get a suggestion. */
const MOST_SUGGESTED = 10

export type LinkCheck = ReturnType<typeof checkLinks>

/** @param keptPaths in which the pages of a batch claim their paths before it is added */
export function checkLinks(keptPaths: KeptPaths) {
  /**
   * The paths of refused records; null for those whose path is not known. One mistake is one problem,
   * so links to them are none.
   */
  const refusedPaths = new Set<string | null>()
  /** The paths that no record has had so far, and the batches that link to them. */
  const missing = new Map<string, Set<string>>()

  return {
    /** @param dropped the positions of the records that lost their paths: their links do not count */
    add({ name, pages, links, refused }: ReadBatch, dropped: ReadonlySet<number>): void {
      for (const path of refused) refusedPaths.add(path)
      for (const path of [...pages.paths, ...refused]) missing.delete(path ?? '')
      for (const { index, target } of links) {
        if (dropped.has(index) || keptPaths.has(target) || refusedPaths.has(target)) continue
        const batches = missing.get(target) ?? new Set()
        missing.set(target, batches.add(name))
      }
    },

    /**
     * Returns the links that lead nowhere, by reading their batches again. A refused record whose
     * path is not known may be the page that a link means: then it returns one warning, that the
     * links are not checked.
     *
     * @throws BuildError if a batch has changed since it was read
     */
    async findProblems(
      source: Source,
      entries: readonly BatchEntry[],
      reading: Reading,
    ): Promise<Problem[]> {
      const names = [...missing.values()].flatMap((batches) => [...batches])
      const [batch] = names
      if (batch === undefined) return []
      if (refusedPaths.has(null)) return [fileProblem(batch, fault(UNCHECKED, [], missing.size))]
      const wanted = new Map(names.map((name) => [name, new Set<number>()]))
      const paths = [...refusedPaths].flatMap((path) => path ?? [])
      for (const { path, batch, index } of keptPaths.pages()) {
        paths.push(path)
        wanted.get(batch)?.add(index)
      }
      const first = [...missing.keys()].slice(0, MOST_SUGGESTED)
      const suggestions = new Map(first.map((target) => [target, meantPath(target, paths)]))
      const problems: Problem[][] = []
      for (const entry of entries) {
        const { file } = entry
        const kept = wanted.get(file)
        if (!kept) continue
        const bytes = await readAgain(source, entry)
        if (!bytes) {
          throw new BuildError(
            `${file} has changed while the batches were read; run the command again`,
          )
        }
        const batch = openBatch(file, bytes, reading.content)
        const { references } = reading.check(batch.parsed.value)
        const violations = new Map<string, Violation>()
        for (const link of findLinks(batch, kept, references)) {
          const { index, target, written, pointer, within } = link
          if (!missing.has(target)) continue
          const meant = suggestions.get(target)
          const nowhere = { ...fault('link.nowhere', pointer, written, meant), about: target }
          const place = within
            ? batch.inFile(index, batch.pageOf(index), { ...nowhere, within })
            : nowhere
          violations.set(`${formatPointer(place.pointer)} ${within?.start}`, place)
        }
        problems.push(toProblems(batch, [...violations.values()], reading.frames))
      }
      return problems.flat()
    },
  }
}

/** Returns the path that was probably meant: the same name elsewhere, or a similar one beside. */
function meantPath(target: string, paths: readonly string[]): string | undefined {
  const [, parent = '', name = ''] = /^(.*\/)([^/]+)/.exec(target) ?? []
  const [same, another] = paths.filter((path) => path.endsWith(`/${name}`))
  if (same !== undefined && another === undefined) return same
  // Other numbers are other pages. Counting the letters that differ is slow in a large folder.
  const clueOf = (text: string) => text.slice(0, 1).toLowerCase() + text.replace(/\D/g, '')
  const beside = paths
    .filter((path) => path.startsWith(parent))
    .map((path) => path.slice(parent.length))
    .filter((each) => clueOf(each) === clueOf(name))
  const [close] = nearest(name, beside)
  return close === undefined ? undefined : parent + close
}
