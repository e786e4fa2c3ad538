/** `npm run submissions`: reads what visitors have sent, and deletes it. */
import { runSubmissions } from '../src/forms/submissions.ts'

process.exitCode = await runSubmissions(process.argv.slice(2), process.env, process)
