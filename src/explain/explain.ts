/**
 * Explains what is wrong with a batch, where, and what would fix it. It runs only for a batch that was
 * refused, or for a fault found between batches. No other room opens a batch again, so it may take its
 * time.
 */
import type { Reading } from '../accept/accept.ts'
import { ItemMaker } from '../accept/items.ts'
import { type DeliveredFile, type ParsedBatch, parseBatch } from '../accept/parse-batch.ts'
import { ReferenceFinder } from '../accept/references.ts'
import { checkBatch, chooseSchema } from '../accept/schema-choice.ts'
import { isBeforeRecord, stageOf } from '../fault/codes.ts'
import type { Fault, FaultOf } from '../fault/fault.ts'
import { type Elements, PARAGRAPHS } from '../page/html.ts'
import type { DraftOrUnknown } from '../schema/drafts.ts'
import { metaSchemaOf } from '../schema/meta-schema.ts'
import { formatPointer, type Pointer } from '../text/pointer.ts'
import { explainMarkup, findAmpersand } from './markup.ts'
import { placeReferences, toFile, withLinesOfOthers } from './places.ts'
import { type ExplainedFault, fileProblem, type IdOf, type Problem, toProblems } from './problem.ts'
import { explainRepeated, type FindKept } from './repeated.ts'
import { withExamples } from './schema/examples.ts'
import { explainSchema, type WrittenOf } from './schema/explain-schema.ts'
import { explainSyntax } from './syntax/syntax.ts'
import { PAGE_WORDS, type ReaderWords } from './words.ts'

export { fixBatch } from './fix.ts'
export { findKeptRecords, type KeptRecord } from './repeated.ts'
export { fileProblem, type Problem }

export interface Explaining extends Reading {
  words: ReaderWords
  /** How many kinds of problems of a batch keep the lines around them. */
  frames: number
}

/**
 * Explains the faults of one batch.
 *
 * @param faults as `accept` returns them, or found between batches
 * @param findKept finds the records that keep the paths of others
 * @returns its problems, in the order of the text
 */
export function explain(
  file: DeliveredFile,
  faults: readonly Fault[],
  explaining: Explaining,
  findKept: FindKept = () => undefined,
): Problem[] {
  if (faults.length === 0) return []

  const batch = parseBatch(file, explaining.collection)
  const maker = new ItemMaker(batch, explaining.collection)

  const explained = explainEach(batch, maker, faults, explaining, findKept)
  const placed = explained.map((fault) => toFile(batch, maker, fault))
  return toProblems(batch, placed, idsOf(batch, maker, placed), explaining)
}

/** Replaces the faults that `accept` only names by exact ones. */
function explainEach(
  batch: ParsedBatch,
  maker: ItemMaker,
  faults: readonly Fault[],
  explaining: Explaining,
  findKept: FindKept,
): ExplainedFault[] {
  const { collection, schemas } = explaining
  const findMarked = () => checkBatch(batch, schemas).references
  const finder = new ReferenceFinder(batch, maker, collection, findMarked)
  const elements = collection.pages?.elements ?? PARAGRAPHS
  const explained: ExplainedFault[] = []
  const repeated: FaultOf<'path.refused'>[] = []
  let isSchemaExplained = false

  for (const fault of faults) {
    switch (fault.code) {
      case 'file.syntax':
        explained.push(withFormat(explainSyntax(batch.format, batch.text), explaining))
        break
      case 'file.empty':
        explained.push({ ...fault, facts: { format: batch.format.name } })
        break
      case 'schema.refused':
        // All of the file at once: one error of ajv may explain another.
        if (isSchemaExplained) break
        for (const schemaFault of withReasons(batch, explainBySchema(batch, explaining)))
          explained.push(...explainPattern(schemaFault, elements))
        isSchemaExplained = true
        break
      case 'html.refused':
        explained.push(...explainBody(maker, fault, elements))
        break
      case 'path.refused':
        // All at once, too: finding a place means walking through the text.
        repeated.push(fault)
        break
      case 'reference.refused':
        explained.push(...placeReferences(batch, maker, finder, fault.facts))
        break
      default:
        explained.push(fault)
    }
  }

  explained.push(...explainRepeated(batch, maker, repeated, explaining, findKept))
  return withLinesOfOthers(batch, withoutRefusedReferences(explained))
}

/** Adds the format set by the collection, in case that's the mistake. */
function withFormat(syntaxFault: Fault, { collection: { format } }: Explaining): Fault {
  if (syntaxFault.code !== 'json.after-end' || format === undefined) return syntaxFault
  return { ...syntaxFault, facts: { ...syntaxFault.facts, format } }
}

/** Leaves out a value that can't be a reference where the schema already refuses it. */
function withoutRefusedReferences(faults: readonly ExplainedFault[]): ExplainedFault[] {
  const refused = faults.filter(({ code }) => stageOf(code) === 'schema')
  const places = new Set(refused.map(({ pointer }) => formatPointer(pointer)))
  return faults.filter(({ code, pointer }) => {
    return code !== 'reference.value' || !places.has(formatPointer(pointer))
  })
}

/** Explains what a schema refuses: in the whole file, or in each record. */
function explainBySchema(batch: ParsedBatch, { schemas }: Explaining): Fault[] {
  const chosen = chooseSchema(batch, schemas)
  if (chosen === undefined || 'fault' in chosen) return []

  const { kind, schema } = chosen
  if (kind === 'file') return explainSchema(batch.value, schema.root, writtenOf(batch, []))

  const { records } = batch
  return records.all.flatMap((record, index) => {
    if (schema.check(record).faults.length === 0) return []

    const pointer = records.pointerTo(index)
    const faults = explainSchema(record, schema.root, writtenOf(batch, pointer))
    return faults.map((fault) => ({ ...fault, pointer: [...pointer, ...fault.pointer] }))
  })
}

/** Adds what the file and the schema say about refused values. */
function withReasons(batch: ParsedBatch, faults: readonly Fault[]): Fault[] {
  return withComments(batch, withExamples(batch, faults))
}

/** Adds the comment that makes a YAML value null. */
function withComments({ damages }: ParsedBatch, faults: readonly Fault[]): Fault[] {
  const comments = new Map<string, string>()
  for (const damage of damages) {
    if (damage.code === 'loss.no-value')
      comments.set(formatPointer(damage.pointer), damage.facts.comment)
  }
  if (comments.size === 0) return [...faults]

  return faults.map((refusal) => {
    const comment = comments.get(formatPointer(refusal.pointer))
    if (comment === undefined) return refusal

    switch (refusal.code) {
      case 'schema.type':
        return { ...refusal, facts: { ...refusal.facts, comment } }
      case 'schema.enum':
        return { ...refusal, facts: { ...refusal.facts, comment } }
      case 'schema.not':
        return { ...refusal, facts: { ...refusal.facts, comment } }
      default:
        return refusal
    }
  })
}

/** Returns how values below a place are written, if the format takes text for a number. */
function writtenOf({ format, text, tree }: ParsedBatch, place: Pointer): WrittenOf | undefined {
  if (!format.guessesTypes || !tree) return undefined

  return (pointers) => {
    const targets = pointers.map((pointer) => {
      return { pointer: [...place, ...pointer], at: 'value' } as const
    })
    return tree.locate(targets).map(({ start, end }) => text.slice(start, end))
  }
}

function explainBody(maker: ItemMaker, { page = 0, pointer }: Fault, elements: Elements): Fault[] {
  const html = String(maker.itemOf(page).contentHtml)
  return explainMarkup(html, elements).map((fault) => ({ ...fault, pointer, page }))
}

/** Explains the HTML of a body that a pattern of the schema refuses. */
function explainPattern(refusal: Fault, elements: Elements): Fault[] {
  if (refusal.code !== 'schema.pattern') return [refusal]

  const { value: html, near } = refusal.facts
  const isBody = refusal.pointer.at(-1) === 'contentHtml'
  if (!isBody || typeof html !== 'string') return [refusal]

  const markupFaults = explainMarkup(html, elements)
  const isOnlyAmpersand = markupFaults.length === 0 && near.length === 1
  const faults = isOnlyAmpersand ? findAmpersand(html) : markupFaults
  if (faults.length === 0) return [refusal]

  const { pointer, because, instead } = refusal
  const rest = { ...(because && { because }), ...(instead !== undefined && { instead }) }
  return faults.map((bodyFault) => ({ ...bodyFault, ...rest, pointer }))
}

/**
 * Returns how to find the id of a record: that of its item or, if the record was refused before, what
 * the owner's function returns for it.
 */
function idsOf(batch: ParsedBatch, maker: ItemMaker, faults: readonly Fault[]): IdOf {
  const withoutPage = new Set<number>()
  for (const { code, pointer } of faults) {
    const record = batch.records.at(pointer)
    if (record && isBeforeRecord(code)) withoutPage.add(record.index)
  }

  return (record) => {
    // `page` expects a record that the schema accepts.
    if (withoutPage.has(record)) return maker.refusedIdOf(record) ?? null
    if (maker.idOf(record) === null) maker.make(record)
    return maker.idOf(record)
  }
}

/** How many lines around the problems of a schema are kept. */
const FRAMES_OF_SCHEMA = 20

/**
 * Explains the faults in a file of a schema, which is checked by the schema of schemas like any other
 * file.
 *
 * @param faults of the file, found by `upgradeSchema`
 * @param parts those that must be schemas, with their drafts
 * @returns problems whose `batch` is the name of the file, in the order of its text
 */
export function explainSchemaFile(
  file: DeliveredFile,
  faults: readonly Fault[],
  parts: readonly { pointer: Pointer; value: unknown; draft: DraftOrUnknown }[],
): Problem[] {
  const batch = parseBatch(file, { records: { kind: 'function', find: () => [] } })
  const explained = faults.map((fault) => {
    return fault.code === 'file.syntax' ? explainSyntax(batch.format, batch.text) : fault
  })

  for (const { pointer, value, draft } of parts) {
    for (const fault of explainSchema(value, metaSchemaOf(draft))) {
      explained.push({ ...fault, pointer: [...pointer, ...fault.pointer] })
    }
  }

  // --fix doesn't change schemas.
  const unfixed = explained.map(({ instead, fix, ...fault }) => fault)
  const telling = { words: PAGE_WORDS, frames: FRAMES_OF_SCHEMA }
  return toProblems(batch, unfixed, () => null, telling)
}
