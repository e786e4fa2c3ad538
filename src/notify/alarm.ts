/** Sends the owner a mail when something is wrong. These mails do not go through the outbox. */
import type { Logger } from 'pino'
import { DAY, HOUR } from '../store/submission.ts'
import type { Mailer } from './mailer.ts'

interface TopicText {
  subject: string
  /** Sentences that explain it. The reason follows. */
  text: readonly string[]
  /** How long no other mail is sent about it, in milliseconds. */
  pause: number
  /** Whether another reason is sent during the pause: a second address, or more damage. */
  isByReason?: true
}

const TOPICS = {
  notStored: {
    subject: 'Forms cannot be stored',
    text: ['Visitors who send a form are asked to send it again later. The reason:'],
    pause: HOUR,
  },
  notAnnounced: {
    subject: 'Notifications fail',
    text: [
      'For three days, notifications could not be sent. They are tried again every hour.',
      'The submissions are stored, and none is deleted before its notification is sent.',
      '"npm run submissions -- notifications" shows which ones are waiting. One of them:',
    ],
    pause: DAY,
  },
  notDelivered: {
    subject: 'A recipient of notifications was refused',
    text: [
      'The mail server accepted a notification for the other recipients, but not for these.',
      'Correct NOTIFY_TO, or ask whoever runs the mail server. The reason:',
    ],
    pause: DAY,
    isByReason: true,
  },
  notDeleted: {
    subject: 'Old submissions were not deleted',
    text: ['This is tried again next night, and whenever the receiver starts. The reason:'],
    pause: DAY,
  },
  dateDoubted: {
    subject: 'The date is in doubt, so nothing is deleted',
    text: [
      'Since the last nightly run, more time has passed by the clock than KEEP_DAYS or KEEP_SPAM_DAYS.',
      'If the receiver was off for so long, run "npm run submissions -- confirm-date".',
      'Otherwise, correct the clock of its machine. Until then, no old submission is deleted.',
    ],
    pause: DAY,
  },
  notChecked: {
    subject: 'The submissions could not be checked',
    text: [
      'Every night, and when the receiver starts, it checks whether the stored submissions are damaged.',
      'This time it could not. That is not a sign of damage. Old submissions were not deleted, either.',
      'Both are tried again next night. The reason:',
    ],
    pause: DAY,
  },
  damaged: {
    subject: 'Stored submissions are damaged',
    text: [
      'Something has changed in the store that the receiver did not write. Often a disk or memory is failing.',
      'Forms are still received, unless another mail says that they cannot be stored.',
      'If the structure of the file is damaged, no old submission is deleted.',
      'First save what can be read: "npm run submissions -- export --format json --out FILE".',
      '"npm run submissions -- check" checks again, and says what to do next.',
      'Keep your older backups: they may still have what is damaged.',
      'You get no other mail about the same damage until the receiver restarts. What was found:',
    ],
    pause: Infinity,
    isByReason: true,
  },
} satisfies Record<string, TopicText>

export type Topic = keyof typeof TOPICS

/** Sends a mail about a topic, unless one was sent recently. It never rejects. */
export type Alarm = (topic: Topic, reason: string) => Promise<void>

/** Returns a function that sends the reason, and then nothing about the topic during its pause. */
export function createAlarm(mailer: Mailer, log: Logger, now = () => performance.now()): Alarm {
  const quietUntil = new Map<string, number>()

  return async (topic, reason) => {
    const { subject, text, pause, isByReason }: TopicText = TOPICS[topic]
    const key = isByReason ? `${topic} ${reason}` : topic
    if (now() < (quietUntil.get(key) ?? 0)) return

    quietUntil.set(key, now() + pause)
    const { failure } = await mailer({ subject, text: `${text.join(' ')}\n\n${reason}\n` })

    if (!failure) return
    quietUntil.delete(key)
    log.error({ cause: failure.cause }, 'alarm not sent')
  }
}
