/** Turns an error of ours in reading one file into a fault, so that the others are still checked. */

import { type Fault, fault } from '../fault/fault.ts'
import { BuildError, missingPackage } from '../machine/errors.ts'

/**
 * Returns the fault of the file on which we have failed.
 *
 * @throws the error itself, if the command line or the machine is at fault
 */
export function faultOfFailure(error: unknown): Fault {
  const isOfMachine = error instanceof BuildError || missingPackage(error) !== undefined
  if (isOfMachine) throw error

  const [reason = ''] = String(error).split('\n')
  return fault('file.failed', [], { reason })
}
