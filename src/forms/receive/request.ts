/** Reads a posted form, up to its largest size, and checks it as a browser does. Pure. */
import type { IncomingHttpHeaders } from 'node:http'
import { MIMEType } from 'node:util'
import {
  FIELD_TYPES,
  type FieldDefinition,
  type FormDefinition,
  HONEYPOT,
} from '../../page/form-fields.ts'
import { answers as words } from '../../site.ts'
import type { SentField } from '../../store/submission.ts'
import { withAsciiDomain } from '../../text/domain.ts'
import { cut } from '../../text/wording.ts'

/** The largest form that is accepted, in bytes. */
export const LARGEST = 64 * 1024

/** The largest form that is sent back to the visitor to be shortened, in bytes. */
export const KEPT = 4 * LARGEST

/** The number of fields allowed beyond those of the form: an older document may have had others. */
export const OTHER_FIELDS = 50

// 1. The headers ----------------------------------------------------------------------------------

/**
 * Whether a form may have been sent by another site's page. The rule is that of Go 1.25's
 * `http.CrossOriginProtection`: `Sec-Fetch-Site` first, which no page can forge, then the full
 * `Origin`. A client that sends neither is not a browser, and has no session to misuse.
 *
 * @param headers `host` is the host and port that the form was sent to
 * @param trusted other origins that may post, as browsers send them: `https://example.com`
 */
export function isFromElsewhere(
  headers: IncomingHttpHeaders,
  trusted: ReadonlySet<string>,
): boolean {
  const { 'sec-fetch-site': site, origin, host } = headers
  if (trusted.has(origin ?? '')) return false
  if (site) return site !== 'same-origin' && site !== 'none'
  if (!origin) return false

  // The origin `null`, which a page sends to hide its own.
  if (!URL.canParse(origin)) return true

  const sender = new URL(origin)
  // Either may have the default port.
  const receiver = `${sender.protocol}//${host}`
  return !URL.canParse(receiver) || new URL(receiver).host !== sender.host
}

/** Whether the headers declare an uncompressed form in UTF-8 (WHATWG MIME Sniffing, 4.4). */
export function isUrlEncodedForm(headers: IncomingHttpHeaders): boolean {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers

  if (encoding.toLowerCase() !== 'identity') return false
  try {
    const { essence, params } = new MIMEType(type)
    const charset = params.get('charset') ?? 'utf-8'
    return essence === 'application/x-www-form-urlencoded' && /^utf-?8$/i.test(charset)
  } catch {
    return false
  }
}

/** Names the media type that the headers declare, such as `multipart/form-data`, in one line. */
export function describeType(headers: IncomingHttpHeaders): string {
  const { 'content-type': type, 'content-encoding': encoding } = headers
  // The boundary of multipart says nothing to people.
  const name = type?.replace(BOUNDARY, '').trim() || 'a body without a Content-Type'
  const isCompressed = encoding !== undefined && encoding.toLowerCase() !== 'identity'

  return cut(isCompressed ? `${name}, compressed with ${encoding}` : name, LONGEST_TYPE)
}

/** Such as `; boundary=----WebKitFormBoundary7MA4YWxk`. */
const BOUNDARY = /;\s*boundary=.*/i

/** How much of a media type is shown, in characters. */
const LONGEST_TYPE = 100

// 2. The body -------------------------------------------------------------------------------------

/**
 * Parses an `application/x-www-form-urlencoded` body into its fields, in order and as they were
 * sent (WHATWG URL, 5.1). The standard's parser guesses; this one refuses a body that is not UTF-8
 * or has a `%` without two hexadecimal digits after it, so that what is stored is what was meant.
 *
 * @param most how many fields to decode: one with too many is refused
 * @returns undefined when the body is malformed
 */
export function parseFields(body: Uint8Array, most = Infinity): SentField[] | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
    const pairs = text.split('&').filter((pair) => pair !== '')
    return pairs.slice(0, most).map(parsePair)
  } catch {
    return undefined
  }
}

/** Parses `name=value`. Throws a URIError if it is malformed. */
function parsePair(pair: string): SentField {
  const equals = pair.indexOf('=')
  if (equals === -1) return [decode(pair), '']
  return [decode(pair.slice(0, equals)), decode(pair.slice(equals + 1))]
}

/** Uses ECMAScript's own decoder, which accepts only `%` with two digits, and only UTF-8. */
function decode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '))
}

// 3. The fields -----------------------------------------------------------------------------------

/**
 * Returns what a browser would have rejected or could not have sent: by the name of a field, in the
 * order of the form, a sentence for the visitor. A field that the form does not have is accepted once:
 * an older document may have had it.
 */
export function faultsOf(form: FormDefinition, fields: readonly SentField[]): Map<string, string> {
  const values = new Map(fields)
  const isTwice = (name: string) => fields.filter(([sentName]) => sentName === name).length > 1
  const faults = new Map<string, string>()

  for (const field of form.fields) {
    const { name, label } = field
    const sent = values.get(name) ?? ''
    const fault = isTwice(name) ? words.sentTwice(label) : messageFor(field, sent)
    if (fault !== undefined) faults.set(name, fault)
    values.delete(name)
  }

  for (const name of values.keys()) {
    if (isTwice(name)) faults.set(name, words.otherSentTwice)
  }
  return faults
}

/** Validates a field as HTML, 4.10.19.5 (constraint validation) does, after sanitization. */
function messageFor(field: FieldDefinition, sent: string): string | undefined {
  const { sanitize, accepts, says } = FIELD_TYPES[field.type]
  const value = field.type === 'email' ? withAsciiDomain(sanitize(sent)) : sanitize(sent)

  if (value === '') return field.required ? words[says.empty](field.label) : undefined
  return accepts(value, field) ? undefined : words[says.wrong](field.label)
}

/**
 * Returns what to store of a valid submission: every field byte for byte as it was sent, except the
 * control that only a machine fills in, which makes it suspect.
 */
export function sortOut(fields: readonly SentField[]): { fields: SentField[]; isSuspect: boolean } {
  const kept = fields.filter(([name]) => name !== HONEYPOT)
  return { fields: kept, isSuspect: kept.length < fields.length }
}
