/** Writes the mails to the owner, of one submission or of several, as plain text. Pure. */
import { addressOf } from '../page/address.ts'
import { EMAIL } from '../page/form-fields.ts'
import type { FormPage } from '../page/page.ts'
import {
  type Announced,
  type Announcement,
  readNumberedReceipt,
  type SentField,
} from '../store/submission.ts'
import { withAsciiDomain } from '../text/domain.ts'
import { printable } from '../text/printable.ts'
import { cut, formatNumber, plural } from '../text/wording.ts'

export interface Message {
  /** The same for each attempt, so that mail programs can tell. */
  id?: string
  subject: string
  text: string
  replyTo?: string | undefined
}

/** RFC 5321, 4.5.3.1.3: the longest address that a mail server must accept. */
const LONGEST_ADDRESS = 254

/** How many submissions one mail shows whole. Of more, it shows a line each. */
const MOST_WHOLE = 20

/** How much of what was sent such a line shows, in characters. */
const LONGEST_EXCERPT = 150

const LINE_BREAK = /\r\n|\r|\n/

/** Returns the first two groups of a receipt, which are enough for commands, lists and subjects. */
export function startOf(receipt: string): string {
  return readNumberedReceipt(receipt) === undefined ? receipt.slice(0, 9) : receipt
}

/** The facts about the site that mails name. */
export interface SiteFacts {
  pages: readonly FormPage[]
  /** Such as `https://example.com/docs`; undefined if the site was built without SITE_URL. */
  address?: string | undefined
}

/**
 * Returns the notification of a submission. All that a visitor has written in its headers is the
 * address to reply to, which is valid as in HTML.
 */
export function notificationOf(
  submission: Announced,
  site: SiteFacts,
  id = submission.receipt,
): Message {
  const { receipt, path, damage } = submission
  const page = pageOf(submission, site)
  const title = page?.title ?? path
  const spam = isSpam(submission) ? 'Suspected spam: ' : ''
  const damaged = damage ? 'Damaged: ' : ''

  const replyTo = replyAddressOf(submission, page)
  const reply = `\nYour reply goes to ${replyTo}, as typed. Nobody has checked this address.\n`

  return {
    id,
    subject: `${damaged}${spam}${title} (${startOf(receipt)})`,
    text: `A form was sent from the page "${title}".\n${wholeOf(submission, site)}${replyTo ? reply : ''}`,
    replyTo,
  }
}

/** Returns the mail about several submissions, without what visitors wrote unless `withWords`. */
export function listOf(
  { message, submissions, count }: Announcement,
  site: SiteFacts,
  withWords = true,
): Message {
  const isWhole = withWords && count <= MOST_WHOLE
  const parts = submissions.map((submission) => {
    return isWhole ? wholeWithTitle(submission, site) : lineOf(submission, site, withWords)
  })

  const more = count - submissions.length
  const rest = more > 0 ? `and ${formatNumber(more)} more: npm run submissions\n` : ''
  const these = count === 1 ? 'This form was' : 'These forms were'
  const explanation = explanationOf(withWords, isWhole)

  const sound = submissions.find(({ damage }) => !damage)
  const name = sound ? ` (${startOf(sound.receipt)})` : ''

  return {
    id: message,
    subject: `${plural(count, 'form')} sent${name}`,
    text: `${these} sent since the last mail.\n\n${parts.join('')}${rest}\n${explanation}`,
  }
}

/** Says how to see all of a form, if it isn't in the mail, and why mails come as they do. */
function explanationOf(withWords: boolean, isWhole: boolean): string {
  const show = '"npm run submissions -- show RECEIPT" shows all of one.'
  if (!withWords) {
    return `The mail server refused a mail with what visitors wrote, so it isn't here. ${show}\n`
  }

  const pace = 'NOTIFY_EVERY sets how often such mails are sent.'
  return isWhole ? `${pace}\n` : `${show}\n${pace}\n`
}

function wholeWithTitle(submission: Announced, site: SiteFacts): string {
  const page = pageOf(submission, site)
  const title = printableLine(page?.title ?? submission.path)
  const spam = isSpam(submission) ? ' (suspected spam)' : ''

  const address = replyAddressOf(submission, page)
  const reply = address ? `Reply to  ${address}, as typed\n` : ''

  return `--- ${title}${spam} ---\n${wholeOf(submission, site)}${reply}\n`
}

function wholeOf(submission: Announced, site: SiteFacts): string {
  const { receipt, receivedAt, fields, damage } = submission
  const warning = damage
    ? `\nThis submission is damaged in the store, so what you read may be wrong (${damage.join(', ')}).\n`
    : ''

  return `${warning}${formatFields(fields, pageOf(submission, site))}
Page      ${linkOf(submission, site)}
Received  ${receivedAt}
Receipt   ${receipt}
`
}

function lineOf(submission: Announced, site: SiteFacts, withWords: boolean): string {
  const { receipt, receivedAt, status, fields, damage } = submission
  const spam = isSpam(submission) ? `  ${status}` : ''
  const damaged = damage ? '  damaged' : ''

  const words = withWords ? `  ${cut(inOneLine(fields), LONGEST_EXCERPT)}\n` : ''
  const moment = `${receivedAt.slice(0, 16)}Z`

  return `${moment}  ${receipt}  ${linkOf(submission, site)}${spam}${damaged}\n${words}`
}

function isSpam({ status }: Announced): boolean {
  return status !== 'received'
}

/** Returns the page with the form, unless it is gone. */
function pageOf({ path }: Announced, { pages }: SiteFacts): FormPage | undefined {
  return pages.find((page) => page.path === path)
}

/** Returns the whole address of the page with the form, or its path if the site knows no address. */
function linkOf({ path }: Announced, { address }: SiteFacts): string {
  return printableLine(address === undefined ? path : address + addressOf(path))
}

/** Returns the first address in an email field that a reply can go to. A damaged one may be wrong. */
function replyAddressOf({ fields, damage }: Announced, page: FormPage | undefined) {
  if (damage) return undefined

  const emailFields = page?.form?.fields.filter(({ type }) => type === 'email') ?? []
  const names = new Set(emailFields.map(({ name }) => name))

  for (const [name, value] of fields) {
    const address = withAsciiDomain(value.trim())
    const isAddress = address.length <= LONGEST_ADDRESS && EMAIL.test(address)
    if (names.has(name) && isAddress) return address
  }
  return undefined
}

/** Says how many notifications are not sent; '' when all are. */
export function describeQueued(count: number): string {
  return count > 0 ? `${plural(count, 'notification')} waiting` : ''
}

/** Returns the values of fields in one line. */
export function inOneLine(fields: readonly SentField[]): string {
  return printableLine(fields.map(([, value]) => value.trim().replace(/\s+/g, ' ')).join(' · '))
}

/** Formats fields, each with its label above its value. What the page doesn't have has only a name. */
export function formatFields(fields: readonly SentField[], page?: FormPage): string {
  const labels = new Map(page?.form?.fields.map(({ name, label }) => [name, label]))

  const entries = fields.map(([name, value]) => {
    const lines = value.split(LINE_BREAK).map((line) => `  ${printableLine(line)}\n`)
    return `\n${printableLine(labels.get(name) ?? name)}\n${lines.join('')}`
  })
  return entries.join('')
}

/** Makes a line of a visitor safe to print. Blanks of other languages become spaces. */
export function printableLine(text: string): string {
  return printable(text.replace(/[\t\p{Zs}]/gu, ' '))
}
