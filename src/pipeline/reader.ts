/** Reads the batches of a delivery, and yields them in order. Several threads read a large one. */
import os from 'node:os'
import path from 'node:path'
import { fileProblem } from '../batch/problem.ts'
import { noPages, type ReadResult, readBatch } from '../batch/read.ts'
import { loadCheck } from '../batch/schema/schema.ts'
import { findLostText } from '../batch/texts.ts'
import type { Violation } from '../batch/violation.ts'
import { BuildError, describeSystemError } from '../machine/errors.ts'
import { sha256Of } from '../text/digest.ts'
import type { SchemaFiles } from './schema-files.ts'
import type { Source } from './source.ts'

/** The total size in bytes from which threads save more time than they take to start. */
export const LARGE = 64_000_000

/** With more, they would wait for the main thread, which claims, compares and writes. */
const MOST_THREADS = 4

/** A batch as it was read. */
export interface Read extends ReadResult {
  name: string
  bytes: Uint8Array
  sha256: string
  /** Its texts that have lost a character; warnings unless the build is strict. */
  lost: Violation[]
}

type Task = Pick<Read, 'name' | 'bytes'>

type Schema = Pick<SchemaFiles, 'check' | 'marked'>

/**
 * @param frames for how many problems of a batch the lines around them are kept
 */
export function makeRead({ check: code, marked }: Schema, frames: number) {
  const check = loadCheck(code)
  return ({ name, bytes }: Task) => {
    const lost = findLostText(bytes)
    return { sha256: sha256Of(bytes), lost, ...readBatch(name, bytes, check, frames, marked) }
  }
}

/**
 * Reads batches and yields them in order. A batch that cannot be read has a problem.
 *
 * @param schema, frames see `makeRead`
 */
export async function* readBatches(
  source: Source,
  batches: readonly { name: string; size: number }[],
  schema: Schema,
  frames: number,
): AsyncGenerator<Read> {
  const size = batches.reduce((sum, { size }) => sum + size, 0)
  const threads = size < LARGE ? 1 : Math.min(MOST_THREADS, os.availableParallelism())
  const pool = threads === 1 ? undefined : await openPool(schema, frames, threads)
  // A single thread would only hold more memory if it read ahead.
  const ahead = pool ? threads : 0
  const read = pool ? (task: Task) => pool.run(task).catch(toMemoryError) : makeRead(schema, frames)
  const begin = async (name: string): Promise<Read> => {
    const bytes = await source.read(name).catch((error: Error) => error)
    if (bytes instanceof Error) return unreadable(name, bytes)
    return { name, bytes, ...(await read({ name, bytes })) }
  }
  const begun: Promise<Read>[] = []
  try {
    for (const { name } of batches) {
      const batch = begin(name)
      // Awaited in its turn; an earlier rejection must not end the process.
      batch.catch(() => {})
      begun.push(batch)
      if (begun.length > ahead) yield begun.shift() as Promise<Read>
    }
    yield* begun
  } finally {
    await pool?.destroy()
  }
}

/** Loaded on demand: most deliveries are small. */
async function openPool({ check, marked }: Schema, frames: number, threads: number) {
  const { Piscina } = await import('piscina')
  const pool = new Piscina<Task, ReturnType<ReturnType<typeof makeRead>>>({
    filename: path.join(import.meta.dirname, 'read-worker.js'),
    minThreads: threads,
    maxThreads: threads,
    workerData: [{ check, marked }, frames],
  })
  // After a failed task nobody waits for the other threads, which may fail, too.
  pool.on('error', () => {})
  return pool
}

function toMemoryError(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error
  throw new BuildError(
    'the batches need more memory than Node allows; split them into smaller ones, or set NODE_OPTIONS=--max-old-space-size=8192 (in MB)',
  )
}

function unreadable(name: string, error: Error): Read {
  const message = `the file cannot be read: ${describeSystemError(error)}`
  const problems = [fileProblem(name, message)]
  const none = { sha256: '', lost: [], records: 0, pages: noPages(), links: [] }
  return { name, bytes: Buffer.of(), ...none, problems, refused: [null] }
}
