/**
 * Turns the bytes of a batch into its pages and its problems. It defines the order of the checks,
 * and makes sure that no fault is reported twice.
 */
import { DATASET } from '../dataset/output.ts'
import type { Page } from '../page/page.ts'
import { type Checked, type SchemaCheck, type Violation, violation } from '../page/violation.ts'
import { parseBatch } from './json/parse.ts'
import { findLinks, type PageLink } from './links.ts'
import { type Problem, toProblems } from './problem.ts'
import { checkRules } from './rules.ts'

export interface ReadResult {
  /** How many records the batch has, valid or not; 0 when it is not an array. */
  records: number
  problems: Problem[]
  pages: Pages
  /** What the pages link and refer to. */
  links: PageLink[]
  /** The paths of all other records; null for one that is not known. */
  refused: (string | null)[]
  /** Texts that have lost a character; warnings unless the build is strict. */
  lost: Violation[]
}

/**
 * The valid records of a batch, in order: one array for each fact, because there may be millions of
 * pages.
 */
export interface Pages {
  paths: string[]
  /** The position of each page in the batch. */
  indexes: number[]
  hasForm: boolean[]
  /** Where each page begins and ends in the bytes. */
  starts: number[]
  ends: number[]
  /** The pages as `JSON.stringify` writes them, in UTF-8, with `DATASET.between` between them. */
  bytes: Uint8Array
}

export function noPages(): Pages {
  return emitPages([], new Set(), 0)
}

/**
 * Reads one batch.
 *
 * @param batch its name, for its problems
 * @param frames for how many problems the lines around them are kept
 */
export function readBatch(
  batch: string,
  bytes: Uint8Array,
  check: SchemaCheck,
  frames: number,
): ReadResult {
  const parsed = parseBatch(bytes)
  const { value } = parsed
  const checked = value === undefined ? undefined : checkUnlessTooLong(value, check)
  const unread =
    value === undefined ? parsed.violations : [violation('schema.too-long', [], TOO_LONG)]
  const records: unknown[] = Array.isArray(value) ? value : []
  const violations = checked
    ? [...findViolations(records, checked.violations), ...parsed.violations]
    : unread
  const isUnchecked = violations.some(({ pointer }) => pointer.length === 0)
  const faulty = new Set(violations.map(({ pointer: [index] }) => Number(index)))
  const links: PageLink[] = []
  for (const { index, target } of findLinks(records, checked?.references ?? []))
    if (!faulty.has(index)) links.push({ index, target })
  return {
    records: records.length,
    problems: toProblems(batch, parsed, violations, frames),
    pages: isUnchecked ? noPages() : emitPages(records as Page[], faulty, bytes.length),
    links,
    refused: violations.map(({ pointer: [index, key] }) => {
      const { path } = Object(records[Number(index)])
      return key !== 'path' && typeof path === 'string' ? path : null
    }),
    lost: parsed.lost,
  }
}

/**
 * Creates problems from violations that only a comparison with other batches shows.
 *
 * @param bytes a batch that `readBatch` has parsed
 */
export function locateViolations(
  batch: string,
  bytes: Uint8Array,
  violations: readonly Violation[],
  frames: number,
): Problem[] {
  if (violations.length === 0) return []
  const parsed = parseBatch(bytes)
  return parsed.value === undefined ? [] : toProblems(batch, parsed, violations, frames)
}

const BETWEEN = Buffer.from(DATASET.between)

/** @param size of the batch in bytes; its normal form is seldom longer */
function emitPages(records: readonly Page[], faulty: ReadonlySet<number>, size: number): Pages {
  const pages: Omit<Pages, 'bytes'> = { paths: [], indexes: [], hasForm: [], starts: [], ends: [] }
  let bytes = Buffer.allocUnsafeSlow(size + records.length * BETWEEN.length)
  let end = 0
  for (const [index, page] of records.entries()) {
    if (faulty.has(index)) continue
    const text = JSON.stringify(page)
    const start = end === 0 ? 0 : end + BETWEEN.length
    const room = bytes.length - start
    // UTF-8 needs at most three bytes for a code unit of a string.
    if (room < text.length * 3 && room < Buffer.byteLength(text)) {
      const larger = Buffer.allocUnsafeSlow(2 * bytes.length + text.length * 3)
      bytes.copy(larger, 0, 0, end)
      bytes = larger
    }
    if (start > 0) bytes.set(BETWEEN, end)
    end = start + bytes.write(text, start)
    pages.paths.push(page.path)
    pages.indexes.push(index)
    pages.hasForm.push(Boolean(page.form))
    pages.starts.push(start)
    pages.ends.push(end)
  }
  return { ...pages, bytes: bytes.subarray(0, end) }
}

/** Returns what the schema refuses, and what the rules do of the records that it accepts. */
function findViolations(records: readonly unknown[], refused: readonly Violation[]): Violation[] {
  const faulty = new Set(refused.map(({ pointer: [index] }) => index))
  const broken = records.flatMap((record, index): Violation[] => {
    if (faulty.has(String(index))) return []
    const page = Object(record)
    const found =
      typeof page.path === 'string'
        ? checkRules(page)
        : [violation('path.missing', ['path'], NO_PATH)]
    return found.map((each) => ({ ...each, pointer: [index, ...each.pointer] }))
  })
  return [...refused, ...broken]
}

function checkUnlessTooLong(value: unknown, check: SchemaCheck): Checked | undefined {
  try {
    return check(value)
  } catch (error) {
    // V8's regular expressions fail on a text of 8.4 million characters.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const NO_PATH = 'must have a path that is a string: pages are identified by their paths'
const TOO_LONG =
  'a text in this file is too long to check: 8 million characters are (nothing else in the file was checked)'
