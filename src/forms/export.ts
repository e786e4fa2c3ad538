/** The formats in which submissions leave the store. */
import { stringify } from 'csv-stringify/sync'
import type { StoredSubmission } from './store.ts'

/** Gives every submission, the oldest first, each time it is called. */
type Source = () => AsyncIterable<StoredSubmission>

/** Each format writes a file in pieces; JSON and NDJSON give back every character as it was sent. */
export const FORMATS = { csv, json, ndjson } as const

async function* ndjson(source: Source): AsyncGenerator<string> {
  for await (const submission of source()) yield `${record(submission)}\n`
}

async function* json(source: Source): AsyncGenerator<string> {
  let before = '[\n'
  for await (const submission of source()) {
    yield `${before}${record(submission)}`
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}

function record(submission: StoredSubmission): string {
  const { receipt, receivedAt, path, status, repeats, dataset, contentHash, fields } = submission
  return JSON.stringify({
    receipt,
    receivedAt,
    path,
    status,
    repeats,
    dataset,
    contentHash,
    fields,
  })
}

const COLUMNS = ['receipt', 'receivedAt', 'path', 'status', 'repeats'] as const

/** RFC 4180, with a column for each name that any form's field has. */
async function* csv(source: Source): AsyncGenerator<string> {
  // Pages have forms of their own, so what columns there are is known only at the end.
  const names = new Set<string>()
  for await (const { fields } of source()) for (const [name] of fields) names.add(name)
  const isTaken = (name: string) => (COLUMNS as readonly string[]).includes(name)
  yield line([...COLUMNS, ...[...names].map((name) => (isTaken(name) ? `field ${name}` : name))])

  for await (const submission of source()) {
    const { fields } = submission
    // It came while the first pass went on, from a form that was not known before.
    if (fields.some(([name]) => !names.has(name))) continue
    const values = [...names].map((name) =>
      fields
        .filter(([other]) => other === name)
        .map(([, value]) => value)
        .join('\n'),
    )
    yield line([...COLUMNS.map((column) => String(submission[column])), ...values])
  }
}

function line(values: readonly string[]): string {
  // All are quoted: the library would leave a lone CR or LF bare.
  return stringify([values.map(harmless)], {
    record_delimiter: 'windows',
    quoted: true,
    quoted_empty: true,
  })
}

/**
 * Keeps a spreadsheet from running what a visitor wrote: a text that it would take for a formula
 * gets an apostrophe before it (OWASP, CSV Injection), also where white space or characters that
 * are not seen come first, and in the full width that East Asian keyboards write.
 */
function harmless(text: string): string {
  return /^[\t\r\n]|^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u.test(text) ? `'${text}` : text
}
