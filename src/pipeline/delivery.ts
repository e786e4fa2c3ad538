/** Lists a delivery: its batches in the order of precedence, and the files that are not read. */
import { fileProblem, NOT_READ } from '../batch/problem.ts'
import { fault } from '../batch/sentences.ts'
import { compareBatches } from '../dataset/precedence.ts'
import type { Source } from './source.ts'

/** From this size on, in bytes, a delivery is remembered: a smaller one is read again as fast. */
const LARGE = 64_000_000

/** One part of a delivery: the batch at `number`, from 1, of every `of` in the order of precedence. */
export interface Shard {
  number: number
  of: number
}

export type Delivery = Awaited<ReturnType<typeof listDelivery>>

/**
 * @param largeFrom from which size on, in bytes, batches are remembered; only tests change it
 * @returns `batches` of this shard, and `all` of them with their size in bytes; of the files that are
 *   not read, `missed` may hold batches, and `others` may not
 */
export async function listDelivery(
  source: Source,
  { number, of }: Shard = { number: 1, of: 1 },
  largeFrom = LARGE,
) {
  const listed = (await source.list()).sort((a, b) => compareBatches(a.name, b.name))
  const all = listed.filter(({ unread }) => unread === undefined)
  const size = all.reduce((sum, { size }) => sum + size, 0)
  const batches = all.filter((_, rank) => rank % of === number - 1)
  const unread = (isWanted: boolean) =>
    listed.flatMap(({ name, unread, isMissed = false }) => {
      if (unread === undefined || isMissed !== isWanted) return []
      const what = name.endsWith('/') ? 'folder' : 'file'
      return fileProblem(name, { ...fault(NOT_READ, [], what, unread), about: unread })
    })
  const isLarge = size >= largeFrom
  return { all, batches, size, isLarge, missed: unread(true), others: unread(false) }
}
