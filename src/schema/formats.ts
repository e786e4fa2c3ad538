/**
 * The formats of JSON Schema: those of ajv-formats, and the four that it lacks, which allow letters
 * of any script.
 */
import { createRequire } from 'node:module'
import { domainToASCII } from 'node:url'
import type { Format } from 'ajv'

// Loaded on demand: many schemas have no format.
const require = createRequire(import.meta.url)

let formats: Record<string, Format> | undefined

/** Returns all formats by their names, as ajv takes them. */
export function allFormats(): Record<string, Format> {
  if (formats) return formats

  const {
    fullFormats,
  }: typeof import('ajv-formats/dist/formats.js') = require('ajv-formats/dist/formats.js')
  const { uri, 'uri-reference': uriReference, hostname, email } = fullFormats

  formats = {
    ...fullFormats,
    iri: (text: string) => isOfFormat(toUri(text), uri),
    'iri-reference': (text: string) => isOfFormat(toUri(text), uriReference),
    'idn-hostname': (text: string) => isOfFormat(toAsciiHost(text), hostname),
    'idn-email': (text: string) => isOfFormat(toAsciiEmail(text), email),
  }
  return formats
}

function isOfFormat(text: string, format: Format): boolean {
  if (format instanceof RegExp) return format.test(text)
  return typeof format === 'function' && format(text)
}

/** A character that an IRI may have and a URI may not, such as `é` (RFC 3987, 2.2, ucschar). */
const ONLY_IN_IRI = /[\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef\u{10000}-\u{efffd}]/gu

/** Returns the URI that an IRI stands for (RFC 3987, 3.1). */
function toUri(iri: string): string {
  return iri.replace(ONLY_IN_IRI, encodeURIComponent)
}

/** The name of a host in letters of any script, such as `münchen.de`. */
const HOST_OF_ANY_SCRIPT = /^(?:[\p{L}\p{M}\p{N}\p{Pc}\-.·・。．｡׳״]|\u200c|\u200d)+$/u

/** A hyphen at an end of a part of a name, as in `-münchen.de`. */
const HYPHEN_AT_END = /(?:^|[.。．｡])-|-(?:[.。．｡]|$)/u

/** Returns the name of a host as DNS has it (UTS 46); nothing if it isn't one. */
function toAsciiHost(host: string): string {
  const isHost = HOST_OF_ANY_SCRIPT.test(host) && !HYPHEN_AT_END.test(host)
  return isHost ? domainToASCII(host) : ''
}

/** Any character outside ASCII: before the @ of an address, it counts as a letter (RFC 6531, 3.3). */
const NOT_ASCII = /\P{ASCII}/gu

/** Returns an address in ASCII that is valid if the given one is. */
function toAsciiEmail(address: string): string {
  const at = address.lastIndexOf('@')
  if (at < 0) return ''

  const local = address.slice(0, at).replace(NOT_ASCII, 'a')
  return `${local}@${toAsciiHost(address.slice(at + 1))}`
}
