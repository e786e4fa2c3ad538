/** `npm run submissions`: finds what visitors have sent, answers it, and deletes it. */
import { join } from 'node:path'
import { runSubmissions } from '../src/owner/submissions.ts'
import { readSite, SiteError } from '../src/static/site-files.ts'

const DIST = join(import.meta.dirname, '../dist')

function readPages() {
  try {
    return readSite(DIST).pages
  } catch (error) {
    if (error instanceof SiteError) return undefined
    throw error
  }
}

// At its exit, a process removes what it has half-written; a signal alone would leave it.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => process.exit(2))
const { argv, env, stdout, stderr } = process
process.exitCode = await runSubmissions(argv.slice(2), { env, stdout, stderr, readPages })
