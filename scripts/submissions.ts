/** `npm run submissions`: finds what visitors have sent, answers it, and deletes it. */
import { join } from 'node:path'
import { runSubmissions } from '../src/server/owner/command.ts'
import { UsageError } from '../src/server/owner/which-submissions.ts'
import { readSite, SiteError } from '../src/site/static/site-files.ts'

const DIST = join(import.meta.dirname, '../dist')

function readPages() {
  try {
    return readSite(DIST).pages
  } catch (error) {
    if (error instanceof SiteError) return undefined
    throw error
  }
}

// Only `test` ends early; the others end at once, and leave nothing half-done.
const interruption = new AbortController()
const args = process.argv.slice(2)
if (args[0] === 'test') {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // npm passes on a Ctrl-C that the terminal has sent already.
    process.on(name, () =>
      interruption.abort(new UsageError('interrupted; nothing is left of the example')),
    )
  }
}
const { env, stdout, stderr } = process
const { signal } = interruption
process.exitCode = await runSubmissions(args, { env, stdout, stderr, readPages, signal })
