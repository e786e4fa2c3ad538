/** What the owner can do with notifications. Each command yields what it prints. */
import { randomUUID } from 'node:crypto'
import { readConfig } from '../config.ts'
import { byMail, createMailer } from '../jobs/mailer.ts'
import { describeUnsent } from '../jobs/message.ts'
import { describeRefused, type Send } from '../jobs/sender.ts'
import { createWebhook } from '../jobs/webhook.ts'
import type { Store } from '../store/open-store.ts'
import type { Announced, Channel } from '../store/submission.ts'
import { formatTime } from './listing.ts'
import { UsageError } from './which-submissions.ts'

export async function* showUnsent({ outbox }: Store, limit: number) {
  const { waiting, next } = await outbox.unsent(limit)
  for (const { receipt, channel, isListed, dueAt, attempts, failure } of next) {
    let due = `due ${formatTime(dueAt)}`
    if (Date.parse(dueAt) <= Date.now()) {
      due = channel === 'mail' ? 'due now, or in the next list' : 'due now'
    }
    if (isListed) due = 'in the next list'
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
  const example: Announced = {
    receipt: `test-${randomUUID()}`,
    path: 'Test',
    receivedAt: new Date().toISOString(),
    status: 'received',
    fields: [['message', 'An example, to test notifications.']],
  }
  const ways = new Map<Channel, Send>()
  if (mail) ways.set('mail', byMail(await createMailer(mail), []))
  if (webhook) ways.set('webhook', createWebhook(webhook, []))
  for (const [channel, send] of ways) {
    const announcement = { message: example.receipt, submissions: [example], count: 1 }
    const { failure, refused = [] } = await send(announcement)
    if (refused.length > 0) {
      const names = describeRefused(refused).replaceAll('\n', '; ')
      throw new UsageError(`the example was sent by ${channel}, but the server refused ${names}`)
    }
    if (failure) throw new UsageError(`the example was not sent by ${channel}: ${failure.reason}`)
    yield `The example was accepted: by ${channel}.\n`
  }
}
