/** Which problems are the same mistake, made many times. */
import type { Problem } from './problem.ts'

/** A problem, and those of the same kind that are not shown. */
export interface Shown {
  problem: Problem
  others: Problem[]
}

/** As many problems of one kind are shown one by one. */
export const FEW = 3

/**
 * What the same mistake in another record has in common with this one: its place in the record, and
 * the message without the values in it.
 *
 * @param pointer RFC 6901
 */
export function kindOf(pointer: string, message: string): string {
  return `${pointer.replace(/^\/\d+/, '')} ${message.replace(/"(?:[^"\\]|\\.)*"|\d+/g, '…')}`
}

/** Returns the problems to show: of a kind that comes more than a few times, only the first. */
export function foldProblems(problems: readonly Problem[]): Shown[] {
  const kinds = new Map<string, Problem[]>()
  for (const problem of problems) {
    const kind = kindOf(problem.pointer, problem.message)
    const same = kinds.get(kind)
    if (same) same.push(problem)
    else kinds.set(kind, [problem])
  }
  return problems.flatMap((problem) => {
    const same = kinds.get(kindOf(problem.pointer, problem.message)) as Problem[]
    if (same.length <= FEW) return [{ problem, others: [] }]
    return problem === same[0] ? [{ problem, others: same.slice(1) }] : []
  })
}
