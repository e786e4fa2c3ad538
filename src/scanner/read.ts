/**
 * Reads a batch by scanning it. A record that the grammar accepts is valid by the schema, so only
 * the rules are left to check. A record that is doubtful, or breaks a rule, is validated alone. If
 * even that is impossible, the plain reader reads the whole batch.
 */
import { isUtf8 } from 'node:buffer'
import { hasForm } from '../dataset/page.ts'
import { type Finding, toProblems } from '../dataset/problem.ts'
import { checkRules, RULE_KEYS } from '../dataset/rules.ts'
import type { SchemaCheck } from '../dataset/schema.ts'
import { type ReadBatch, type ReadPage, validateRecord } from '../dataset/validate.ts'
import type { Page } from '../generated/dataset.json'
import { END, NORMAL, NORMAL_END, type Scan, type Scanned, START, VALUES } from './scan.ts'

/** On longer texts a pattern may throw. `validateRecord` reports that. */
const LONGEST = 2 ** 20

/**
 * @param keys the keys of the grammar's members
 * @param frames for how many problems of a batch the lines around them are kept
 * @param plain reads the batches that cannot be scanned
 */
export function makeReader(
  scan: Scan,
  keys: readonly string[],
  check: SchemaCheck,
  frames: number,
  plain: ReadBatch,
): ReadBatch {
  const stride = VALUES + 2 * keys.length
  const wanted = new Set<string>([...RULE_KEYS, 'path', 'form'])
  const columns = keys.flatMap((key, member) => {
    return wanted.has(key) ? [{ key, column: VALUES + 2 * member }] : []
  })
  const decode = makeDecoder()

  /** Returns the values of a record that are needed, or undefined if it is doubtful. */
  const decodeRecord = ({ rows, normal }: Scanned, row: number): Page | undefined => {
    const start = rows[row + NORMAL] as number
    if (start < 0 || (rows[row + NORMAL_END] as number) - start > LONGEST) return undefined
    const values: Record<string, unknown> = {}
    for (const { key, column } of columns) {
      const start = rows[row + column] as number
      if (start >= 0) values[key] = decode(normal, start, rows[row + column + 1] as number)
    }
    return values as unknown as Page
  }

  return (name, bytes) => {
    const scanned = scan(bytes)
    if (!scanned) return plain(name, bytes)
    const { records, rows, normal } = scanned
    const pages: ReadPage[] = []
    const faulty: { start: number; findings: Finding[] }[] = []
    let isKnownUtf8 = false
    for (let index = 0, row = 0; index < records; index++, row += stride) {
      let page = decodeRecord(scanned, row)
      let normalForm: Buffer
      if (page && keepsRules(page)) {
        normalForm = normal.subarray(rows[row + NORMAL], rows[row + NORMAL_END])
      } else {
        // What the grammar accepts is valid UTF-8; the rest of the batch may not be.
        isKnownUtf8 ||= isUtf8(bytes)
        const start = rows[row + START] as number
        const text = bytes.toString('utf8', start, rows[row + END])
        const judged = isKnownUtf8 ? validateRecord(text, index, check) : undefined
        if (!judged) return plain(name, bytes)
        if ('findings' in judged) {
          faulty.push({ start, findings: judged.findings })
          continue
        }
        page = judged.page
        normalForm = Buffer.from(JSON.stringify(page))
      }
      pages.push({ index, path: page.path, hasForm: hasForm(page), bytes: normalForm })
    }
    return {
      records,
      pages,
      problems: toProblems(name, ...place(bytes, faulty), frames),
      locate: (violations) => plain(name, bytes).locate(violations),
    }
  }
}

function keepsRules(page: Page): boolean {
  return checkRules(page, (key) => page[key] !== undefined).length === 0
}

/** Decodes a batch, and converts findings relative to a record to offsets in the text. */
function place(
  bytes: Buffer,
  faulty: readonly { start: number; findings: Finding[] }[],
): [text: string, findings: Finding[]] {
  if (faulty.length === 0) return ['', []]
  const text = bytes.toString('utf8')
  let byte = 0
  let offset = 0
  const findings = faulty.flatMap(({ start, findings }) => {
    offset += bytes.toString('utf8', byte, start).length
    byte = start
    return findings.map((finding) => {
      return { ...finding, start: finding.start + offset, end: finding.end + offset }
    })
  })
  return [text, findings]
}

const QUOTE = 0x22
/** In UTF-16 code units. */
const MOST_REMEMBERED = 2 ** 22

/** Returns a parser of values in normal form. It parses a repeated object or array only once. */
function makeDecoder(): (bytes: Buffer, start: number, end: number) => unknown {
  const known = new Map<string, unknown>()
  let remembered = 0
  return (bytes, start, end) => {
    if (bytes[start] === QUOTE) {
      const text = bytes.toString('utf8', start + 1, end - 1)
      return text.includes('\\') ? JSON.parse(`"${text}"`) : text
    }
    const json = bytes.toString('utf8', start, end)
    if (known.has(json)) return known.get(json)
    remembered += json.length
    if (remembered > MOST_REMEMBERED) {
      known.clear()
      remembered = json.length
    }
    known.set(json, JSON.parse(json))
    return known.get(json)
  }
}
