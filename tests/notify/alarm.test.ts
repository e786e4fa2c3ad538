import { pino } from 'pino'
import { expect, it, vi } from 'vitest'
import { createAlarm } from '../../src/notify/alarm.ts'
import { createMailer } from '../../src/notify/mailer.ts'
import { StoreError } from '../../src/store/submission.ts'
import { get, post, startReceiver } from '../helpers/receiver.ts'
import { withTwoFields } from '../helpers/site.ts'
import { startMailServer } from '../helpers/smtp.ts'

const HOUR = 60 * 60 * 1000

async function setUp() {
  const mailServer = await startMailServer()
  const mailer = await createMailer({
    ...{ server: mailServer.url, to: ['owner@example.org'], from: 'forms@example.org' },
  })
  const lines: string[] = []
  const log = pino({ base: null }, { write: (line) => void lines.push(line) })
  const clock = { now: 0 }
  return { mailServer, clock, lines, alarm: createAlarm(mailer, log, () => clock.now) }
}

it('an alarm is sent at most once an hour', async () => {
  const { mailServer, clock, alarm } = await setUp()
  await Promise.all([
    alarm('notStored', 'the disk is full'),
    alarm('notStored', 'the disk is full'),
  ])
  clock.now = HOUR - 1
  await alarm('notStored', 'the disk is full')
  expect(mailServer.mails).toHaveLength(1)
  expect(mailServer.mails[0]?.headers.subject).toBe('Forms cannot be stored')
  expect(mailServer.mails[0]?.text).toContain('\nthe disk is full\n')
  clock.now = HOUR
  await alarm('notStored', 'the disk failed')
  expect(mailServer.mails).toHaveLength(2)
})

it('an alarm that was not sent is logged, and the next one is sent', async () => {
  const { mailServer, alarm, lines } = await setUp()
  mailServer.answer({ code: 451, words: 'Later' })
  await alarm('notStored', 'the disk is full')
  expect(lines.join('')).toContain('"cause":"EMESSAGE 451"')
  mailServer.answer('accept')
  await alarm('notStored', 'the disk is full')
  expect(mailServer.mails).toHaveLength(1)
})

it('an alarm about other addresses is sent, though one came before', async () => {
  const { mailServer, alarm } = await setUp()
  await alarm('notDelivered', 'b@example.org: 550')
  await alarm('notDelivered', 'b@example.org: 550')
  await alarm('notDelivered', 'c@example.org: 550')
  expect(mailServer.mails).toHaveLength(2)
})

it('the same damage is one mail, and more damage another', async () => {
  const { mailServer, alarm, clock } = await setUp()
  await alarm('damaged', '1 submission damaged')
  clock.now = 100 * 24 * HOUR
  await alarm('damaged', '1 submission damaged')
  await alarm('damaged', '2 submissions damaged')
  expect(mailServer.mails).toHaveLength(2)
})

it('a form that cannot be stored, and a failed check of readiness, raise the alarm', async () => {
  const alarm = vi.fn()
  const receiver = await startReceiver({}, undefined, alarm)
  try {
    const body = 'name=Ada&email=ada%40example.com'
    const path = `/api/forms${withTwoFields.path}`
    expect((await post(receiver.port, { path, body })).status).toBe(303)
    expect((await get(receiver.port, '/readyz')).status).toBe(200)
    expect(alarm).not.toHaveBeenCalled()
    receiver.store.add = () => Promise.reject(new StoreError('the disk is full'))
    expect((await post(receiver.port, { path, body })).status).toBe(503)
    expect(alarm.mock.calls).toEqual([['notStored', 'the disk is full']])
    receiver.store.add = () => Promise.reject(new StoreError('no answer', { mayBeStored: true }))
    const unsure = await post(receiver.port, { path, body })
    expect(unsure.status).toBe(503)
    expect(unsure.body).toContain('value="Ada"')
    expect(unsure.body).not.toMatch(/nothing was stored/i)
    receiver.store.probe = () => Promise.reject(new StoreError('the disk failed'))
    await vi.waitFor(async () => expect((await get(receiver.port, '/readyz')).status).toBe(503), {
      timeout: 3 * 60_000,
    })
    expect(alarm).toHaveBeenLastCalledWith('notStored', 'the disk failed')
  } finally {
    await receiver.stop()
  }
})
