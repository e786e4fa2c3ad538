/** Cuts the power of a store after each of its system calls, and checks what it has promised. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Database from 'libsql/promise'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import { openStore } from '../../src/server/store/open-store.ts'
import { contentHash } from '../../src/server/store/submission.ts'
import { Disk, type Survives } from './disk.ts'
import { readCalls, trace } from './trace.ts'

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
  const after = mkdtempSync(join(memory, 'manyurls-power-cut-'))
  try {
    const root = join(folder, 'root')
    mkdirSync(root)
    const file = join(root, 'data', 'submissions.db')
    await trace(['--import', 'tsx', WRITER, file, '20'], join(folder, 'trace'))
    const calls = await readCalls(join(folder, 'trace'), root)

    const disk = new Disk(root)
    const promises: Promises = { stored: new Set(), deleted: new Set() }
    const seen = new Set<string>()
    const random = xoroshiro128plus(1)
    const atRandom: Survives = () => random.next() % 2 === 0
    const draw = [() => false, () => true, ...Array.from({ length: DRAWS }, () => atRandom)]
    const result: PowerCutResult = {
      calls: calls.length,
      told: 0,
      disks: 0,
      failures: 0,
      lost: 0,
      examples: [],
    }
    for (const [index, call] of calls.entries()) {
      // One lost receipt shows that the test can fail.
      if (!flushesAll && result.lost > 0) break
      if (call.kind === 'tell') hear(call.text, promises)
      else if (flushesAll || call.kind !== 'flush' || !call.path.endsWith('-journal'))
        disk.apply(call)
      for (const survives of draw) {
        const files = disk.afterPowerCut(survives)
        const digest = createHash('sha256').update(
          `${promises.stored.size} ${promises.deleted.size}`,
        )
        for (const [path, content] of files)
          digest.update(`\n${path} ${content.length}\n`).update(content)
        const key = digest.digest('base64')
        if (seen.has(key)) continue
        seen.add(key)
        result.disks += 1
        const fault = await whatIsWrong(files, promises, after)
        if (!fault) continue
        result.failures += 1
        if (fault.endsWith(LOST)) result.lost += 1
        if (result.examples.length < 3) {
          result.examples.push(`after call ${index + 1} (${call.kind}): ${fault}`)
        }
      }
    }
    result.told = promises.stored.size + promises.deleted.size
    if (result.told === 0) throw new Error('the traced store reported no receipt')
    return result
  } finally {
    for (const each of [folder, after]) rmSync(each, { recursive: true, force: true })
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
  const file = join(folder, 'data', 'submissions.db')
  try {
    const store = await openStore({ file })
    const missing = new Set(stored)
    for await (const submission of store.all()) {
      missing.delete(submission.receipt)
      if (deleted.has(submission.receipt)) return `${submission.receipt} was deleted and is back`
      if (contentHash(submission) !== submission.contentHash) return `${submission.receipt} is torn`
    }
    for (const receipt of missing) {
      const found = await store.find(receipt)
      if (found?.receipt === receipt) missing.delete(receipt)
    }
    await store.close()
    if (missing.size > 0) return `${missing.size} of ${stored.size} ${LOST}`
    const database = new Database(file, {})
    const [check] = await (await database.prepare('PRAGMA integrity_check')).all()
    database.close()
    return check.integrity_check === 'ok' ? undefined : check.integrity_check
  } catch (error) {
    return (error as Error).message
  }
}
