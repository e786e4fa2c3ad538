/** The export formats of submissions. */
import { stringify } from 'csv-stringify/sync'
import writeExcelFile from 'write-excel-file/node'
import type { SentField, StoredSubmission } from '../store/submission.ts'
import { cut } from '../text/wording.ts'

/** Every submission, oldest first. */
type All = AsyncIterable<StoredSubmission>

/**
 * Each format yields a file in pieces. JSON preserves every character as it was sent. The
 * tables have a column for each given name, one for all other fields, and one for what is damaged.
 */
export const FORMATS = { csv, xlsx, json } as const

/** One record a line, so that programs that read lines can, too. */
async function* json(all: All): AsyncGenerator<string> {
  let before = '[\n'
  for await (const submission of all) {
    yield `${before}${JSON.stringify(submission, [...COLUMNS, ...JSON_ONLY, DAMAGE])}`
    before = ',\n'
  }

  yield before === '[\n' ? '[]\n' : '\n]\n'
}

const COLUMNS = ['receipt', 'receivedAt', 'path', 'status', 'repeats'] as const

const JSON_ONLY = ['dataset', 'contentHash', 'fields'] as const

/** The last column: the damaged values of a submission. Without damage, JSON leaves it out. */
const DAMAGE = 'damage'

/** Of Excel, in characters. */
const LARGEST_CELL = 32_767

/** The column of the fields that no form has, as JSON. */
const OTHERS = 'other fields'

/** Yields CSV as in RFC 4180, in UTF-8, with all values quoted. */
async function* csv(all: All, names: readonly string[]): AsyncGenerator<string> {
  // The library would leave a lone CR or LF unquoted.
  const options = { record_delimiter: 'windows', quoted: true, quoted_empty: true } as const

  for await (const values of table(all, names)) {
    yield stringify([values.map(withoutFormulas)], options)
  }
}

/**
 * Yields a file that spreadsheets open correctly on any machine: with CSV they guess the encoding
 * and the separator. All rows are in memory at once. Every cell is text, which no spreadsheet runs.
 */
async function* xlsx(all: All, names: readonly string[]): AsyncGenerator<Buffer> {
  const rows: string[][] = []

  for await (const values of table(all, names)) {
    // The library drops what XML cannot represent.
    rows.push(values.map((value) => cut(withoutEscapes(value.toWellFormed()), LARGEST_CELL)))
  }

  yield await writeExcelFile(rows).toBuffer()
}

/** An escape of Office Open XML (ECMA-376, 22.9.2.19), such as `_x0041_` for A. */
const ESCAPE = /_(?=x[0-9A-Fa-f]{4}_)/g

/** Escapes the underscore of what a spreadsheet would show as another character. */
function withoutEscapes(text: string): string {
  return text.replace(ESCAPE, '_x005F_')
}

async function* table(all: All, names: readonly string[]): AsyncGenerator<string[]> {
  const taken = new Set<string>([...COLUMNS, DAMAGE])
  const headings = names.map((name) => (taken.has(name) ? `field ${name}` : name))
  yield [...COLUMNS, ...headings, OTHERS, DAMAGE]

  for await (const submission of all) {
    const facts = COLUMNS.map((column) => String(submission[column]))
    const { values, others } = sortFields(submission.fields, names)
    const damage = submission.damage?.join(', ') ?? ''
    yield [...facts, ...values, others, damage]
  }
}

/** Returns the value of each name, and all other fields as JSON. */
function sortFields(fields: readonly SentField[], names: readonly string[]) {
  const values = new Map(names.map((name) => [name, '']))
  const others: SentField[] = []

  for (const field of fields) {
    const [name, value] = field
    // One value is enough: no form has a field twice, and a post with a repeated one is refused.
    if (values.get(name) === '') values.set(name, value)
    else others.push(field)
  }
  return { values: values.values(), others: others.length > 0 ? JSON.stringify(others) : '' }
}

/**
 * Keeps a spreadsheet from running what a visitor wrote (OWASP, CSV Injection). Anything it would
 * take for a formula gets an apostrophe before it: at the start of the text, and wherever a reader
 * with other separators would begin a cell. Blanks, quotes and invisible characters may precede the
 * formula, and East Asian keyboards write its signs in full width.
 */
function withoutFormulas(text: string): string {
  const safe = text.replace(BLANKS, (blanks, at: number) => {
    const beginsCell = SEPARATOR.test(blanks) && FORMULA.test(text.slice(at + blanks.length))
    return beginsCell ? `${blanks}'` : blanks
  })

  return LINE_BREAK_FIRST.test(text) || FORMULA_FIRST.test(text) ? `'${safe}` : safe
}

/** What a reader may skip before a formula: blanks, invisible characters, quotes and semicolons. */
const BLANKS = /[;\s\p{Cc}\p{Cf}"]+/gu

/** What ends a cell for some readers. */
const SEPARATOR = /[;\t\r\n]/

/** A text that begins like a formula, such as `=1+2` and `＠SUM(1)`. */
const FORMULA = /^[=+\-@＝＋－＠]/

/** A text that begins like a formula after what a reader may skip, such as ` "=1`. */
const FORMULA_FIRST = /^[;\s\p{Cc}\p{Cf}"]*[=+\-@＝＋－＠]/u

const LINE_BREAK_FIRST = /^[\t\r\n]/
