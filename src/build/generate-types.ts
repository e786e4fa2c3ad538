/** Generates the types of a dataset from the schema. */
import { isAnnotation } from '../schema/drafts.ts'
import { type Node, schemasIn } from '../schema/schemas-in.ts'
import { targetOf } from '../schema/upgrade.ts'
import { freeName } from '../schema/upgrade-node.ts'
import { asObject, isObject } from '../text/as-object.ts'
import type { TypeSchema } from './record-type.ts'

/** What a declaration has besides the types of the schema. */
export interface Declaration {
  /** Comments, which begin with the command that makes the file. */
  head: string
  /** The names of the types of a file and of a record. */
  names: { file: string; record: string }
  /** Other types, which come after these. */
  rest: string
}

/**
 * @param schema of a whole batch, as `upgradeSchema` returns it
 * @param record the schema of its records; undefined if it isn't known
 */
export async function generateTypes(
  schema: Node,
  record: TypeSchema | undefined,
  { head, names, rest }: Declaration,
): Promise<string> {
  const { types, isRecord } = await declare(schema, record, names)
  const file = isRecord ? `export type ${names.file} = ${names.record}` : ''
  const parts = [types, file, rest].filter((part) => part !== '')

  return `${head}\n${parts.join('\n\n')}\n`
}

type Names = Declaration['names']

interface Declared {
  /** The declarations of a record, of all that it refers to and, unless that is the record, of a file. */
  types: string
  isRecord: boolean
}

/**
 * Declares the types. In the first spelling, the generator makes no types of their own for parts, such as
 * `Batch1`. Some schemas that refer to themselves make it fail: these get wide types.
 */
async function declare(
  schema: Node,
  record: TypeSchema | undefined,
  names: Names,
): Promise<Declared> {
  const { compile } = await import('json-schema-to-typescript')

  for (const spelled of [asIntersections(schema), schema]) {
    try {
      const { schema: parts, isRecord } = partsOf(spelled, record, names)
      const types = await compile(parts, PARTS, {
        bannerComment: '',
        // A tuple for every length that minItems and maxItems allow helps nobody.
        ignoreMinAndMaxItems: true,
        customName: (named, key) => typeNameOf(named as Node, key, names),
      })
      return { types: withoutParts(types).trim(), isRecord }
    } catch {
      // Perhaps it understands the other spelling.
    }
  }
  return { types: wideTypes(names), isRecord: false }
}

/** The types if none can be generated. */
function wideTypes({ file, record }: Names): string {
  return `// The generator of types can't read this schema, so a record may have any keys here.
export type ${file} = unknown
export interface ${record} {
  [k: string]: unknown
}`
}

/** The interface that holds the parts while types are made. It's no part of the result. */
const PARTS = 'PartsOfADelivery'

/** The beginning of a title by which a schema gets a name that is ours. */
const OURS = 'x-name-of-our-own '

/** Names that the declaration uses itself. A schema with such a name gets another one. */
const RESERVED: readonly string[] = ['page', 'made', 'withmade', PARTS.toLowerCase()]

function typeNameOf(schema: Node, key: string | undefined, names: Names): string | undefined {
  const name = String(schema.title ?? schema.$id ?? key ?? '')
  if (name.startsWith(OURS)) return name.slice(OURS.length)

  const letters = name.normalize('NFKD').replace(/[^\p{L}\p{N}$]/gu, '')
  const reserved = [names.file.toLowerCase(), names.record.toLowerCase(), ...RESERVED]
  return reserved.includes(letters.toLowerCase()) ? `Schema ${name}` : undefined
}

interface Parts {
  /** A schema of an object with two keys: a batch and a record. Both may refer to the same parts. */
  schema: Node
  /** Whether the batch itself is the record. */
  isRecord: boolean
}

function partsOf(whole: Node, record: TypeSchema | undefined, names: Names): Parts {
  const { $defs, ...batch } = inItsWords(whole)
  const definitions: Node = { ...asObject($defs) }
  const name = freeName('batch', definitions)
  definitions[name] = batch

  const batchReference = { $ref: '#' }
  const delivered: Node = structuredClone(record ?? UNKNOWN)
  const schema: Node = {
    title: OURS + PARTS,
    type: 'object',
    additionalProperties: false,
    required: ['batch', 'delivered'],
    properties: { batch: batchReference, delivered },
    $defs: definitions,
  }
  for (const [, node] of schemasIn(schema)) {
    const isOutside = typeof node.$ref === 'string' && !node.$ref.startsWith('#/$defs/')
    if (isOutside) node.$ref = `#/$defs/${name}${String(node.$ref).slice(1)}`
  }

  const target = recordIn(schema, delivered)
  joinReferences(schema, delivered.$ref, target)
  const isReference = batch.$ref !== undefined && batch.$ref === delivered.$ref
  if (isReference) batchReference.$ref = String(delivered.$ref)

  const isRecord = isReference || target === batch
  if (!isRecord) batch.title = OURS + names.file
  target.title = OURS + names.record
  return { schema, isRecord }
}

/** The schema of a record: what it refers to, or itself. */
function recordIn(schema: Node, delivered: Node): Node {
  const { $ref } = delivered
  if (typeof $ref !== 'string') return delivered

  const target = targetOf(schema, $ref)
  if (!isObject(target)) throw new Error(`there is no ${$ref}`)
  return target
}

/**
 * Leaves nothing beside the references to a record: the generator would make another type of each that
 * has a description.
 */
function joinReferences(schema: Node, reference: unknown, record: Node): void {
  if (reference === undefined) return

  for (const [, node] of schemasIn(schema)) {
    const { $ref, description, ...beside } = node
    if ($ref !== reference || !Object.keys(beside).every(isAnnotation)) continue

    if (description !== undefined) record.description ??= description
    for (const key of Object.keys(node)) {
      if (key !== '$ref') delete node[key]
    }
  }
}

/** What a record is if the schema doesn't say it: an object with any keys. */
const UNKNOWN = { type: 'object', additionalProperties: true }

/** Rewrites `prefixItems`, which the generator ignores, and leaves out what it refuses. */
function inItsWords(schema: Node): Node {
  const copy = structuredClone(schema)
  for (const [, node] of schemasIn(copy)) {
    const { prefixItems, items = true } = node
    if (Number(node.minItems) > Number(node.maxItems)) delete node.minItems
    if (!Array.isArray(prefixItems)) continue

    if (items !== true)
      node.items = { anyOf: items === false ? prefixItems : [...prefixItems, items] }
  }
  return copy
}

/** Keywords that join a schema with others. */
const JOINS = ['allOf', 'anyOf', 'oneOf']

/**
 * Rewrites a schema that has keys of its own and is joined with others: it becomes one more of these. A
 * `$ref` to a part that moved leads nowhere then, which the generator reports.
 */
function asIntersections(schema: Node): Node {
  const copy = structuredClone(schema)

  for (const [, node] of [...schemasIn(copy)]) {
    const joins = JOINS.filter((keyword) => Array.isArray(node[keyword]))
    const ownKeywords = Object.entries(node).filter(([keyword]) => {
      return !JOINS.includes(keyword) && !isKept(keyword)
    })
    if (joins.length === 0 || ownKeywords.length === 0) continue

    const { allOf = [], anyOf, oneOf } = node
    node.allOf = [
      ...[allOf].flat(),
      ...(anyOf === undefined ? [] : [{ anyOf }]),
      ...(oneOf === undefined ? [] : [{ oneOf }]),
      Object.fromEntries(ownKeywords),
    ]
    delete node.anyOf
    delete node.oneOf
    for (const [keyword] of ownKeywords) delete node[keyword]
  }
  return copy
}

/** Whether a keyword stays beside what a schema is joined with. */
function isKept(keyword: string): boolean {
  return keyword === '$defs' || isAnnotation(keyword)
}

/** The interface of the two parts, which is the only one of this name. */
const PARTS_INTERFACE = new RegExp(`^export interface ${PARTS} \\{\\n(?: .*\\n)*\\}\\n`, 'm')

function withoutParts(types: string): string {
  return types.replace(PARTS_INTERFACE, '')
}
