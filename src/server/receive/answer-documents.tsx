/**
 * Creates the HTML responses: documents of the built site, with a part rendered anew. They name no
 * path, so the site's script renders nothing there: it only keeps what is typed. Pure.
 *
 * Errors are shown as in the GOV.UK design system: a summary at the top with a link to each field,
 * the message again at the field, and a title that begins with 'Error:'.
 */
import { Children, Fragment, type ReactNode } from 'react'
import { renderToStaticMarkup as render } from 'react-dom/server'
import type { FormDefinition } from '../../page/fields.ts'
import { controlId, PageForm } from '../../site/screens/PageForm.tsx'
import { answers, site } from '../../site/site.ts'
import type { Field, StoredSubmission } from '../store/submission.ts'
import type { Refusal } from './answers.ts'

/** A page with a form. */
interface FormPage {
  path: string
  form: FormDefinition
  /** As built. */
  document: string
  /** Of the site. */
  base: string
}

/** Returns the document of a page with its form filled in as it was sent, and its errors marked. */
export function refilledDocument(
  { path, form, document, base }: FormPage,
  refusal: Refusal,
  fields: readonly Field[],
): string {
  // A field that was sent twice gets its first value back. HTML reads CR as LF and drops the first
  // line break of a textarea; React doubles it, but only if it is LF.
  const values = new Map(
    [...fields].reverse().map(([name, value]) => [name, value.replace(/\r\n?/g, '\n')]),
  )
  const errors = new Map(refusal.faults?.map(({ field, message }) => [field, message]))
  return withParts(document, [
    [/(?<=<title>)/, render(answers.error)],
    [/(?<=<main [^>]*>)/, render(<ErrorSummary form={form} refusal={refusal} />)],
    [
      /<form .*<\/form>/s,
      render(<PageForm form={form} path={path} base={base} sent={{ values, errors }} />),
    ],
  ])
}

/** The built Not found document, from which the other documents are made, and the base. */
interface Template {
  notFound: string
  base: string
}

/**
 * Returns a document that says why a request was refused.
 *
 * @param path the page with the form, if there is one
 */
export function refusalDocument(site: Template, { title, detail }: Refusal, path?: string): string {
  const way = path && <a href={site.base + path}>{answers.toForm}</a>
  return screen(site, 'message', title, [detail, way], answers.error)
}

/** Returns the document after a form was sent: thanks, the time, the receipt and a link back. */
export function receiptDocument(
  site: Template,
  { receipt, path, receivedAt }: Pick<StoredSubmission, 'receipt' | 'path' | 'receivedAt'>,
): string {
  return screen(site, 'has-form', answers.thanks, [
    answers.received,
    <time key="time" dateTime={receivedAt}>
      {answers.receivedOn(inWords(receivedAt))}
    </time>,
    <Fragment key="receipt">
      {answers.receipt} <strong className="receipt">{receipt}</strong>
    </Fragment>,
    <a key="back" href={site.base + path}>
      {answers.backToPage}
    </a>,
  ])
}

/** Returns a document with a heading, which is its title, too, and paragraphs. */
function screen(
  { notFound }: Template,
  kind: string,
  heading: string,
  paragraphs: readonly ReactNode[],
  before = '',
): string {
  const main = (
    <main className={`sheet ${kind}`}>
      <h1 tabIndex={-1}>{heading}</h1>
      <div className="body">{Children.map(paragraphs, (each) => each && <p>{each}</p>)}</div>
    </main>
  )
  return withParts(notFound, [
    [TITLE, render(before + heading)],
    [MAIN, render(main)],
  ])
}

function inWords(moment: string): string {
  const options = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const
  return `${new Intl.DateTimeFormat(site.language, options).format(new Date(moment))} UTC`
}

/** It gets the focus on load, so that a screen reader reads it out. */
const FOCUSED = { tabIndex: -1, autoFocus: true }

function ErrorSummary({ form, refusal }: { form: FormDefinition; refusal: Refusal }) {
  const { title, detail, faults = [] } = refusal
  const names = new Set(form.fields.map(({ name }) => name))
  return (
    <div className="errors" role="alert" aria-labelledby="errors" {...FOCUSED}>
      <h2 id="errors">{title}</h2>
      {faults.length === 0 && <p>{detail}</p>}
      {faults.length > 0 && (
        <ul>
          {faults.map(({ field, message }) => (
            <li key={field}>
              {names.has(field) ? <a href={`#${controlId(field)}`}>{message}</a> : message}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** The name of the screen in a document's title, without the name of the site. */
const TITLE = /(?<=<title>).*?(?= · )/s

const MAIN = /<main .*<\/main>/s

/** What belongs to the page itself: its path, its data, and its metadata for search engines. */
const OF_PAGE =
  /<script type="application\/json".*?<\/script>|<link rel="(modulepreload|canonical)"[^>]*>|<meta (name="(description|robots)"|property="og:[^"]*")[^>]*>/g

/** Replaces parts of a built document with other HTML. */
function withParts(document: string, parts: readonly [part: RegExp, html: string][]): string {
  const noIndex = '<meta name="robots" content="noindex">'
  let html = document.replace(OF_PAGE, '').replace('</head>', `${noIndex}</head>`)
  for (const [part, replacement] of parts) {
    if (!part.test(html)) throw new Error(`a document of the site has no ${part}`)
    html = html.replace(part, () => replacement)
  }
  return html
}
