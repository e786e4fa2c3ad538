/**
 * Fills in the receiver's two documents of the built site: the receipt and the refusal. They name no
 * path, so the site's script renders nothing there: it only keeps what is typed. Pure.
 *
 * Errors are shown as in the GOV.UK design system: a summary at the top with a link to each field,
 * the message again at the field, and a title that begins with 'Error:'.
 */
import { createElement, Fragment, type ReactNode } from 'react'
import { renderToStaticMarkup as render } from 'react-dom/server'
import { PLACE, type receiptPlaces, type refusalPlaces } from '../../app/screens/AnswerScreens.tsx'
import { controlId, PageForm } from '../../app/screens/PageForm.tsx'
import { addressOf } from '../../page/address.ts'
import { FIELD_TYPES, type FormDefinition, HONEYPOT } from '../../page/form-fields.ts'
import type { FormPage } from '../../page/page.ts'
import { answers, site } from '../../site.ts'
import type { SentField, StoredSubmission } from '../../store/submission.ts'
import type { Site } from '../files/open-site.ts'
import type { Refusal } from './refusals.ts'

type Template = Pick<Site, 'answers' | 'base'>

/** Returns the document after a form was sent: thanks, the time, the receipt and a link back. */
export function receiptDocument(
  { answers: { receipt: document }, base }: Template,
  { receipt, path, receivedAt }: Pick<StoredSubmission, 'receipt' | 'path' | 'receivedAt'>,
): string {
  const page = base + addressOf(path)

  const options = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const
  const format = new Intl.DateTimeFormat([site.language, 'en-GB'], options)
  const written = format.format(new Date(receivedAt))

  const values = { receipt, page, moment: receivedAt, time: `${written} UTC` }
  return filled<typeof receiptPlaces>(document, values)
}

/** Returns the document that says why a request was refused, and gives back what could be read. */
export function refusalDocument(
  { answers: { refused: document }, base }: Template,
  refusal: Refusal,
  page?: FormPage,
  fields?: readonly SentField[],
): string {
  const { form, path = '' } = page ?? {}
  const fieldsOutsideForm = fields?.filter((field) => !isShown(field, form, fields)) ?? []

  if (page && form && fields) {
    const content = (
      <>
        <Summary {...refusal} form={form} />
        <PageForm form={form} path={path} base={base} sent={sentOf(refusal, fields)} />
        <SentFields fields={fieldsOutsideForm} />
      </>
    )
    return filled<typeof refusalPlaces>(document, { title: page.title, content })
  }

  const content = (
    <div className="body">
      <p>{refusal.detail}</p>
      <SentFields fields={fieldsOutsideForm} />
      {page && (
        <p>
          <a href={base + addressOf(path)}>{answers.toPage}</a>
        </p>
      )}
    </div>
  )
  return filled<typeof refusalPlaces>(document, { title: refusal.title, content })
}

/**
 * Whether a form shows what was sent. It cannot if the value is the second of its name, or if an older
 * document had another field or another choice.
 */
function isShown(
  sentField: SentField,
  form: FormPage['form'] | undefined,
  fields: readonly SentField[],
): boolean {
  const [name, value] = sentField
  if (form && (name === HONEYPOT || value === '')) return true

  const field = form?.fields.find((definition) => definition.name === name)
  const isFirst = fields.find(([sentName]) => sentName === name) === sentField
  if (!field || !isFirst) return false

  const isText = field.type !== 'select' && field.type !== 'checkbox'
  return isText || FIELD_TYPES[field.type].accepts(value, field)
}

/** Fills in each place, all of them in one pass: what a visitor wrote is never read as a mark. */
function filled<Places>(document: string, values: Record<keyof Places, ReactNode>): string {
  return document.replace(PLACE, (mark, name) =>
    Object.hasOwn(values, name) ? render(values[name as keyof Places]) : mark,
  )
}

function sentOf({ faults = new Map() }: Refusal, fields: readonly SentField[]) {
  // A field that was sent twice gets its first value back. HTML reads CR as LF and drops the first
  // line break of a textarea; React doubles it, but only if it is LF.
  const values = [...fields].reverse().map(([name, value]) => [name, withLineFeeds(value)] as const)
  return { values: new Map(values), errors: faults }
}

function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}

/** It gets the focus on load, so that a screen reader reads it out. */
const FOCUSED = { tabIndex: -1, autoFocus: true }

function Summary({ title, detail, faults, form }: Refusal & { form: FormDefinition }) {
  const names = new Set(form.fields.map(({ name }) => name))

  return (
    <div className="errors" role="alert" aria-labelledby="errors" {...FOCUSED}>
      <h2 id="errors">{title}</h2>
      <p>{detail}</p>
      {faults && (
        <ul>
          {[...faults].map(([field, message]) => (
            <li key={field}>
              {names.has(field) ? <a href={`#${controlId(field)}`}>{message}</a> : message}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function SentFields({ fields }: { fields: readonly SentField[] }) {
  if (fields.length === 0) return null

  const entries = fields.map(([name, value]) => (
    <Fragment key={name}>
      <dt>{name}</dt>
      <dd>
        <pre dir="auto">{withLineFeeds(value)}</pre>
      </dd>
    </Fragment>
  ))

  return (
    <>
      <h2>{answers.sent}</h2>
      {/* Not as one array, in which a name that was sent twice would be a key twice. */}
      {createElement('dl', null, ...entries)}
    </>
  )
}
