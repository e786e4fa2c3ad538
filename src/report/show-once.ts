/** Shows what is wrong with a file once, though several collections read it. Pure. */
import { isRefusal } from '../accept/codes.ts'
import type { Problem } from '../explain/problem.ts'
import { groupBy } from '../machine/group-by.ts'
import type { ShownCollection } from './collections.ts'

/**
 * Leaves each problem to one collection: to the one whose record it's in, otherwise to the first. The
 * others say where it's shown. Warnings are left to the first.
 */
export function showOnce(collections: readonly ShownCollection[]): ShownCollection[] {
  const owners = ownersOf(collections)
  const warned = new Set<string>()

  return collections.map((collection) => {
    const { name, problems } = collection
    const ownerOf = (problem: Problem) => owners.get(keyOf(problem)) as string

    const own = problems.filter((problem) => ownerOf(problem) === name)
    const others = problems.filter((problem) => ownerOf(problem) !== name)
    const elsewhere = new Map(others.map((problem) => [problem, ownerOf(problem)]))
    const warnings = collection.warnings.filter((warning) => isFirst(warning, warned))
    return { ...collection, problems: own, elsewhere, warnings }
  })
}

/** How many different problems there are. */
export function countDifferent(problems: readonly Problem[]): number {
  return new Set(problems.map(keyOf)).size
}

/** Returns the name of the collection that shows a problem, by its key. */
function ownersOf(collections: readonly ShownCollection[]): Map<string, string> {
  const claims = collections.flatMap(({ name, problems }) => {
    return problems.map((problem) => ({ name, problem, key: keyOf(problem) }))
  })

  const owners = new Map<string, string>()
  for (const [key, claimsOfOne] of groupBy(claims, (claim) => claim.key)) {
    const ofRecord = claimsOfOne.find(({ problem }) => problem.record !== null)
    const [first] = claimsOfOne
    owners.set(key, (ofRecord ?? first)?.name ?? '')
  }
  return owners
}

/** Whether no other collection has this warning. Which records are left out, each collection says. */
function isFirst(warning: Problem, seen: Set<string>): boolean {
  if (isRefusal(warning)) return true

  const key = keyOf(warning)
  const isNew = !seen.has(key)
  seen.add(key)
  return isNew
}

/** The same for one problem, whichever collection has it: their records differ. */
function keyOf({ batch, line, column, endColumn, pointer, code, message }: Problem): string {
  return JSON.stringify([batch, line, column, endColumn, pointer, code, message])
}
