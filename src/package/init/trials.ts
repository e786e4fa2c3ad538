/** Tries schemas on files and records, within a limit of time. */
import { plural } from '../../text/wording.ts'
import type { FoundRecord, Shape, SurveyedFile } from './shapes.ts'
import type { Watch } from './watch.ts'

/** What a schema is tried on. */
interface Sample {
  files: readonly SurveyedFile[]
  records: readonly FoundRecord[]
  shape: Shape
}

/** A compiled schema: returns the places that it refuses; none if it accepts the value. */
export type Check = (value: unknown) => readonly (readonly (string | number)[])[]

/** Compiles a schema by the name of its file; a text says why it can't be used. */
export type Compile = (name: string) => Promise<Check | string>

/** Which parts of the files and of the records a schema accepts, from 0 to 1. */
export interface Outcome {
  ofFiles: number
  ofRecords: number
}

/** How many files and records are tried. */
const MOST_TRIED = 100

/** What no schema of data accepts all of: one that only has definitions for others does. */
const ANYTHING = [null, 0, '', [], {}]

/** Schemas that were compiled to be tried. */
export class Trials {
  readonly #compile: Compile
  readonly #watch: Watch
  readonly #checks = new Map<string, Check | undefined>()
  /** Why schemas can't be used. */
  readonly reasons: string[] = []
  /** How many trials there was no time for. */
  omitted = 0

  constructor(compile: Compile, watch: Watch) {
    this.#compile = compile
    this.#watch = watch
  }

  /**
   * Tries a schema on some of the files, and on some of the records that are in them.
   *
   * @returns undefined if it can't be used, accepts everything, or if there's no time
   */
  async tryOut(name: string, { files, records, shape }: Sample): Promise<Outcome | undefined> {
    if (this.#watch.isOver()) {
      this.omitted++
      return undefined
    }
    this.#watch.report(`Trying ${name} on ${plural(files.length, 'file')} …`)
    const check = await this.#checkOf(name)
    if (!check) return undefined

    const counts = countRecords(records)
    const ofFiles = someOf(files).map((file) => {
      return partAccepted(check(file.value), shape, counts.get(file.name) ?? 0)
    })
    const ofRecords = someOf(records).map(({ value, text }) => {
      return Number(check(text ?? value).length === 0)
    })
    return { ofFiles: average(ofFiles), ofRecords: average(ofRecords) }
  }

  async #checkOf(name: string): Promise<Check | undefined> {
    if (this.#checks.has(name)) return this.#checks.get(name)

    const compiled = await this.#compile(name)
    if (typeof compiled === 'string') this.reasons.push(compiled)
    const check = typeof compiled === 'string' ? undefined : compiled
    const hasDemands = check && ANYTHING.some((value) => check(value).length > 0)
    this.#checks.set(name, hasDemands ? check : undefined)
    return this.#checks.get(name)
  }
}

function countRecords(records: readonly FoundRecord[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { file } of records) counts.set(file, (counts.get(file) ?? 0) + 1)
  return counts
}

/** Returns which part of a file is accepted, by the places that are refused. */
function partAccepted(refused: ReturnType<Check>, shape: Shape, records: number): number {
  if (refused.length === 0) return 1
  if (shape.kind === 'one record') return 0

  const outside = shape.kind === 'under a key' ? [shape.key] : []
  const isOfAnother = refused.some((pointer) => {
    return pointer.length <= outside.length && pointer.every((step, at) => step === outside[at])
  })
  if (isOfAnother) return 0

  const depth = outside.length + 1
  const faulty = new Set(refused.map((pointer) => pointer.slice(0, depth).join('/')))
  return Math.max(0, 1 - faulty.size / records)
}

/** Returns some of many, from the first to the last. */
function someOf<Item>(items: readonly Item[]): Item[] {
  const step = Math.max(1, items.length / MOST_TRIED)
  const count = Math.min(items.length, MOST_TRIED)
  return Array.from({ length: count }, (_, index) => items[Math.floor(index * step)] as Item)
}

function average(numbers: readonly number[]): number {
  if (numbers.length === 0) return 0
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}
