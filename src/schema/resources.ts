/**
 * Finds what the references of schemas lead to (2020-12, Core, 8 and 9). A schema may stand in several
 * documents, and in each of them may be schemas with an `$id` of their own. Pure.
 */

import { asObject, isObject } from '../text/as-object.ts'
import { formatPointer, type Pointer, parsePointer, valueAt } from '../text/pointer.ts'
import { type DraftOrUnknown, draftOf, ignoresBesideRef } from './drafts.ts'
import { innerSchemas, type Node } from './schemas-in.ts'

/** A file with a schema. */
export interface SchemaDocument {
  /** As people read it, such as `schema/batch.schema.json`. */
  name: string
  /** Where it is on the disk, as a `file:` URL. */
  file: string
  /** The address by which others refer to it, if it has no `$id`. */
  uri: string
  /** Undefined if it couldn't be read. */
  value: unknown
}

/** A value in a document. */
export interface SchemaPlace {
  document: SchemaDocument
  pointer: Pointer
}

/** What follows from the place of a schema. */
export interface Context {
  /** The address of the resource that it's in: what references are relative to. */
  base: string
  draft: DraftOrUnknown
}

/** What a reference leads to. */
export type Target =
  | { kind: 'found'; place: SchemaPlace }
  /** There is no document of this address yet. */
  | { kind: 'unknown-document'; uri: string }
  /** The document has nothing there. */
  | { kind: 'nothing-there' }
  /** The document couldn't be read, which is a fault of its own. */
  | { kind: 'unreadable' }

export class Resources {
  /** By schemas that are objects. */
  readonly #contexts = new Map<unknown, Context>()
  readonly #resources = new Map<string, SchemaPlace>()
  readonly #anchors = new Map<string, SchemaPlace>()
  /** The resources that have a dynamic anchor, by its name. */
  readonly #dynamicAnchors = new Map<string, Set<string>>()

  constructor(documents: readonly SchemaDocument[]) {
    for (const document of documents) {
      this.#resources.set(document.uri, { document, pointer: [] })
      const draft = draftOf(document.value)
      this.#add({ document, pointer: [] }, document.value, { base: document.uri, draft })
    }
  }

  /** Whether a value is a schema because a keyword of JSON Schema holds it, or it's a whole document. */
  isHeld({ document, pointer }: SchemaPlace): boolean {
    return this.#contexts.has(valueAt(document.value, pointer))
  }

  /** Notes all schemas in a value that no keyword holds, but a reference leads to. */
  addReferred(place: SchemaPlace): void {
    this.#add(place, valueAt(place.document.value, place.pointer), this.contextOf(place))
  }

  #add(place: SchemaPlace, schema: unknown, outer: Context): void {
    if (!isObject(schema) || Array.isArray(schema)) return

    const context = this.#identify(place, schema, outer)
    this.#contexts.set(schema, context)

    for (const [steps, inner] of innerSchemas(schema)) {
      this.#add({ ...place, pointer: [...place.pointer, ...steps] }, inner, context)
    }
  }

  /** Notes the address and the anchors of a schema. */
  #identify(place: SchemaPlace, node: Node, outer: Context): Context {
    const draft = draftOf(node, outer.draft)
    const isOnlyReference = ignoresBesideRef(draft) && typeof node.$ref === 'string'
    if (isOnlyReference) return { ...outer, draft }

    const { base, anchor } = identityOf(node, draft, outer.base)
    if (base !== outer.base) this.#resources.set(base, place)

    for (const name of [anchor, node.$anchor, node.$dynamicAnchor]) {
      if (typeof name === 'string') this.#anchors.set(`${base}#${name}`, place)
    }

    for (const name of dynamicAnchorsOf(node)) {
      const bases = this.#dynamicAnchors.get(name) ?? new Set<string>()
      this.#dynamicAnchors.set(name, bases.add(base))
    }
    return { base, draft }
  }

  /** Returns the context of a place: that of the innermost schema around it, if it's none itself. */
  contextOf({ document, pointer }: SchemaPlace): Context {
    let value = document.value
    let context = this.#contexts.get(value)

    for (const step of pointer) {
      value = asObject(value)[step]
      context = this.#contexts.get(value) ?? context
    }
    return context ?? { base: document.uri, draft: 'unknown' }
  }

  /**
   * Whether a `$dynamicRef` or `$recursiveRef` that leads to a schema may lead elsewhere instead: to the same
   * dynamic anchor in another resource, if a value comes from there.
   */
  mayLeadElsewhere(reference: string, { document, pointer }: SchemaPlace): boolean {
    const names = dynamicAnchorsOf(asObject(valueAt(document.value, pointer)))
    // `#/$defs/item` names a place, so it leads there, whichever anchor the schema has.
    const name = names.find((anchor) => reference.endsWith(anchor))
    return name !== undefined && (this.#dynamicAnchors.get(name)?.size ?? 0) > 1
  }

  /** Finds what a reference leads to. */
  find(reference: string, base: string): Target {
    const address = resolveUri(reference, base)
    if (address === undefined) return { kind: 'unknown-document', uri: reference }

    const [uri, fragment] = splitUri(address)
    const resource = this.#resources.get(uri)
    if (!resource) return { kind: 'unknown-document', uri }
    if (resource.document.value === undefined) return { kind: 'unreadable' }
    if (fragment === '') return { kind: 'found', place: resource }
    if (!fragment.startsWith('/')) return this.#findAnchor(uri, fragment)

    const { document } = resource
    const pointer = [...resource.pointer, ...parsePointer(fragment)]
    const isThere = valueAt(document.value, pointer) !== undefined
    return isThere ? { kind: 'found', place: { document, pointer } } : { kind: 'nothing-there' }
  }

  #findAnchor(uri: string, name: string): Target {
    const place = this.#anchors.get(`${uri}#${name}`)
    return place ? { kind: 'found', place } : { kind: 'nothing-there' }
  }
}

/** Returns the ends of references that may lead elsewhere: `#name`, or `#` for `$recursiveAnchor`. */
function dynamicAnchorsOf({ $dynamicAnchor, $recursiveAnchor }: Node): string[] {
  const anchors = []
  if (typeof $dynamicAnchor === 'string') anchors.push(`#${$dynamicAnchor}`)
  if ($recursiveAnchor === true) anchors.push('#')
  return anchors
}

/** Returns the address of a schema, and the anchor that an `$id` before 2019-09 may have, as in `#name`. */
function identityOf(
  node: Node,
  draft: DraftOrUnknown,
  outer: string,
): { base: string; anchor: string | undefined } {
  const id = draft === '04' ? (node.id ?? node.$id) : node.$id
  const address = typeof id === 'string' ? resolveUri(id, outer) : undefined
  if (address === undefined) return { base: outer, anchor: undefined }

  const [base, fragment] = splitUri(address)
  return { base, anchor: fragment === '' ? undefined : fragment }
}

/** Names a place, for maps. */
export function keyOf({ document, pointer }: SchemaPlace): string {
  return `${document.uri}#${formatPointer(pointer)}`
}

/** @returns undefined if the two make no address */
function resolveUri(reference: string, base: string): string | undefined {
  try {
    return new URL(reference, base).href
  } catch {
    return undefined
  }
}

/** Splits an address at its fragment, which is decoded. */
function splitUri(address: string): [uri: string, fragment: string] {
  const hash = address.indexOf('#')
  if (hash < 0) return [address, '']
  return [address.slice(0, hash), decode(address.slice(hash + 1))]
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

/**
 * Returns the file in which a referenced document is: nothing is read from the network. An address is
 * that of a neighbour if both are below the same `$id`; any other is looked up beside the document, by
 * the last part of the address.
 *
 * @param from the document with the reference
 * @returns a `file:` URL
 */
export function fileOf(uri: string, from: SchemaDocument): string | undefined {
  const address = resolveUri(uri, from.file)
    ?.replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
  if (address === undefined) return undefined
  if (address.startsWith('file:')) return address

  const { $id, id } = asObject(from.value)
  const identity = resolveUri(String($id ?? id ?? from.uri), from.uri) ?? from.uri
  for (const ownAddress of [identity, from.uri]) {
    const folder = ownAddress.replace(/[?#].*$/, '').replace(/[^/]*$/, '')
    if (address.startsWith(folder)) return resolveUri(address.slice(folder.length), from.file)
  }

  const name = address.slice(address.lastIndexOf('/') + 1)
  const beside = resolveUri(`./${name}`, from.file)
  return beside === from.file ? undefined : beside
}
