/** `npm run make-batches`: writes sample batches in the same way as the committed ones. */
import { makeBatches } from './samples/command.ts'

const { status, stdout, stderr } = makeBatches(process.argv.slice(2))
process.stdout.write(stdout)
process.stderr.write(stderr)
process.exitCode = status
