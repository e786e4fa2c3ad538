/** Tells the owner by mail that submissions cannot be stored. It cannot wait in the outbox. */
import type { Logger } from 'pino'
import type { Mailer } from './mailer.ts'

/** Returns a function that sends the reason, at most once an hour. */
export function createAlarm(mailer: Mailer, log: Logger, now = () => performance.now()) {
  let quietUntil = 0
  return async (reason: string): Promise<void> => {
    if (now() < quietUntil) return
    quietUntil = now() + 60 * 60_000
    const text = `Visitors are asked to send their forms again later. The reason:\n\n${reason}\n`
    await mailer({ subject: 'Submissions cannot be stored', text }).catch(({ cause }: Error) => {
      quietUntil = 0
      log.error({ cause }, 'alarm not sent')
    })
  }
}
