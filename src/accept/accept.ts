/** Turns the bytes of a batch into its pages and its problems, in the order of the checks. */
import { DATASET } from '../dataset/format.ts'
import { type Problem, toProblems } from '../explain/problem.ts'
import { fault } from '../explain/sentences.ts'
import type { Content, Rule } from '../page/content.ts'
import { type Marked, parsePointer, type SchemaCheck, type Violation } from '../page/fault.ts'
import { asObject } from '../text/as-object.ts'
import { reasonOf } from '../text/thrown.ts'
import { type OpenBatch, openBatch } from './open.ts'
import { findLinks, type PageLink } from './page-links.ts'
import { checkRules, PAGE_RULES } from './rules.ts'

export interface Reading {
  check: SchemaCheck
  content: Content
  /** For how many kinds of problems of a batch the lines around them are kept. */
  frames: number
}

export interface ReadResult {
  /** How many records the batch has, valid or not; 0 if they cannot be found. */
  records: number
  problems: Problem[]
  pages: Pages
  /** What the pages link and refer to. */
  links: PageLink[]
  /** The values of pages, by their positions, that no other page may have. */
  uniques: (Marked & { index: number })[]
  /** The paths of the refused records; null for a record whose path is not known. */
  refused: (string | null)[]
  /** Texts that have lost a character; warnings unless the build is strict. */
  lost: Problem[]
}

/** The valid records of a batch, in order: one array for each fact, because there may be millions. */
export interface Pages {
  paths: string[]
  /** The position of the record of each page in the batch. */
  indexes: number[]
  /** What each is about, if `content.ts` says it. */
  identities: (string | number)[]
  hasForm: boolean[]
  /** Where each page begins and ends in the bytes. */
  starts: number[]
  ends: number[]
  /** The pages as `JSON.stringify` writes them, in UTF-8, with `DATASET.between` between them. */
  bytes: Buffer
}

/**
 * Reads one batch: the schema checks the whole file, the rules each record that it accepts, and the
 * rules of every site the page that becomes of it.
 */
export function readBatch(name: string, bytes: Buffer, reading: Reading): ReadResult {
  const { check, content, frames } = reading
  const batch = openBatch(name, bytes, content)
  const { records, parsed } = batch
  const checked = parsed.value === undefined ? undefined : check(parsed.value)
  const violations = [...(checked?.violations ?? []), ...parsed.violations]
  // If the schema refuses something, that may be why.
  if (records.fault && violations.length === 0) violations.push(records.fault)
  const valid = new Set(records.all.keys())
  for (const { pointer } of violations) valid.delete(records.at(pointer)?.index ?? -1)
  const emitter = emitPages(bytes.length + records.all.length * BETWEEN.length)
  for (const index of valid) {
    const refused = judge(batch, index, content.rules)
    const unwritten = refused.length === 0 ? emitter.add(batch, index) : undefined
    if (unwritten) refused.push(unwritten)
    if (refused.length > 0) valid.delete(index)
    for (const each of refused) violations.push(each)
  }
  const links = findLinks(batch, valid, checked?.references)
  return {
    records: records.all.length,
    problems: toProblems(batch, violations, frames),
    pages: emitter.pages(),
    links: Array.from(links, ({ index, target }) => ({ index, target })),
    uniques: (checked?.uniques ?? []).flatMap((unique) => {
      const { index = -1 } = records.at(parsePointer(unique.place)) ?? {}
      return valid.has(index) ? [{ ...unique, index }] : []
    }),
    refused: violations.flatMap(({ pointer }) => {
      const place = records.at(pointer)
      if (place) return place.within[0] === 'path' ? null : batch.pathOf(place.index)
      return records.fault ? null : []
    }),
    lost: toProblems(batch, parsed.lost, frames),
  }
}

/** Returns what the rules and `page` refuse in a record that the schema accepts. */
function judge(batch: OpenBatch, index: number, rules: Content['rules'] = []): Violation[] {
  const record = batch.records.all[index] as Parameters<Rule>[0]
  const found = checkRules(record, rules)
  const unmade = batch.make(index)
  if (unmade) found.push(unmade)
  const placed = found.map((each) => batch.inFile(index, record, each))
  if (unmade) return placed
  const page = batch.pageOf(index)
  const hasPath = typeof asObject(page).path === 'string'
  const ofPage = hasPath ? checkRules(page, PAGE_RULES) : [fault('page.no-path', ['path'])]
  for (const each of ofPage) placed.push(batch.inFile(index, page, each))
  return placed
}

const BETWEEN = Buffer.from(DATASET.between)

/**
 * Writes pages as JSON. Each is written as soon as it is made, before `content.ts` may change
 * something that is in it, too.
 *
 * @param size how many bytes they hardly ever exceed: those of the batch, and what is between pages
 */
function emitPages(size: number) {
  const pages: Omit<Pages, 'bytes'> = {
    paths: [],
    indexes: [],
    identities: [],
    hasForm: [],
    starts: [],
    ends: [],
  }
  let bytes = Buffer.allocUnsafeSlow(size)
  let end = 0

  /** @returns where the text begins */
  function write(text: string): number {
    const start = end === 0 ? 0 : end + BETWEEN.length
    // In UTF-8, no code unit needs more than three bytes; to count them takes time for each page.
    const most = start + 3 * text.length
    if (most > bytes.length && start + Buffer.byteLength(text) > bytes.length)
      bytes = Buffer.concat([bytes], 2 * most)

    // The first page takes its place.
    bytes.set(BETWEEN, end)
    end = start + bytes.write(text, start)
    return start
  }

  return {
    /** Adds a valid page. @returns why it cannot be written */
    add({ pageOf, identities, inFile, records }: OpenBatch, index: number): Violation | undefined {
      const page = pageOf(index)
      let text: string
      try {
        text = JSON.stringify(page)
      } catch (error) {
        const unwritten = fault('record.not-json', [], reasonOf(error))
        return inFile(index, records.all[index], unwritten)
      }

      const identity = identities[index]
      if (identity !== undefined) pages.identities.push(identity)
      pages.paths.push(page.path)
      pages.indexes.push(index)
      pages.hasForm.push(Boolean(page.form))
      pages.starts.push(write(text))
      pages.ends.push(end)
      return undefined
    },

    pages: (): Pages => ({ ...pages, bytes: bytes.subarray(0, end) }),
  }
}
