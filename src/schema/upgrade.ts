/**
 * Brings a schema of any draft, with all that it refers to, into one form: a schema of 2020-12 in which
 * every `$ref` is a place in it, such as `#/$defs/line`. Whatever comes later, such as ajv, the types
 * and the explanations, needs to know only this form. Pure.
 */
import { type Fault, fault, keyFault } from '../fault/fault.ts'
import { asObject, isObject } from '../text/as-object.ts'
import { formatPointer, parsePointer, valueAt } from '../text/pointer.ts'
import type { DraftOrUnknown } from './drafts.ts'
import {
  type Context,
  fileOf,
  keyOf,
  Resources,
  type SchemaDocument,
  type SchemaPlace,
} from './resources.ts'
import type { Node } from './schemas-in.ts'
import { freeName, type ReferenceKeyword, upgradeNode } from './upgrade-node.ts'
import { vetNode } from './vet.ts'

export interface UpgradedSchema {
  /** The schema in 2020-12, without `$schema` and `$id`. Only usable if there are no faults. */
  schema: Node
  /** What makes it unusable, and what is only a warning. */
  faults: SchemaFault[]
  warnings: SchemaFault[]
  /** The parts of documents that must be schemas: one is the whole schema. */
  parts: SchemaPart[]
  /** The documents that it refers to and that weren't given. */
  missing: MissingDocument[]
}

/** A fault of a schema, in one of its documents. */
export interface SchemaFault {
  document: SchemaDocument
  fault: Fault
}

interface SchemaPart extends SchemaPlace {
  draft: DraftOrUnknown
  /** What is there, without the groups of other schemas. */
  value: unknown
}

export interface MissingDocument {
  /** The address that refers to it. */
  uri: string
  /** In which file it has to be, as a `file:` URL. */
  file: string | undefined
}

/**
 * @param documents the schema, then all that it refers to, as far as they are known: see `missing`
 */
export function upgradeSchema(
  documents: readonly [SchemaDocument, ...SchemaDocument[]],
): UpgradedSchema {
  const upgrade = new Upgrade(documents)
  return upgrade.run(documents[0])
}

/** Upgrades a schema that refers to no other document. */
export function upgradeAlone(value: unknown): UpgradedSchema {
  const uri = 'file:///schema.json'
  return upgradeSchema([{ name: 'schema.json', file: uri, uri, value }])
}

/** The keys of schemas that hold groups of other schemas, by these schemas. */
type Groups = ReadonlyMap<unknown, ReadonlySet<string>>

/** A reference to a schema that may get its place later. */
interface PendingReference {
  node: Node
  place: SchemaPlace
}

class Upgrade {
  readonly #resources: Resources
  readonly #faults: SchemaFault[] = []
  readonly #warnings: SchemaFault[] = []
  /** The schemas that no keyword holds. */
  readonly #inGroups: SchemaPlace[] = []
  readonly #parts: Omit<SchemaPart, 'value'>[] = []
  readonly #missing = new Map<string, MissingDocument>()

  /** Where each schema stands in the new one. */
  readonly #newPlaces = new Map<string, string>()
  /** Where each schema of the new one stood. */
  readonly #origins = new Map<Node, SchemaPlace>()
  /** The schemas that were read. */
  readonly #read = new Set<unknown>()
  readonly #pending: PendingReference[] = []

  constructor(documents: readonly SchemaDocument[]) {
    this.#resources = new Resources(documents)
  }

  run(document: SchemaDocument): UpgradedSchema {
    const whole: SchemaPlace = { document, pointer: [] }
    const schema = asObject(this.#upgradePart(whole, ''))
    const definitions = { ...asObject(schema.$defs) }

    // The list grows while it's read: what is referred to may have references, too.
    for (const { node, place } of this.#pending) {
      const key = keyOf(place)
      if (!this.#newPlaces.has(key)) {
        const name = freeName(lastNameOf(place), definitions)
        definitions[name] = {}
        definitions[name] = this.#upgradePart(place, formatPointer(['$defs', name]))
        schema.$defs = definitions
      }

      node.$ref = toReference(this.#newPlaces.get(key) as string)
    }

    const groups = this.#findGroups()
    this.#dropGroups(groups)
    this.#findEndless(schema)

    return {
      schema,
      faults: this.#faults,
      warnings: oneOfEachKind(this.#warningsBeside(groups)),
      parts: this.#parts.map((part) => {
        const value = valueAt(part.document.value, part.pointer)
        return { ...part, value: withoutGroups(value, groups) }
      }),
      missing: [...this.#missing.values()],
    }
  }

  /** Upgrades a schema that isn't in another one: the whole, or what is referred to elsewhere. */
  #upgradePart(place: SchemaPlace, newPlace: string): unknown {
    if (!this.#resources.isHeld(place)) {
      this.#resources.addReferred(place)
      this.#inGroups.push(place)
    }

    const { draft } = this.#resources.contextOf(place)
    this.#parts.push({ ...place, draft })
    return this.#upgradeNode(place, newPlace)
  }

  #upgradeNode(place: SchemaPlace, newPlace: string): unknown {
    const node = valueAt(place.document.value, place.pointer)
    const context = this.#resources.contextOf(place)
    this.#newPlaces.set(keyOf(place), newPlace)

    if (typeof node === 'boolean') return node
    if (!isObject(node) || Array.isArray(node)) return {}

    // One that a reference led to may be read again, as a part of what is around it.
    if (!this.#read.has(node)) this.#vet(place, node, context)
    this.#read.add(node)

    const upgraded = upgradeNode(node, {
      draft: context.draft,
      upgradeInner: (steps, newSteps) => {
        const inner = { document: place.document, pointer: [...place.pointer, ...steps] }
        return this.#upgradeNode(inner, newPlace + formatPointer(newSteps))
      },
      refer: (holder, keyword, reference) => {
        const here = { document: place.document, pointer: [...place.pointer, keyword] }
        const target = this.#findTarget(here, keyword, reference, context)
        if (target) this.#pending.push({ node: holder, place: target })
        else delete holder.$ref
      },
    })

    this.#origins.set(upgraded, place)
    return upgraded
  }

  #vet(place: SchemaPlace, node: Node, { draft }: Context): void {
    const { faults, warnings } = vetNode(node, draft)
    for (const nodeFault of faults) this.#note(this.#faults, place, nodeFault)
    for (const warning of warnings) this.#note(this.#warnings, place, warning)
  }

  /** Notes a fault whose pointer is from a schema. */
  #note(list: SchemaFault[], { document, pointer }: SchemaPlace, nodeFault: Fault): void {
    const whole = { ...nodeFault, pointer: [...pointer, ...nodeFault.pointer] }
    list.push({ document, fault: whole })
  }

  /** Finds what a reference leads to, or notes why it leads to nothing. */
  #findTarget(
    here: SchemaPlace,
    keyword: ReferenceKeyword,
    reference: string,
    { base }: Context,
  ): SchemaPlace | undefined {
    const target = this.#resources.find(reference, base)

    switch (target.kind) {
      case 'unreadable':
        return undefined
      case 'nothing-there':
        this.#note(this.#faults, here, {
          ...fault('schema-file.nothing-there', [], { reference }),
          about: reference,
        })
        return undefined
      case 'unknown-document': {
        const file = fileOf(target.uri, here.document)
        this.#missing.set(target.uri, { uri: target.uri, file })
        const facts = { reference, file: fileNameOf(file) }
        this.#note(this.#faults, here, {
          ...fault('schema-file.unknown-document', [], facts),
          about: reference,
        })
        return undefined
      }
    }

    const isDynamic = keyword !== '$ref'
    if (isDynamic && this.#resources.mayLeadElsewhere(reference, target.place)) {
      this.#note(this.#faults, here, {
        ...fault('schema-file.dynamic', [], { reference }),
        about: reference,
      })
    }
    return target.place
  }

  /**
   * Finds the keys of schemas that hold a group of other schemas, such as `name` in `#/$defs/group/name`:
   * a reference leads there, but no keyword does. Whatever such a key is called, it's no keyword.
   */
  #findGroups(): Groups {
    const groups = new Map<unknown, Set<string>>()

    for (const { document, pointer } of this.#inGroups) {
      let value = document.value
      let outer: { schema: unknown; key: string } | undefined
      for (const step of pointer) {
        if (this.#read.has(value)) outer = { schema: value, key: String(step) }
        value = asObject(value)[step]
      }

      if (!outer) continue
      const keys = groups.get(outer.schema) ?? new Set<string>()
      groups.set(outer.schema, keys.add(outer.key))
    }
    return groups
  }

  /** Forgets what the keys of groups would mean as keywords. */
  #dropGroups(groups: Groups): void {
    for (const [upgraded, { document, pointer }] of this.#origins) {
      const keys = groups.get(valueAt(document.value, pointer)) ?? []
      for (const key of keys) delete upgraded[key]
    }
  }

  #warningsBeside(groups: Groups): SchemaFault[] {
    return this.#warnings.filter(({ document, fault }) => {
      const schema = valueAt(document.value, fault.pointer.slice(0, -1))
      return !groups.get(schema)?.has(String(fault.pointer.at(-1)))
    })
  }

  /** Finds references that lead back to where they stand, without a step into the value. */
  #findEndless(schema: Node): void {
    const state = new Map<Node, 'open' | 'done'>()

    const visit = (value: unknown): void => {
      if (!isObject(value) || state.has(value)) return
      state.set(value, 'open')

      for (const next of sameValueSchemas(value)) visit(next)
      const target = typeof value.$ref === 'string' ? targetOf(schema, value.$ref) : undefined
      const isEndless = isObject(target) && state.get(target) === 'open'
      if (isEndless) this.#noteEndless(value)
      visit(target)
      state.set(value, 'done')
    }
    for (const node of [...this.#origins.keys()]) visit(node)
  }

  #noteEndless(node: Node): void {
    const place = this.#origins.get(node)
    if (place) this.#note(this.#faults, place, keyFault('schema-file.endless', ['$ref']))
  }
}

/** The last step to a schema, or the name of its file without what follows the first dot. */
function lastNameOf({ document, pointer }: SchemaPlace): string {
  const last = pointer.at(-1)
  if (last !== undefined) return String(last)
  return (document.name.split('/').pop() ?? '').replace(/(?<=.)\..*$/, '') || 'schema'
}

function fileNameOf(file: string | undefined): string | undefined {
  return file === undefined ? undefined : decodeURI(file.slice(file.lastIndexOf('/') + 1))
}

function toReference(place: string): string {
  return `#${encodeURI(place)}`
}

/** Returns what a reference of an upgraded schema leads to. */
export function targetOf(schema: Node, reference: string): unknown {
  return valueAt(schema, parsePointer(decodeURI(reference).slice(1)))
}

const SAME_VALUE = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else']

/** The schemas in a schema that are about the same value. */
function sameValueSchemas(node: Node): unknown[] {
  const inner = SAME_VALUE.flatMap((keyword) => [node[keyword]].flat())
  return [...inner, ...Object.values(asObject(node.dependentSchemas))]
}

function withoutGroups(value: unknown, groups: Groups): unknown {
  if (groups.size === 0 || !isObject(value)) return value
  if (Array.isArray(value)) return value.map((item) => withoutGroups(item, groups))

  const keys = groups.get(value)
  const kept = Object.entries(value).filter(([key]) => !keys?.has(key))
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutGroups(inner, groups)]))
}

/** Keeps the first of each kind of warning. */
function oneOfEachKind(warnings: readonly SchemaFault[]): SchemaFault[] {
  const first = new Map<string, SchemaFault>()
  for (const warning of warnings) {
    const { code, about } = warning.fault
    const kind = `${code} ${about}`
    if (!first.has(kind)) first.set(kind, warning)
  }
  return [...first.values()]
}
