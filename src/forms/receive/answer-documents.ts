/**
 * Creates the HTML responses from the documents of the built site. They look like the page they
 * came from, but have no scripts: the site's script would take them for the page at their URL. What
 * a visitor sent is inserted into the tree as text, never as markup. Pure.
 *
 * Errors are shown as in the GOV.UK design system: a summary at the top with a link to each field,
 * the message again at the field, and a title that begins with 'Error:'.
 */
import {
  type DefaultTreeAdapterTypes,
  defaultTreeAdapter as dom,
  html,
  parse,
  serialize,
} from 'parse5'
import type { Field } from '../store/store.ts'
import type { FieldFault } from './request.ts'

type Element = DefaultTreeAdapterTypes.Element
type Node = DefaultTreeAdapterTypes.ChildNode
type Document = DefaultTreeAdapterTypes.Document

/** What went wrong, worded for the visitor. */
export interface Failure {
  title: string
  detail: string
  faults: readonly FieldFault[]
}

/** The content of a document without a form. */
export interface Message {
  title: string
  paragraphs: readonly Paragraph[]
  isError: boolean
}

/** Text that may contain links, times and receipts. */
export type Paragraph = readonly (
  | string
  | { link: string; text: string }
  | { moment: string; text: string }
  | { receipt: string }
)[]

/**
 * Returns the document of a page with its form filled in as it was sent, and its errors marked.
 *
 * @param page the built document of the page
 */
export function refilled(page: string, failure: Failure, fields: readonly Field[]): string {
  const document = parse(page)
  prepare(document)
  const title = find(document, 'title')
  setText(title, `Error: ${textOf(title)}`)

  // A field that was sent twice gets its first value back.
  const values = new Map([...fields].reverse())
  const faults = new Map(failure.faults.map(({ field, message }) => [field, message]))
  const controls = new Map<string, string>()
  for (const control of all(find(document, 'form'))) {
    const { name = '', id = '', disabled } = attributesOf(control)
    if (!['input', 'textarea'].includes(control.tagName) || disabled !== undefined) continue
    controls.set(name, id)
    fill(control, values.get(name) ?? '')
    const message = faults.get(name)
    if (message !== undefined) mark(control, message)
  }
  const main = find(document, 'main')
  const [first] = main.childNodes
  const summary = summaryOf(failure, controls)
  if (first) dom.insertBefore(main, summary, first)
  return serialize(document)
}

/**
 * Returns a document that shows a message.
 *
 * @param notFound the built Not found document
 */
export function messageDocument(notFound: string, { title, paragraphs, isError }: Message): string {
  const document = parse(notFound)
  prepare(document)
  const documentTitle = find(document, 'title')
  const ofSite = textOf(documentTitle).replace(/^.*?(?= · )/s, '')
  setText(documentTitle, `${isError ? 'Error: ' : ''}${title}${ofSite}`)
  const main = find(document, 'main')
  if (!isError) set(main, 'class', 'sheet has-form')
  setText(find(document, 'h1'), title)
  const body = paragraphs.map((parts) => element('p', {}, ...parts.map(inline)))
  dom.appendChild(main, element('div', { class: 'body' }, ...body))
  return serialize(document)
}

// 1. Parts of a response --------------------------------------------------------------------------

/** Returns the error summary. It gets the focus on load, so that a screen reader reads it out. */
function summaryOf({ title, detail, faults }: Failure, controls: Map<string, string>): Element {
  const items = faults.map(({ field, message }) => {
    const id = controls.get(field)
    return element('li', {}, id ? element('a', { href: `#${id}` }, message) : message)
  })
  return element(
    'div',
    { class: 'errors', role: 'alert', 'aria-labelledby': 'errors', tabindex: '-1', autofocus: '' },
    element('h2', { id: 'errors' }, title),
    items.length > 0 ? element('ul', {}, ...items) : element('p', {}, detail),
  )
}

function fill(control: Element, value: string): void {
  if (control.tagName === 'input') set(control, 'value', value)
  // A parser drops the first line break of a textarea, so a leading one is doubled.
  else setText(control, value.replace(/^(?=[\r\n])/, '\n'))
}

function mark(control: Element, message: string): void {
  const { id } = attributesOf(control)
  set(control, 'aria-invalid', 'true')
  set(control, 'aria-describedby', `${id}-error`)
  const field = control.parentNode
  if (!field) return
  dom.insertBefore(field, element('p', { class: 'error', id: `${id}-error` }, message), control)
}

function inline(part: Paragraph[number]): Element | string {
  if (typeof part === 'string') return part
  if ('link' in part) return element('a', { href: part.link }, part.text)
  if ('moment' in part) return element('time', { datetime: part.moment }, part.text)
  return element('strong', { class: 'receipt' }, part.receipt)
}

/** Removes what belongs to the page itself: its script, and the metadata for search engines. */
function prepare(document: Document): void {
  const head = find(document, 'head')
  for (const node of all(document)) {
    const { rel, name, property } = attributesOf(node)
    const isForPage =
      node.tagName === 'script' ||
      (node.tagName === 'link' && (rel === 'modulepreload' || rel === 'canonical')) ||
      (node.tagName === 'meta' &&
        (name === 'description' || name === 'robots' || property?.startsWith('og:')))
    if (isForPage) dom.detachNode(node)
  }
  dom.appendChild(head, element('meta', { name: 'robots', content: 'noindex' }))
}

// 2. The tree -------------------------------------------------------------------------------------

function element(
  name: string,
  attributes: Record<string, string>,
  ...children: (Element | string)[]
): Element {
  const attrs = Object.entries(attributes).map(([name, value]) => ({ name, value }))
  const made = dom.createElement(name, html.NS.HTML, attrs)
  for (const child of children) {
    if (typeof child === 'string') dom.insertText(made, child)
    else dom.appendChild(made, child)
  }
  return made
}

/** Returns all elements in document order, as a copy, so that the tree may change during a loop. */
function all(node: Document | Element): Element[] {
  return node.childNodes.flatMap((child: Node) =>
    dom.isElementNode(child) ? [child, ...all(child)] : [],
  )
}

function find(node: Document | Element, tagName: string): Element {
  const found = all(node).find((element) => element.tagName === tagName)
  if (!found) throw new Error(`a document of the site has no <${tagName}>`)
  return found
}

function attributesOf(element: Element): Record<string, string | undefined> {
  return Object.fromEntries(element.attrs.map(({ name, value }) => [name, value]))
}

function set(element: Element, name: string, value: string): void {
  element.attrs = [...element.attrs.filter((attribute) => attribute.name !== name), { name, value }]
}

function textOf(element: Element): string {
  return element.childNodes.map((node) => (dom.isTextNode(node) ? node.value : '')).join('')
}

function setText(element: Element, text: string): void {
  element.childNodes = []
  dom.insertText(element, text)
}
