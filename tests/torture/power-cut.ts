/** Cuts the power of a store after each of its system calls, and checks what it has promised. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import { describeInspection } from '../../src/store/damage.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { Disk, type Survives } from './disk.ts'
import { type Call, readCalls, trace } from './trace.ts'

export interface PowerCutResult {
  calls: number
  /** Receipts that were reported as stored or deleted. */
  told: number
  /** Disks that were checked, all different. */
  disks: number
  /** Disks that failed; `examples` says what was wrong with the first three. */
  failures: number
  /** Those of them that opened, but lacked a receipt. */
  lost: number
  examples: string[]
}

const WRITER = join(import.meta.dirname, 'writer.ts')

/** Disks drawn at random after each call, besides those that lost all that is unflushed, or nothing. */
const DRAWS = 4

/** @param flushesAll whether the disk flushes SQLite's journal, too; if not, some disks must fail */
export async function cutPower(flushesAll: boolean): Promise<PowerCutResult> {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-power-cut-'))
  // In memory if possible: thousands of disks are written, and none needs to last.
  const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
  const restarted = mkdtempSync(join(memory, 'manyurls-power-cut-'))
  try {
    const root = join(folder, 'root')
    const calls = await traceWriter(folder, root)
    const test = new PowerCutTest(root, restarted)
    for (const [index, call] of calls.entries()) {
      // One lost receipt shows that the test can fail.
      if (!flushesAll && test.result.lost > 0) break
      const isIgnored = !flushesAll && call.kind === 'flush' && call.path.endsWith('-journal')
      if (!isIgnored) test.apply(call)
      await test.cutAfter(`call ${index + 1} (${call.kind})`)
    }
    return test.end(calls.length)
  } finally {
    rmSync(folder, { recursive: true, force: true })
    rmSync(restarted, { recursive: true, force: true })
  }
}

/** Runs the writer, and returns what it did to the disk. */
async function traceWriter(folder: string, root: string): Promise<Call[]> {
  mkdirSync(root)
  const file = join(root, 'data', 'submissions.db')
  const output = join(folder, 'trace')
  await trace(['--import', 'tsx', WRITER, file, '20'], output)
  return readCalls(output, root)
}

class PowerCutTest {
  readonly result: PowerCutResult = {
    calls: 0,
    told: 0,
    disks: 0,
    failures: 0,
    lost: 0,
    examples: [],
  }
  readonly #disk: Disk
  /** Where the store is opened again. */
  readonly #restarted: string
  readonly #promises: Promises = { stored: new Set(), deleted: new Set() }
  /** Digests of the disks that were checked. */
  readonly #checked = new Set<string>()
  readonly #draws: readonly Survives[]

  constructor(root: string, restarted: string) {
    this.#disk = new Disk(root)
    this.#restarted = restarted
    const random = xoroshiro128plus(1)
    const atRandom: Survives = () => random.next() % 2 === 0
    const nothing: Survives = () => false
    const everything: Survives = () => true
    this.#draws = [nothing, everything, ...Array.from({ length: DRAWS }, () => atRandom)]
  }

  apply(call: Call): void {
    if (call.kind === 'tell') hear(call.text, this.#promises)
    else this.#disk.apply(call)
  }

  /** Checks some of the disks that a power cut may leave now. */
  async cutAfter(moment: string): Promise<void> {
    for (const survives of this.#draws) {
      const files = this.#disk.afterPowerCut(survives)
      const digest = this.#digestOf(files)
      if (this.#checked.has(digest)) continue
      this.#checked.add(digest)
      this.result.disks += 1

      const fault = await whatIsWrong(files, this.#promises, this.#restarted)
      if (fault) this.#addFailure(moment, fault)
    }
  }

  end(calls: number): PowerCutResult {
    const { stored, deleted } = this.#promises
    const told = stored.size + deleted.size
    if (told === 0) throw new Error('the traced store reported no receipt')
    return { ...this.result, calls, told }
  }

  #addFailure(moment: string, fault: string): void {
    const { result } = this
    result.failures += 1
    if (fault.endsWith(LOST)) result.lost += 1
    if (result.examples.length < 3) result.examples.push(`after ${moment}: ${fault}`)
  }

  /** Names a disk, and what was promised by then. */
  #digestOf(files: ReadonlyMap<string, Buffer>): string {
    const { stored, deleted } = this.#promises
    const digest = createHash('sha256').update(`${stored.size} ${deleted.size}`)
    for (const [path, content] of files) {
      digest.update(`\n${path} ${content.length}\n`).update(content)
    }
    return digest.digest('base64')
  }
}

const LOST = 'receipts are missing'

/** What the store has promised so far, as receipts. */
interface Promises {
  stored: Set<string>
  deleted: Set<string>
}

function hear(text: string, { stored, deleted }: Promises): void {
  for (const line of text.trim().split('\n')) {
    const [what, receipt = ''] = line.split(' ')
    if (what === 'stored') stored.add(receipt)
    // Between "deleting" and "deleted" it may be there or not.
    if (what === 'deleting') stored.delete(receipt)
    if (what === 'deleted') deleted.add(receipt)
  }
}

/** Opens the store on a disk as the receiver would, and checks everything it has promised. */
async function whatIsWrong(
  files: ReadonlyMap<string, Buffer>,
  { stored, deleted }: Promises,
  folder: string,
): Promise<string | undefined> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  try {
    const store = await openStore({ file: join(folder, 'data', 'submissions.db') })
    try {
      return await brokenPromise(store, stored, deleted)
    } finally {
      await store.close()
    }
  } catch (error) {
    return (error as Error).message
  }
}

async function brokenPromise(
  store: Store,
  stored: ReadonlySet<string>,
  deleted: ReadonlySet<string>,
): Promise<string | undefined> {
  for await (const { receipt } of store.all()) {
    if (deleted.has(receipt)) return `${receipt} was deleted and is back`
  }
  let missing = 0
  for (const receipt of stored) {
    const submission = await store.find(receipt)
    if (submission?.receipt !== receipt) missing += 1
  }
  if (missing > 0) return `${missing} of ${stored.size} ${LOST}`
  return describeInspection(await store.inspect())
}
