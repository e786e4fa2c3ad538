/** `npm run make-batches`: writes sample batches, as the committed ones were written. */
import { makeBatches } from '../src/samples/command.ts'

const { status, stdout, stderr } = makeBatches(process.argv.slice(2))
process.stdout.write(stdout)
process.stderr.write(stderr)
process.exitCode = status
