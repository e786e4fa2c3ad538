/** `npm run build-data -- --fix`: makes the fixes that are certain in the delivered files. */
import fs from 'node:fs'
import { accept } from '../accept/accept.ts'
import type { ExplainRoom } from '../build/explainer.ts'
import type { Source } from '../build/source.ts'
import { compareBatches } from '../dataset/precedence.ts'
import type { Explaining } from '../explain/explain.ts'
import type { MadeFix } from '../explain/fix.ts'
import { describeSystemError } from '../machine/errors.ts'
import { changeFile } from '../machine/files.ts'
import { printable } from '../text/printable.ts'
import { cut, plural } from '../text/wording.ts'
import type { Options } from './options.ts'
import { say, type Terminal } from './terminal.ts'

/**
 * Fixes batches, and says each fix; with `check`, only shows the lines. A file that cannot be
 * replaced, or has changed since it was read, is left and named.
 *
 * @returns how many files still have a fix: with `check`, all that had one
 */
export async function fixBatches(
  source: Source,
  fixer: Fixer,
  { batches: folder, check: isCheck, json }: Pick<Options, 'batches' | 'check' | 'json'>,
  terminal: Terminal,
): Promise<number> {
  const stream = json ? 'stderr' : 'stdout'
  const { all } = await source.list()
  const names = all.map(({ name }) => name).sort(compareBatches)
  let [count, files, left] = [0, 0, 0]
  try {
    for (const name of names) {
      const bytes = await source.read(name).catch(() => undefined)
      terminal.signal?.throwIfAborted()
      if (!bytes) continue
      const fixed = fixer.fix(name, bytes)
      if (fixed.made.length === 0) continue
      const place = printable(`${folder}/${name}`)
      try {
        if (!isCheck) await replace(source.fileOf(name), bytes, fixed.bytes)
      } catch (error) {
        left++
        const why = describeSystemError(error)
        await say(terminal, 'stderr', [`build-data: ${place} is not fixed: ${why}\n`])
        continue
      }
      const fixes = fixed.made.map((made) => formatFix(made, place, isCheck))
      await say(terminal, stream, fixes)
      count += fixed.made.length
      files++
    }
  } finally {
    // Said even if the command is interrupted.
    const does = isCheck ? 'can be fixed' : 'fixed'
    const all = `${plural(count, 'place')} ${does} in ${plural(files, 'batch')} of ${names.length}`
    await say(terminal, stream, [`${all}${isCheck ? '; nothing was written' : ''}.\n\n`])
  }
  return isCheck ? files : left
}

/** The batches as they would be with all fixes. */
export function fixedSource(source: Source, fixer: Fixer): Source {
  const read = async (name: string) => fixer.fix(name, await source.read(name)).bytes
  return { ...source, read }
}

/** Fixes batches in memory. */
export class Fixer {
  readonly #room: ExplainRoom
  readonly #explaining: Explaining

  constructor(room: ExplainRoom, explaining: Explaining) {
    this.#room = room
    this.#explaining = explaining
  }

  fix(name: string, bytes: Buffer) {
    return this.#room.fixBatch(bytes, (bytes) => {
      const file = { name, bytes }
      const { faults } = accept(file, this.#explaining)
      return this.#room.explain(file, faults, this.#explaining)
    })
  }
}

/**
 * Writes a fixed file; of a link, its target.
 *
 * @throws Error that says why not
 */
async function replace(spelled: string, before: Buffer, after: Buffer): Promise<void> {
  const file = fs.realpathSync.native(spelled)
  const { mode } = fs.statSync(file)
  if ((mode & 0o222) === 0) throw new Error('it is read-only')
  fs.accessSync(file, fs.constants.W_OK)

  await changeFile(file, before, after)
}

/** How many characters of a text or of a line are shown. */
const LONGEST = 100

/** For example "a.json:4:14  “A”  ->  "A""; with `isLines`, its line before and after. */
function formatFix(fix: MadeFix, place: string, isLines: boolean): string {
  const [head, tail] = isLines ? fix.beside : ['', '']
  const [from, to] = around(head + fix.before + tail, head + fix.after + tail)
  const at = `${place}:${fix.line}:${fix.column}`
  if (!isLines) return `${at}  ${printable(`${from || '(nothing)'}  ->  ${to || '(removed)'}`)}\n`
  const plain = (text: string) => printable(text.replaceAll('\t', ' '))
  return `${at}\n  - ${plain(from)}\n  + ${plain(to)}\n`
}

/** Cuts two long texts to where they differ. */
function around(a: string, b: string): [string, string] {
  if (a.length <= LONGEST && b.length <= LONGEST) return [a, b]
  let start = 0
  while (a[start] === b[start] && start < a.length) start++
  const from = Math.max(0, start - LONGEST / 4)
  const show = (text: string) => (from > 0 ? '…' : '') + cut(text.slice(from), LONGEST)
  return [show(a), show(b)]
}
