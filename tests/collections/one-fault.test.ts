/**
 * Plants one fault in a repository of several kinds of records: then the check is red and names it, or
 * each run says what it doesn't look at. With a second fault elsewhere, one run names both.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Task } from '../../src/command/terminal.ts'
import { asObject } from '../../src/text/as-object.ts'
import { runIn } from '../helpers/collections.ts'
import { isLong } from '../helpers/long.ts'
import { type Content, FAULTS, type Fault, nothing, type Planted } from '../helpers/planted.ts'
import {
  type Choose,
  chooseKinds,
  chooser,
  describeKind,
  fileOf,
  type Kind,
  lay,
  SHAPES,
} from '../helpers/repositories.ts'

const SEEDS = isLong ? [0, 1, 2, 3, 4] : [0]

/** In how many of the repositories each fault is planted. */
const MOST = isLong ? Number.POSITIVE_INFINITY : 3

interface Ran {
  status: number
  output: string
}

/** A repository on the disk, in which faults are planted one after the other. */
class Repository {
  readonly seed: number
  readonly kinds: readonly Kind[]
  readonly #folder = mkdtempSync(join(tmpdir(), 'manyurls-faults-'))
  readonly #right: ReturnType<typeof lay>

  constructor(seed: number) {
    const shape = SHAPES[seed % SHAPES.length] as (typeof SHAPES)[number]
    this.seed = seed
    this.kinds = chooseKinds(shape, chooser(seed))
    this.#right = lay(this.kinds)
    for (const [name, text] of Object.entries(this.#right.files)) this.#put(name, text)
    this.#put('manyurls.config.ts', '')
  }

  /** Builds once, so that the schemas are compiled, and removes the datasets. */
  async build(): Promise<void> {
    expect(await this.#run('build', this.#right.config)).toMatchObject({ status: 0 })

    const out = join(this.#folder, 'generated')
    const datasets = readdirSync(out).filter((name) => !name.startsWith('.'))
    for (const name of datasets) rmSync(join(out, name))
  }

  /** Plants faults, checks, and removes them. */
  async check(planted: readonly Planted[], args: readonly string[] = []): Promise<Ran> {
    const kinds = this.with(planted)
    const { files, config } = lay(kinds)
    const right = this.#right.files

    const contents: Record<string, Content> = { ...files }
    const configs = { ...config }
    for (const fault of planted) {
      Object.assign(contents, fault.files)
      Object.assign(configs, fault.config)
    }

    const names = new Set([...Object.keys(right), ...Object.keys(contents)])
    const changed = [...names].filter((name) => contents[name] !== right[name])
    for (const name of changed) this.#put(name, contents[name] ?? nothing)

    const ran = await this.#run('check', configs, args)

    for (const name of changed) this.#put(name, right[name] ?? nothing)
    return ran
  }

  /** Returns the collections with other records. */
  with(planted: readonly Planted[]): Kind[] {
    const changed = new Map(planted.map(({ kind }) => [kind?.name, kind]))
    return this.kinds.map((kind) => changed.get(kind.name) ?? kind)
  }

  #put(name: string, content: Content): void {
    const place = join(this.#folder, name)
    rmSync(place, { recursive: true, force: true })
    mkdirSync(dirname(place), { recursive: true })
    if (typeof content === 'function') content(place)
    else writeFileSync(place, content)
  }

  async #run(task: Task, config: object, args: readonly string[] = []): Promise<Ran> {
    const load = async () => ({ default: config })
    const all = task === 'check' ? ['--all', ...args] : []
    const { status, stdout, stderr } = await runIn(this.#folder, task, all, { load })
    return { status, output: stdout + stderr }
  }

  toString(): string {
    return `seed ${this.seed}, ${describeKind(this.kinds[0] as Kind)}`
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

const repositories: Repository[] = []

beforeAll(async () => {
  for (const seed of SEEDS) {
    for (const at of SHAPES.keys()) {
      const repository = new Repository(seed * SHAPES.length + at)
      repositories.push(repository)
      await repository.build()
    }
  }
})

afterAll(() => {
  for (const repository of repositories) repository.remove()
})

/** If it was the only file of its collection, it's named in its folder. */
const ONLY_FILE = 'no files found for'

function isNamed(output: string, { named }: Planted): boolean {
  if (output.includes(named)) return true
  return output.includes(ONLY_FILE) && output.includes(`not read: ${basename(named)} (`)
}

/** Returns what is wrong with the output of the check about a fault; undefined if all is right. */
async function misjudged(
  repository: Repository,
  planted: Planted,
  { status, output }: Ran,
): Promise<string | undefined> {
  if (output.includes('internal error')) return 'is an internal error'
  if (status !== 0) {
    return isNamed(output, planted) ? undefined : `isn't named, status ${status}`
  }

  if (!planted.note?.test(output)) return 'is green'
  if (planted.isLenient) return undefined

  const strict = await repository.check([planted], ['--strict'])
  if (strict.status === 0) return 'is green with --strict'
  return isNamed(strict.output, planted) ? undefined : "isn't named with --strict"
}

/** The places that a check names, such as "towns/all.json:4". */
const PLACE = /[\w./-]+:\d+(?=:\d)/g

/**
 * Plants a value that a schema refuses elsewhere, too.
 *
 * @param alone the output of the check with the first fault alone
 * @returns what the check doesn't name of both; undefined if all is named
 */
async function hidden(
  repository: Repository,
  planted: Planted,
  alone: Ran,
  choose: Choose,
): Promise<string | undefined> {
  // A collection without a file is a mistake in the configuration, which ends the check.
  if (alone.output.includes(ONLY_FILE)) return undefined

  const second = plantSecond(repository, planted, choose)
  if (!second) return undefined

  const both = await repository.check([planted, second])
  const places = alone.output.match(PLACE) ?? []
  const names = alone.output.includes(planted.named) ? [planted.named] : []
  const wanted = new Set([...places, ...names, second.named, '"purple"'])
  const missing = [...wanted].filter((text) => !both.output.includes(text))
  return missing.length === 0 ? undefined : `with ${second.named}, ${missing.join(', ')} is hidden`
}

/** Plants a wrong value in another record, or in the same one if the first fault is in a record. */
function plantSecond(
  repository: Repository,
  planted: Planted,
  choose: Choose,
): Planted | undefined {
  const places = repository.with([planted]).flatMap((kind) => {
    const indexes = kind.schema === 'none' ? [] : [...kind.things.keys()]
    return indexes.map((index) => ({ kind, index, file: fileOf(kind, index) }))
  })
  const free = places.filter(({ kind, index, file }) => {
    const isRecord = asObject(kind.things[index]) === kind.things[index]
    return isRecord && planted.files?.[file] === undefined
  })
  if (free.length === 0) return undefined

  const { kind, index, file } = choose(free)
  const things = kind.things.map((thing, at) =>
    at === index ? { ...thing, color: 'purple' } : thing,
  )
  return { kind: { ...kind, things }, named: file }
}

test('a repository without a fault is green', async () => {
  for (const repository of repositories) {
    const { status, output } = await repository.check([], ['--strict'])
    expect([status, output]).toEqual([0, expect.not.stringMatching(/^[A-Z]/m)])
  }
})

/** Returns the repositories in which a fault is planted, each with the planted fault. */
function plantings(fault: Fault): { repository: Repository; planted: Planted; choose: Choose }[] {
  const number = FAULTS.indexOf(fault)
  const all = repositories.flatMap((repository) => {
    const choose = chooser(1000 * repository.seed + number)
    const planted = fault.plant(repository.kinds[0] as Kind, choose)
    return planted ? [{ repository, planted, choose }] : []
  })
  const step = Math.max(1, Math.floor(all.length / MOST))
  return all.filter((_, at) => at % step === number % step).slice(0, MOST)
}

test.each(FAULTS)(
  '$name is named, or what it keeps from being read, and hides nothing',
  async (fault) => {
    const wrong: string[] = []
    for (const { repository, planted, choose } of plantings(fault)) {
      const alone = await repository.check([planted])
      const what = await misjudged(repository, planted, alone)
      if (what) wrong.push(`${repository}: ${what}`)

      const missing = fault.isOfSetup ? undefined : await hidden(repository, planted, alone, choose)
      if (missing) wrong.push(`${repository}: ${missing}`)
    }
    expect(wrong).toEqual([])
  },
)
