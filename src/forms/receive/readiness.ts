/** Answers `/readyz`: whether submissions can be stored, and what the owner should look at. */
import type { Logger } from 'pino'
import { messageOf } from '../../machine/errors.ts'
import type { Alarm } from '../../notify/alarm.ts'
import { describeQueued } from '../../notify/message.ts'
import type { Condition } from '../../notify/upkeep.ts'
import type { Store } from '../../store/store.ts'
import type { FileResponse } from '../files/open-site.ts'
import { send, TEXT } from './send.ts'

/** How long an answer is reused, in milliseconds, so that clients cannot make the disk write at will. */
const REUSED_FOR = 1_000

export interface ReadinessParts {
  /** Undefined for a site without forms. */
  store: Store | undefined
  log: Logger
  alarm?: Alarm | undefined
  /** What is known of the store's condition. */
  condition?: Condition
}

/** Returns a function that answers. */
export function createReadiness(parts: ReadinessParts): () => Promise<FileResponse> {
  let checkedAt = -Infinity
  let answer: Promise<FileResponse>

  return () => {
    const now = performance.now()
    if (now - checkedAt < REUSED_FOR) return answer

    checkedAt = now
    answer = check(parts)
    return answer
  }
}

async function check({ store, log, alarm, condition }: ReadinessParts): Promise<FileResponse> {
  try {
    await store?.probe()
    const queued = store ? (await store.outbox.queued(0)).count : 0
    return send(200, TEXT, describe(queued, condition))
  } catch (error) {
    const reason = messageOf(error)

    log.error({ reason }, 'not ready')
    alarm?.('notStored', reason)
    return send(503, TEXT, 'not ready: submissions cannot be stored\n')
  }
}

/** Says nothing about visitors or what they wrote, because anybody may ask. */
function describe(queued: number, condition: Condition | undefined): string {
  const parts = ['ready']

  const waiting = describeQueued(queued)
  if (waiting) parts.push(waiting)

  if (condition?.damage) parts.push(`${condition.damage} (see the log)`)

  return `${parts.join('; ')}\n`
}
