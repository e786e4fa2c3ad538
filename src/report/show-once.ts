/** Shows what is wrong with a file once, though several collections read it. Pure. */

import type { Problem } from '../explain/problem.ts'
import { isRefusal, NOT_CHECKED } from '../fault/codes.ts'
import { shownCode } from '../fault/fault.ts'
import type { ShownCollection } from './collections.ts'

/**
 * Leaves each problem to one collection: to the one whose record it's in, otherwise to the first. The
 * others say where it's shown. Warnings are left to the first.
 */
export function showOnce(collections: readonly ShownCollection[]): ShownCollection[] {
  const owners = ownersOf(collections)
  const warned = new Set<string>()

  return collections.map((collection) => {
    const problems: Problem[] = []
    const elsewhere = new Map<Problem, string>()
    for (const problem of collection.problems) {
      const owner = owners.get(keyOf(problem))
      if (owner === undefined || owner === collection.name) problems.push(problem)
      else elsewhere.set(problem, owner)
    }

    const warnings: Problem[] = []
    for (const warning of collection.warnings) {
      const key = keyOf(warning)
      if (!warned.has(key) || isOfCollection(warning)) warnings.push(warning)
      warned.add(key)
    }

    return { ...collection, problems, elsewhere, warnings }
  })
}

/** Which records are left out, and which references aren't checked, each collection says. */
function isOfCollection(warning: Problem): boolean {
  return isRefusal(warning) || NOT_CHECKED.includes(warning.code)
}

/** How many different problems there are. */
export function countDifferent(problems: readonly Problem[]): number {
  return new Set(problems.map(keyOf)).size
}

/** Returns the name of the collection that shows a problem, by its key. */
function ownersOf(collections: readonly ShownCollection[]): Map<string, string> {
  const claims = collections.flatMap(({ name, problems }) => {
    return problems.map((problem) => ({ name, problem }))
  })
  const ofRecords = claims.filter(({ problem }) => problem.record !== null)

  const owners = new Map<string, string>()
  for (const { name, problem } of [...ofRecords, ...claims]) {
    const key = keyOf(problem)
    if (!owners.has(key)) owners.set(key, name)
  }
  return owners
}

/** The same for one problem, whichever collection has it: their records differ. */
function keyOf(problem: Problem): string {
  const { batch, line, column, endColumn, pointer, message } = problem
  return JSON.stringify([batch, line, column, endColumn, pointer, shownCode(problem), message])
}
