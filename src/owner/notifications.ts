/** What the owner can do with notifications. Each command yields what it prints. */
import { randomUUID } from 'node:crypto'
import { readConfig } from '../forms/config.ts'
import type { Send } from '../notify/delivery.ts'
import { byMail, createMailer } from '../notify/mailer.ts'
import { describeQueued } from '../notify/message.ts'
import { describeRefused } from '../notify/sender.ts'
import { createWebhook } from '../notify/webhook.ts'
import type { QueuedNotification, Store } from '../store/store.ts'
import type { Announced, Channel } from '../store/submission.ts'
import { plural } from '../text/wording.ts'
import { formatTime } from './listing.ts'
import { UsageError } from './which-submissions.ts'

export async function* showQueued({ outbox }: Store, limit: number) {
  const { count, next } = await outbox.queued(limit)

  for (const notification of next) {
    const { receipt, channel, isDamaged } = notification
    const mark = isDamaged ? '  damaged' : ''
    yield `${receipt}${mark}  ${channel}: ${describeState(notification)}\n`
  }

  yield `${describeQueued(count) || 'No notification is waiting.'}\n`
}

function describeState({ attempts, dueAt, failure }: QueuedNotification): string {
  if (attempts === 0) return 'not sent yet'
  if (failure === null) return `being sent, attempt ${attempts}`

  const isDue = Date.parse(dueAt) <= Date.now()
  const next = isDue ? 'The next one is due now' : `The next one is at ${formatTime(dueAt)}`

  return `${plural(attempts, 'attempt')} failed. ${next}. The last error: ${failure}`
}

/** Sends an example as the receiver would, with the same settings. */
export async function* sendTest(env: NodeJS.ProcessEnv) {
  const { mail, webhook } = readConfig(env)

  if (!mail && !webhook) {
    throw new UsageError(
      'notifications are not set up. For mail, set SMTP_URL, NOTIFY_TO and NOTIFY_FROM; for a webhook, NOTIFY_URL and NOTIFY_SECRET; both as for the receiver',
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
  if (mail) ways.set('mail', byMail(await createMailer(mail), { pages: [] }))
  if (webhook) ways.set('webhook', createWebhook(webhook, []))

  for (const [channel, send] of ways) {
    await sendExample(channel, send, example)
    yield `The example was sent by ${channel}, and accepted.\n`
  }
}

async function sendExample(channel: Channel, send: Send, example: Announced): Promise<void> {
  const announcement = { message: example.receipt, submissions: [example], count: 1 }

  const { failure, refused = [] } = await send(announcement)
  if (failure) throw new UsageError(`the example was not sent by ${channel}: ${failure.reason}`)

  if (refused.length > 0) {
    const names = describeRefused(refused).replaceAll('\n', '; ')
    throw new UsageError(`the example was sent by ${channel}, but the server refused ${names}`)
  }
}
