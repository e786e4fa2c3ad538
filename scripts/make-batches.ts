/** `npm run make-batches`: writes sample batches in the same way as the committed ones. */
import { makeBatches } from './samples/command.ts'

try {
  console.log(await makeBatches(process.argv.slice(2)))
} catch (error) {
  console.error(`make-batches: ${(error as Error).message}`)
  process.exitCode = 2
}
