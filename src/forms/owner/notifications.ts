/** What the owner can do with notifications. Each command yields what it prints. */
import { setTimeout as sleep } from 'node:timers/promises'
import { plural } from '../../text/wording.ts'
import { describeUnsent } from '../receive/answers.ts'
import type { Field, Store } from '../store/store.ts'
import { UsageError } from './filter.ts'

export async function* showUnsent({ outbox }: Store, limit: number) {
  const unsent = await outbox.unsent(limit)
  for (const { submission, notification, notifyAt, attempts, failure } of unsent.next) {
    const due = notification === 'failed' ? 'failed' : `due ${notifyAt.toISOString().slice(0, 16)}Z`
    yield `${submission.receipt}  ${due}, attempts: ${attempts}${failure ? `, ${failure}` : ''}\n`
  }
  yield `${describeUnsent(unsent) || 'no notification waiting'}\n`
}

export async function* retry({ outbox }: Store) {
  yield `${plural(await outbox.retry(new Date()), 'notification')} due now; the receiver sends them\n`
}

/**
 * Stores an example, waits until the receiver has sent its notification or `signal` ends the wait, and
 * deletes it.
 */
export async function* sendTest(store: Store, signal?: AbortSignal) {
  const fields: Field[] = [['message', `An example of ${new Date().toISOString()}`]]
  const example = { path: 'Test', fields, dataset: '', isSuspect: false, isAnnounced: true }
  const { receipt } = await store.add(example)
  try {
    for (let seconds = 0; ; seconds++) {
      const { next } = await store.outbox.unsent(1_000)
      const own = next.find(({ submission }) => submission.receipt === receipt)
      // Among more than these, it may not have been found.
      if (!own && next.length < 1_000) break
      if (own?.failure) throw new UsageError(`the example was not sent: ${own.failure}`)
      if (seconds === 30) throw new UsageError('not sent in time: does the receiver have SMTP_URL?')
      await sleep(1_000, undefined, { signal }).catch(() => signal?.throwIfAborted())
    }
    yield 'The mail server has accepted the example.\n'
  } finally {
    await store.delete({ receipts: [receipt] })
  }
}
