/** `npm run submissions`: reads what visitors have sent, and deletes it. */
import { join } from 'node:path'
import { runSubmissions, UsageError } from '../src/forms/owner/command.ts'
import { readDataset, SiteError } from '../src/site/static/open-site.ts'

const DIST = join(import.meta.dirname, '../dist')

function formNames(): string[] {
  try {
    const { pages } = readDataset(DIST)
    const names = pages.flatMap(({ form }) => form?.fields.map(({ name }) => name) ?? [])
    return [...new Set(names)]
  } catch (error) {
    throw error instanceof SiteError ? new UsageError(error.message) : error
  }
}

process.exitCode = await runSubmissions(process.argv.slice(2), process.env, process, formNames)
