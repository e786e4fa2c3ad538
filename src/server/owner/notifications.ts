/** What the owner can do with notifications. Each command yields what it prints. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describeUnsent } from '../receive/answers.ts'
import type { Store } from '../store/store.ts'
import { type Field, TEST } from '../store/submission.ts'
import { formatTime } from './listing.ts'
import { UsageError } from './which-submissions.ts'

export async function* showUnsent({ outbox }: Store, limit: number) {
  const unsent = await outbox.unsent(limit)
  for (const { submission, notification, notifyAt, attempts, failure } of unsent.next) {
    const due = notification === 'failed' ? 'failed' : `due ${formatTime(notifyAt)}`
    yield `${submission.receipt}  ${due}, attempts: ${attempts}${failure ? `, ${failure}` : ''}\n`
  }
  yield `${describeUnsent(unsent) || 'no notification waiting'}\n`
}

/**
 * Stores an example, waits until the receiver has sent its notification or `signal` ends the wait, and
 * deletes it.
 */
export async function* sendTest(store: Store, signal?: AbortSignal) {
  const fields: Field[] = [['message', `An example of ${new Date().toISOString()}`]]
  const example = { path: TEST, fields, dataset: '', isSuspect: false, isAnnounced: true }
  const { receipt } = await store.add(example)
  try {
    for (let seconds = 0; ; seconds++) {
      const own = await store.outbox.find(receipt)
      if (own?.notification === 'sent') break
      if (own?.failure) throw new UsageError(`the example was not sent: ${own.failure}`)
      // An example is the first to be sent, whatever waits.
      if (seconds === 30) {
        throw new UsageError(
          'nobody has sent the example for 30 seconds: does a receiver run, with SMTP_URL, NOTIFY_TO and NOTIFY_FROM? Or the mail server is slow to answer',
        )
      }
      await sleep(1_000, undefined, { signal }).catch(() => signal?.throwIfAborted())
    }
    yield 'The mail server has accepted the example.\n'
  } finally {
    await store.outbox.forget(receipt)
  }
}
