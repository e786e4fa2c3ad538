/** `npm run make-batches`: writes sample batches in the same way as the committed ones. */
import { messageOf } from '../src/machine/errors.ts'
import { makeBatches } from './samples/command.ts'

try {
  console.log(await makeBatches(process.argv.slice(2)))
} catch (error) {
  console.error(`make-batches: ${messageOf(error)}`)
  process.exitCode = 2
}
