import { expect, it, onTestFinished } from 'vitest'
import { createMailer } from '../../src/notify/mailer.ts'
import { listOf, notificationOf } from '../../src/notify/message.ts'
import { site } from '../../src/site.ts'
import type { SentField, StoredSubmission } from '../../src/store/submission.ts'
import { withThreeFields } from '../helpers/site.ts'
import { startMailServer } from '../helpers/smtp.ts'

const submissionOf = (fields: SentField[], change: Partial<StoredSubmission> = {}) => ({
  id: 1,
  receipt: '4x7h-q2m9-kc0d-8w3t-r5va-61ye-n4jp',
  path: withThreeFields.path,
  receivedAt: '2026-03-28T12:00:00.123Z',
  status: 'received' as const,
  ...{ fields, dataset: '', contentHash: '', repeats: 0 },
  ...change,
})

/** Sends the notification of a submission, and returns it as it arrived. */
async function arrived(submission: StoredSubmission, page = withThreeFields) {
  const mailServer = await startMailServer()
  const settings = { to: ['owner@example.org'], from: 'forms@example.org', withSpam: false }
  const mailer = await createMailer({ server: mailServer.url, ...settings })
  const facts = { pages: [page], address: 'https://example.com/docs' }
  expect(await mailer(notificationOf(submission, facts))).toEqual({ refused: [] })
  expect(mailServer.mails).toHaveLength(1)
  const [mail] = mailServer.mails
  return mail as NonNullable<typeof mail>
}

/** All headers of a notification, in lower case. */
const HEADERS = [
  ...['from', 'to', 'reply-to', 'subject', 'message-id', 'date', 'auto-submitted'],
  ...['mime-version', 'content-type', 'content-transfer-encoding'],
]

it('a notification is plain text with the title of the page, and is answered to the visitor', async () => {
  const { name } = site
  onTestFinished(() => void Object.assign(site, { name }))
  site.name = 'Our Site'
  const { headers, text, envelope } = await arrived(
    submissionOf([
      ['name', 'Zoë'],
      ['email', ' zoe@example.com\r\n'],
      ['message', 'One\r\ntwo\n田中 花子'],
    ]),
  )
  expect(envelope).toEqual(['forms@example.org', 'owner@example.org'])
  expect(headers).toMatchObject({
    from: 'Our Site <forms@example.org>',
    to: 'owner@example.org',
    'reply-to': 'zoe@example.com',
    subject: 'Contact us (4x7h-q2m9)',
    'message-id': '<4x7h-q2m9-kc0d-8w3t-r5va-61ye-n4jp@example.org>',
    'auto-submitted': 'auto-generated',
    'content-type': 'text/plain; charset=utf-8',
  })
  expect(Object.keys(headers).sort()).toEqual(HEADERS.sort())
  expect(text.trimEnd()).toBe(`A form was sent from the page "Contact us".

Your Name
  Zoë

Email Address
   zoe@example.com
  

Message
  One
  two
  田中 花子

Page      https://example.com/docs/contact/100
Received  2026-03-28T12:00:00.123Z
Receipt   4x7h-q2m9-kc0d-8w3t-r5va-61ye-n4jp

Your reply goes to zoe@example.com, as typed. Nobody has checked this address.`)
})

it('a visitor cannot add a header or a recipient, with line breaks and quotes in any field', async () => {
  const evil = '"Ada" <eve@example.com>\r\nBcc: eve@example.com\r\n\r\nQUIT\r\n.\r\nRSET\r\n'
  const fields: SentField[] = [
    ['name', evil],
    ['email', `ada@example.com${evil}`],
    ['message', `${evil}\u0000\u001b[2J\u202e\ud800.\r\n.\r\nDATA`],
    [evil, evil],
  ]
  const { headers, text, envelope } = await arrived(submissionOf(fields))
  expect(envelope).toEqual(['forms@example.org', 'owner@example.org'])
  expect(Object.keys(headers).sort()).toEqual(HEADERS.filter((name) => name !== 'reply-to').sort())
  expect(JSON.stringify(headers)).not.toMatch(/eve|ada/i)
  expect(text).toContain('\n  Bcc: eve@example.com\n  \n  QUIT\n  .\n  RSET\n')
  expect(text).toContain('\n  \\u0000\\u001b[2J\\u202e\\ud800.\n  .\n  DATA\n')
  expect(text).not.toMatch(/\n\S*bcc/i)
})

it.each([
  'ada@example.com, eve@example.com',
  'ada@example.com eve@example.com',
  'Ada <ada@example.com>',
  'ada@example.com\u0000',
  '"ada\r\nBcc: eve@example.com"@example.com',
  'ada@exa mple.com',
  `${'a'.repeat(245)}@b.example`,
  '',
])('there is no address to reply to in %j', (value) => {
  expect(
    notificationOf(submissionOf([['email', value]]), { pages: [withThreeFields] }).replyTo,
  ).toBeUndefined()
})

it('replies go to the longest address that mail servers take, and to none in other fields', () => {
  const replyTo = `${'a'.repeat(244)}@b.example`
  const of = (name: string) =>
    notificationOf(submissionOf([[name, replyTo]]), { pages: [withThreeFields] })
  expect([of('email').replyTo, of('name').replyTo]).toEqual([replyTo, undefined])
  const typed = notificationOf(submissionOf([['email', 'ada@münchen.de']]), {
    pages: [withThreeFields],
  })
  expect(typed.replyTo).toBe('ada@xn--mnchen-3ya.de')
})

it('a title and a path with line breaks stay one subject', async () => {
  const title = 'One\r\nBcc: eve@example.com'
  const { headers, envelope } = await arrived(submissionOf([]), { ...withThreeFields, title })
  expect(headers.subject).toBe('One Bcc: eve@example.com (4x7h-q2m9)')
  expect(headers).not.toHaveProperty('bcc')
  expect(envelope).toHaveLength(2)
})

it('a page that is gone is named by its path; suspected spam is marked', () => {
  expect(notificationOf(submissionOf([]), { pages: [] }).subject).toBe(
    `${withThreeFields.path} (4x7h-q2m9)`,
  )
  const suspect = submissionOf([], { status: 'suspect' })
  expect(notificationOf(suspect, { pages: [withThreeFields] }).subject).toBe(
    'Suspected spam: Contact us (4x7h-q2m9)',
  )
})

it('what is damaged is marked in every mail, and is answered to nobody', () => {
  const facts = { pages: [withThreeFields] }
  const damaged = submissionOf([['email', 'p923@example.com']], { damage: ['fields'] })
  const { subject, text, replyTo } = notificationOf(damaged, facts)
  expect(subject).toBe('Damaged: Contact us (4x7h-q2m9)')
  expect(text).toContain('This submission is damaged in the store')
  expect(replyTo).toBeUndefined()

  const { receipt: message } = damaged
  const sound = submissionOf([['email', 'p123@example.com']], { receipt: 'aaaa-aaaa-aaaa' })
  const several = listOf({ message, submissions: [damaged, sound], count: 2 }, facts)
  expect(several.subject).toBe('2 forms sent (aaaa-aaaa)')
  expect(several.text).toContain('This submission is damaged in the store')
  expect(several.text).not.toContain('Reply to  p923@')

  const many = listOf({ message, submissions: [damaged, sound], count: 21 }, facts)
  expect(many.text.match(/^.*damaged$/gm)).toEqual([expect.stringContaining(message)])
  const withoutWords = listOf({ message, submissions: [damaged], count: 1 }, facts, false)
  expect(withoutWords.text).toMatch(/ {2}damaged$/m)
})

it('a user and a password of any characters log in', async () => {
  const password = "p@ss/w:rd% 'é#"
  const mailServer = await startMailServer({ password })
  const [, rest = ''] = mailServer.url.split('@')
  const mailer = await createMailer({
    server: `smtp://${rest}`,
    user: 'owner',
    password,
    to: ['a@b.c'],
    from: 'd@e.f',
  })
  expect(await mailer({ subject: 'Test', text: 'Test' })).toEqual({ refused: [] })
  expect(mailServer.mails).toHaveLength(1)
})

it('no password is sent in clear text', async () => {
  const mailServer = await startMailServer()
  const server = mailServer.url.replace('//', '//owner:secret@')
  const mailer = await createMailer({ server, to: ['a@b.c'], from: 'd@e.f' })
  expect((await mailer({ subject: 'Test', text: 'Test' })).failure?.reason).toMatch(/STARTTLS|TLS/)
  expect(mailServer.mails).toEqual([])
})

it('what visitors write is printed without characters that control or hide, and stays readable', () => {
  const value =
    'tab\there, 田中\u3000太郎, می\u200cخواهم 👨\u200d👩\u200d👧, a\u200db\u200b\u00ad\u{e0041}\u001b'
  const { text } = notificationOf(submissionOf([['message', value]]), { pages: [withThreeFields] })
  expect(text).toContain(
    '  tab here, 田中 太郎, می\u200cخواهم 👨\u200d👩\u200d👧, a\\u200db\\u200b\\u00ad\\udb40\\udc41\\u001b\n',
  )
})
