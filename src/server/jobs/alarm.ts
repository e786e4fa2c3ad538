/** Sends the owner a mail when something is wrong. These mails do not go through the outbox. */
import type { Logger } from 'pino'
import { DAY, HOUR } from '../store/submission.ts'
import type { Mailer } from './mailer.ts'

const TOPICS = {
  notStored: {
    subject: 'Submissions cannot be stored',
    text: ['Visitors are asked to send their forms again later. The reason:'],
  },
  notAnnounced: {
    subject: 'Notifications fail',
    text: [
      'They were refused for three days, and are tried every hour.',
      'The submissions are stored, and stay as long as they wait.',
      '"npm run submissions -- notifications" shows all that do. One of them:',
    ],
  },
  notDelivered: {
    subject: 'A recipient of notifications was refused',
    text: [
      'The mail server accepted a notification for the other recipients, but not for these.',
      'Correct NOTIFY_TO, or ask whoever runs the mail server. The reason:',
    ],
  },
  notDeleted: {
    subject: 'Old submissions were not deleted',
    text: ['They are tried again in the next night, and when the receiver starts. The reason:'],
  },
  notRead: {
    subject: 'Not every submission could be read',
    text: [
      'They are all read when the receiver starts, and every night.',
      '"npm run submissions -- show RECEIPT" shows what is left of one that is damaged, and "delete RECEIPT" deletes it.',
      'A backup from before may still have all of it.',
      'If the store was only busy or away, nothing is lost. The reason:',
    ],
  },
}

export type Alarm = (topic: keyof typeof TOPICS, reason: string) => Promise<void>

/** Returns a function that sends the reason, and not again for a day, or an hour if forms are refused. */
export function createAlarm(mailer: Mailer, log: Logger, now = () => performance.now()): Alarm {
  const quietUntil = new Map<string, number>()
  return async (topic, reason) => {
    // A second address may be refused on the same day.
    const key = topic === 'notDelivered' ? `${topic} ${reason}` : topic
    if (now() < (quietUntil.get(key) ?? 0)) return
    const { subject, text } = TOPICS[topic]
    const pause = topic === 'notStored' ? HOUR : DAY
    quietUntil.set(key, now() + pause)
    const { failure } = await mailer({ subject, text: `${text.join(' ')}\n\n${reason}\n` })
    if (!failure) return
    quietUntil.delete(key)
    log.error({ cause: failure.cause }, 'alarm not sent')
  }
}
