/** `npm run submissions`: reads what visitors have sent, and deletes it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runSubmissions } from '../src/forms/submissions.ts'
import { DATASET_FILE, parseDataset } from '../src/site/dataset.ts'

const DATASET = join(import.meta.dirname, '../dist', DATASET_FILE)

function formNames(): string[] {
  const pages = parseDataset(readFileSync(DATASET))
  const names = pages.flatMap(({ form }) => form?.fields.map(({ name }) => name) ?? [])
  return [...new Set(names)]
}

process.exitCode = await runSubmissions(process.argv.slice(2), process.env, process, formNames)
