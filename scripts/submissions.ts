/** `npm run submissions`: finds what visitors have sent, answers it, and deletes it. */
import { join } from 'node:path'
import { runSubmissions } from '../src/forms/owner/command.ts'
import { UsageError } from '../src/forms/owner/filter.ts'
import { readDataset, SiteError } from '../src/site/static/open-site.ts'

const DIST = join(import.meta.dirname, '../dist')

function readPages() {
  try {
    return readDataset(DIST).pages
  } catch (error) {
    throw error instanceof SiteError ? new UsageError(error.message) : error
  }
}

process.exitCode = await runSubmissions(process.argv.slice(2), process.env, process, readPages)
