/** Makes the fixes that are certain in the delivered files. */
import fs from 'node:fs'
import { accept } from '../accept/accept.ts'
import type { ExplainRoom } from '../build/explainer.ts'
import { faultOfFailure } from '../build/failure.ts'
import type { CollectionToBuild, Source } from '../build/source.ts'
import { sortBatches } from '../dataset/precedence.ts'
import type { Explaining } from '../explain/explain.ts'
import type { MadeFix } from '../explain/fix.ts'
import { describeSystemError } from '../machine/errors.ts'
import { changeFile } from '../machine/files.ts'
import { placeIn } from '../machine/place-in.ts'
import { changedPart } from '../text/changed-part.ts'
import { printable } from '../text/printable.ts'
import { cut, plural } from '../text/wording.ts'
import { say, type Terminal } from './terminal.ts'

/** The fixes so far. */
interface Tally {
  /** As they are shown: of a file that two collections read, a preview finds a fix twice. */
  fixes: Set<string>
  files: Set<string>
  /** How many files could not be replaced. */
  left: number
}

interface FixOptions {
  /** The folder that names of files are relative to. */
  folder: string
  /** Whether to only show the fixes. */
  isPreview: boolean
  json: boolean
  /** Leaves out the other files. */
  isWanted: (name: string) => boolean
}

/** A collection, and the fixer of its files. */
export interface Fixable extends CollectionToBuild {
  fixer: Fixer
}

type NamedFixable = Fixable & { name: string }

/**
 * Fixes batches, and prints each fix; in a preview, only shows the lines. A file that cannot be
 * replaced, or has changed since it was read, is left and named.
 *
 * @returns how many files still have a fix: in a preview, all that had one
 */
export async function fixBatches(
  fixables: readonly Fixable[],
  options: FixOptions,
  terminal: Terminal,
): Promise<number> {
  const batches = await listAll(fixables, options)
  const tally: Tally = { fixes: new Set(), files: new Set(), left: 0 }

  for (const batch of batches) await fixOne(batch, tally, options, terminal)

  const areBatches = fixables.every(({ words }) => words.file === 'batch')
  const all = new Set(batches.map(({ name }) => name)).size
  const line = describeTally(tally, all, areBatches ? 'batch' : 'file', options)
  await say(terminal, streamOf(options), [`${line}\n\n`])

  return options.isPreview ? tally.files.size + tally.left : tally.left
}

/** With --json, standard output has only the JSON. */
function streamOf({ json }: FixOptions): 'stdout' | 'stderr' {
  return json ? 'stderr' : 'stdout'
}

/** Fixes a batch, prints each fix, and counts them. */
async function fixOne(
  { source, fixer, name }: NamedFixable,
  tally: Tally,
  options: FixOptions,
  terminal: Terminal,
): Promise<void> {
  const bytes = await source.read(name).catch(() => undefined)
  if (!bytes) return

  const fixed = fixer(name, bytes)
  const place = printable(placeIn(options.folder, name))
  if (fixed.failure !== undefined) {
    tally.left++
    await say(terminal, 'stderr', [`${terminal.command.name}: ${place}: ${fixed.failure}\n`])
  }
  if (fixed.made.length === 0) return

  if (!options.isPreview) {
    const why = await whyNotReplaced(source.fileOf(name), bytes, fixed.bytes)
    if (why !== undefined) {
      tally.left++
      await say(terminal, 'stderr', [`${terminal.command.name}: ${place} is not fixed: ${why}\n`])
      return
    }
  }

  const lines = fixed.made.map((fix) => formatFix(fix, place, options.isPreview))
  const newLines = lines.filter((line) => !tally.fixes.has(line))
  await say(terminal, streamOf(options), newLines)
  for (const line of newLines) tally.fixes.add(line)
  tally.files.add(name)
}

/** Returns the batches in their order, one collection after the other. */
async function listAll(
  fixables: readonly Fixable[],
  { isWanted }: FixOptions,
): Promise<NamedFixable[]> {
  const batches: NamedFixable[] = []

  for (const fixable of fixables) {
    const { all } = await fixable.source.list()
    const names = all.filter(isWanted)
    for (const name of sortBatches(names)) batches.push({ ...fixable, name })
  }

  return batches
}

/** For example "3 places fixed in 2 batches of 5." */
function describeTally(
  { fixes, files }: Tally,
  batches: number,
  noun: string,
  { isPreview }: FixOptions,
): string {
  const where = `in ${plural(files.size, noun)} of ${batches}`

  if (isPreview) return `${plural(fixes.size, 'place')} can be fixed ${where}; nothing was written.`
  return `${plural(fixes.size, 'place')} fixed ${where}.`
}

/** The files as they would be with all fixes. */
export function fixedSource(
  source: Source,
  fixer: Fixer,
  isWanted: (name: string) => boolean,
): Source {
  const read = async (name: string) => {
    const bytes = await source.read(name)
    return isWanted(name) ? fixer(name, bytes).bytes : bytes
  }
  return { ...source, read }
}

interface Fixed {
  bytes: Buffer
  made: MadeFix[]
  failure?: string
}

/** Fixes a batch in memory. @returns the bytes with all fixes; `failure` if we have failed on this file */
type Fixer = (name: string, bytes: Buffer) => Fixed

export function createFixer(room: ExplainRoom, explaining: Explaining): Fixer {
  return (name, bytes) => {
    const problemsOf = (bytes: Buffer) => {
      const file = { name, bytes }
      const { faults } = accept(file, explaining)
      return room.explain(file, faults, explaining)
    }

    try {
      return room.fixBatch(bytes, problemsOf, explaining.collection)
    } catch (error) {
      const { message } = room.fileProblem(name, faultOfFailure(error), explaining.words)
      return { bytes, made: [], failure: printable(message) }
    }
  }
}

/** Replaces the content of somebody's file. @returns why it can't be; undefined if it was */
export async function whyNotReplaced(
  spelled: string,
  before: Buffer,
  after: Buffer,
): Promise<string | undefined> {
  try {
    await replace(spelled, before, after)
    return undefined
  } catch (error) {
    return describeSystemError(error)
  }
}

/**
 * Writes a changed file; of a link, its target.
 *
 * @throws Error that says why not
 */
async function replace(spelled: string, before: Buffer, after: Buffer): Promise<void> {
  const file = fs.realpathSync.native(spelled)
  const { mode } = fs.statSync(file)
  const isReadOnly = (mode & 0o222) === 0

  if (isReadOnly) throw new Error('it is read-only')

  fs.accessSync(file, fs.constants.W_OK)
  await changeFile(file, before, after)
}

/** How many characters of a text or of a line are shown. */
const LONGEST = 100

/** For example "a.json:4:14  “A”  ->  "A""; with `isLines`, its line before and after. */
function formatFix(fix: MadeFix, place: string, isLines: boolean): string {
  const at = `${place}:${fix.line}:${fix.column}`
  if (isLines) return `${at}\n${formatLines(fix)}`

  const { before, after } = cutBoth(fix.before, fix.after)
  return `${at}  ${printable(`${before || '(nothing)'}  ->  ${after || '(removed)'}`)}\n`
}

/** The line of a fix, before and after it. */
function formatLines(fix: MadeFix): string {
  const [head, tail] = fix.beside
  const { before, after } = cutBoth(head + fix.before + tail, head + fix.after + tail)
  return `  - ${inOneLine(before)}\n  + ${inOneLine(after)}\n`
}

function inOneLine(text: string): string {
  return printable(text.replaceAll('\t', ' '))
}

/** Cuts two long texts to where they differ. */
function cutBoth(before: string, after: string): { before: string; after: string } {
  const isShort = before.length <= LONGEST && after.length <= LONGEST
  if (isShort) return { before, after }

  const { start: differing } = changedPart(before, after)
  const start = Math.max(0, differing - LONGEST / 4)
  const ellipsis = start > 0 ? '…' : ''
  return {
    before: ellipsis + cut(before.slice(start), LONGEST),
    after: ellipsis + cut(after.slice(start), LONGEST),
  }
}
