/** What the owner can do with notifications. Each command yields what it prints. */
import { randomUUID } from 'node:crypto'
import { readConfig } from '../config.ts'
import { byMail, createMailer } from '../jobs/mailer.ts'
import { describeUnsent } from '../jobs/message.ts'
import { createWebhook } from '../jobs/webhook.ts'
import type { Store } from '../store/open-store.ts'
import type { StoredSubmission } from '../store/submission.ts'
import { formatTime } from './listing.ts'
import { UsageError } from './which-submissions.ts'

export async function* showUnsent({ outbox }: Store, limit: number) {
  const { waiting, next } = await outbox.unsent(limit)
  for (const { receipt, channel, isListed, dueAt, attempts, failure } of next) {
    const isDue = Date.parse(dueAt) <= Date.now()
    const now = channel === 'mail' ? 'due now, or in the next list' : 'due now'
    const alone = isDue ? now : `due ${formatTime(dueAt)}`
    const due = isListed ? 'in the next list' : alone
    const reason = failure ? `, ${failure}` : ''
    yield `${receipt}  by ${channel}, ${due}, attempts: ${attempts}${reason}\n`
  }
  yield `${describeUnsent(waiting) || 'no notification waiting'}\n`
}

/** Sends an example as the receiver would, with the same settings. */
export async function* sendTest(env: NodeJS.ProcessEnv) {
  const { mail, webhook } = readConfig(env)
  if (!mail && !webhook) {
    throw new UsageError(
      'there are no notifications: set SMTP_URL, NOTIFY_TO and NOTIFY_FROM, or NOTIFY_URL and NOTIFY_SECRET, as for the receiver',
    )
  }
  const receipt = `test-${randomUUID()}`
  const example: StoredSubmission = {
    ...{ id: 0, receipt, path: 'Test', receivedAt: new Date().toISOString() },
    ...{ status: 'received', repeats: 0, dataset: '', contentHash: '' },
    fields: [['message', 'An example, to test notifications.']],
  }
  const ways = [
    ...(mail ? [{ channel: 'mail', send: byMail(await createMailer(mail), []) } as const] : []),
    ...(webhook ? [{ channel: 'webhook', send: createWebhook(webhook, []) } as const] : []),
  ]
  for (const { channel, send } of ways) {
    const taken = { channel, message: receipt, submissions: [example], count: 1 }
    const failure = await send({ ...taken, attempts: 1, until: new Date() })
    if (failure) throw new UsageError(`the example was not sent by ${channel}: ${failure.reason}`)
    yield `The example was accepted: by ${channel}.\n`
  }
}
