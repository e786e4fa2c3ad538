/** The exit status of a command by what was found. */

import type { Problem } from '../explain/problem.ts'
import { FAILED } from '../fault/codes.ts'

/** Returns 0 without a problem, 1 with some in the data, and 2 if we have failed on a file. */
export function statusOf(problems: readonly Problem[]): number {
  if (problems.some(({ code }) => code === FAILED)) return 2
  return problems.length > 0 ? 1 : 0
}
