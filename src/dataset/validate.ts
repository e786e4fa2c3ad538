/**
 * Turns the bytes of a batch into its pages and its problems. It defines the order of the checks,
 * and makes sure that no fault is reported twice.
 */
import type { Page } from '../generated/dataset.json'
import { type ParsedBatch, parseBatch, parseText } from './batch.ts'
import { locate, type Pointer, type Range } from './json.ts'
import { hasForm } from './page.ts'
import { type Finding, type Problem, toProblems } from './problem.ts'
import { checkRules, findIllFormedStrings } from './rules.ts'
import type { SchemaCheck, Violation } from './schema.ts'
import { formatNumber } from './wording.ts'

/**
 * Reads one batch. There are two implementations: `plainReader`, for any batch, and the scanner,
 * for large deliveries. Both return the same.
 *
 * @param name the name of the batch, for its problems
 */
export type ReadBatch = (name: string, bytes: Buffer) => ReadResult

export interface ReadResult {
  /** How many records the batch has, valid or not; 0 when it is not an array. */
  records: number
  problems: Problem[]
  /** The valid records, in order. */
  pages: Iterable<ReadPage>
  /** Creates problems from violations that only a comparison with other batches shows. */
  locate(violations: readonly Violation[]): Problem[]
}

/** A valid record. */
export interface ReadPage {
  /** Its position in the batch. */
  index: number
  path: string
  hasForm: boolean
  /** The page as `JSON.stringify` writes it, in UTF-8; valid until the next batch is read. */
  bytes: Buffer
}

/**
 * Returns a reader that uses `JSON.parse` and ajv.
 *
 * @param frames for how many problems of a batch the lines around them are kept
 */
export function plainReader(check: SchemaCheck, frames: number): ReadBatch {
  return (name, bytes) => validate(name, bytes, check, frames)
}

function validate(batch: string, bytes: Buffer, check: SchemaCheck, frames: number): ReadResult {
  const parsed = parseBatch(bytes)
  if ('fault' in parsed) {
    const finding: Finding = { ...parsed.fault, pointer: [], record: null, path: null }
    const problems = toProblems(batch, parsed.text, [finding], frames)
    return { records: 0, pages: [], problems, locate: () => [] }
  }
  const { text, value } = parsed
  const findings = findAll(parsed, check)
  const faulty = new Set(findings.map(({ record }) => record))
  const records: unknown[] = Array.isArray(value) ? value : []
  return {
    records: records.length,
    pages: pagesOf(records as Page[], faulty),
    problems: toProblems(batch, text, findings, frames),
    locate: (further) => toProblems(batch, text, toFindings(parsed, further), frames),
  }
}

/** Returns everything that is wrong in a batch, and where. */
function findAll(parsed: ParsedBatch, check: SchemaCheck): Finding[] {
  const repetitions = parsed.repeatedKeys.map((repeated) => {
    const message = 'must not repeat a key; all but the last value would be lost'
    return { ...repeated, message, ...recordOf(parsed.value, repeated.pointer) }
  })
  return [...toFindings(parsed, findViolations(parsed, check)), ...repetitions]
}

function toFindings({ text, value }: ParsedBatch, violations: readonly Violation[]): Finding[] {
  const ranges = violations.length === 0 ? [] : locate(text, violations)
  return violations.map(({ pointer, message }, index) => {
    return { ...(ranges[index] as Range), pointer, message, ...recordOf(value, pointer) }
  })
}

function recordOf(batch: unknown, [step]: Pointer): Pick<Finding, 'record' | 'path'> {
  if (step === undefined || !Array.isArray(batch)) return { record: null, path: null }
  const record = Number(step)
  const { path } = Object(batch[record]) as Partial<Page>
  return { record, path: typeof path === 'string' ? path : null }
}

function* pagesOf(
  records: readonly Page[],
  faulty: ReadonlySet<number | null>,
): Generator<ReadPage> {
  for (const [index, page] of records.entries()) {
    if (faulty.has(index)) continue
    const bytes = Buffer.from(JSON.stringify(page))
    yield { index, path: page.path, hasForm: hasForm(page), bytes }
  }
}

/**
 * Validates one record of a batch as `validate` would, provided that the schema constrains only the
 * records of a batch, not the batch itself.
 *
 * @param text the record, from its first character to its last
 * @param index its position in the batch
 * @returns the page, or what is wrong, by offsets in the text; undefined if that is no JSON value
 */
export function validateRecord(
  text: string,
  index: number,
  check: SchemaCheck,
): { page: Page } | { findings: Finding[] } | undefined {
  const parsed = parseText(`[${text}]`)
  if ('fault' in parsed || (parsed.value as unknown[]).length !== 1) return undefined
  const findings = findAll(parsed, check).map(({ start, end, pointer: [, ...inner], ...rest }) => {
    return { ...rest, start: start - 1, end: end - 1, pointer: [index, ...inner], record: index }
  })
  return findings.length > 0 ? { findings } : { page: (parsed.value as [Page])[0] }
}

function findViolations({ text, value }: ParsedBatch, check: SchemaCheck): Violation[] {
  const violations = checkInParts(value, check)
  // Decoded UTF-8 is well-formed; only an escape can produce half of a surrogate pair.
  if (/\\u[dD][89a-fA-F]/.test(text)) {
    for (const violation of findIllFormedStrings(value)) violations.push(violation)
  }

  // The values with a fault, by the first two steps of their pointers, such as "27/title". A faulty
  // key is a fault of the object that has it.
  const unsound = new Set(
    violations.map(({ pointer, at }) =>
      (at === 'key' ? pointer.slice(0, -1) : pointer).slice(0, 2).join('/'),
    ),
  )
  for (const [index, record] of (Array.isArray(value) ? value : []).entries()) {
    const page = (record ?? {}) as Page
    const hasPath = typeof page.path === 'string'
    if (!hasPath && !unsound.has(`${index}`) && !unsound.has(`${index}/path`)) {
      const message = 'must have a path that is a string: pages are identified by their paths'
      violations.push({ pointer: [index, 'path'], at: 'value', message })
    }
    const isSound = (key: keyof Page) => page[key] !== undefined && !unsound.has(`${index}/${key}`)
    for (const broken of checkRules(page, isSound)) {
      violations.push({ ...broken, pointer: [index, ...broken.pointer] })
    }
  }
  return violations
}

/**
 * V8's regular expressions fail on a text of 8.4 million characters. A record that has one is
 * refused, and all others are checked without it.
 */
function checkInParts(batch: unknown, check: SchemaCheck): Violation[] {
  try {
    return check(batch)
  } catch (error) {
    if (!(error instanceof RangeError) || !Array.isArray(batch)) throw error
    if (batch.length === 1) return [refuseLongest(batch[0])]
    return batch.flatMap((record, index) =>
      checkInParts([record], check).map((found) => {
        return { ...found, pointer: [index, ...found.pointer.slice(1)] }
      }),
    )
  }
}

function refuseLongest(record: object): Violation {
  const lengthOf = (value: unknown) => (typeof value === 'string' ? value.length : 0)
  const [longest] = Object.entries(record).sort(([, a], [, b]) => lengthOf(b) - lengthOf(a))
  const [key = '', text] = longest ?? []
  const message = `must be shorter: ${formatNumber(lengthOf(text))} characters are too many to check`
  return { pointer: [0, key], at: 'value', message }
}
