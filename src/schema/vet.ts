/** Finds what is wrong with one schema, beyond the rules of its draft. Pure. */
import { type Fault, fault, keyFault } from '../fault/fault.ts'
import { asObject } from '../text/as-object.ts'
import { nearest } from '../text/nearest.ts'
import {
  type DraftOrUnknown,
  draftNamed,
  isKeyword,
  isKeywordElsewhere,
  keywordsOf,
} from './drafts.ts'
import { allFormats } from './formats.ts'
import { readPattern } from './patterns.ts'
import { innerSchemas, type Node, schemasIn } from './schemas-in.ts'
import { isIgnoredBesideRef } from './upgrade-node.ts'

interface Vetted {
  /** What makes the schema unusable, with pointers from it. */
  faults: Fault[]
  /** What has no effect in it. */
  warnings: Fault[]
}

export function vetNode(node: Node, draft: DraftOrUnknown): Vetted {
  return {
    faults: [
      ...vetPatterns(node),
      ...vetMarks(node),
      ...vetDraft(node),
      ...vetValues(node),
      ...vetRequired(node),
    ],
    warnings: [
      ...vetKeywords(node, draft),
      ...vetBesideRef(node, draft),
      ...vetFormat(node),
      ...vetAlone(node, draft),
    ],
  }
}

function vetKeywords(node: Node, draft: DraftOrUnknown): Fault[] {
  const unknown = Object.keys(node).filter((keyword) => !isKeyword(keyword, draft))
  return unknown.map((keyword) => unknownKeyword(keyword, draft))
}

function vetBesideRef(node: Node, draft: DraftOrUnknown): Fault[] {
  const keywords = Object.keys(node).filter((keyword) => {
    return isKeyword(keyword, draft) && isIgnoredBesideRef(keyword, node, draft)
  })
  const [first] = keywords
  if (first === undefined) return []

  const ignored = keyFault('schema-file.beside-ref', [first], { keywords })
  return [{ ...ignored, about: keywords.join(' ') }]
}

function unknownKeyword(keyword: string, draft: DraftOrUnknown): Fault {
  const near = nearest(keyword, [...keywordsOf(draft)])
  const isElsewhere = isKeywordElsewhere(keyword)
  const facts = { keyword, draft: isElsewhere ? draft : undefined, near }
  return { ...keyFault('schema-file.unknown-keyword', [keyword], facts), about: keyword }
}

function vetFormat({ format }: Node): Fault[] {
  if (typeof format !== 'string' || Object.hasOwn(allFormats(), format)) return []

  const near = nearest(format, Object.keys(allFormats()))
  const unknown = fault('schema-file.unknown-format', ['format'], { format, near })
  return [{ ...unknown, about: format }]
}

/** Keywords that check nothing without another one beside them. */
const NEEDED: readonly [keyword: string, needed: string][] = [
  ['nullable', 'type'],
  ['then', 'if'],
  ['else', 'if'],
  ['minContains', 'contains'],
  ['maxContains', 'contains'],
]

function vetAlone(node: Node, draft: DraftOrUnknown): Fault[] {
  const alone = NEEDED.filter(([keyword, needed]) => {
    const isThere = node[keyword] !== undefined && isKeyword(keyword, draft)
    return isThere && node[needed] === undefined
  })
  return alone.map(([keyword, needed]) => {
    const without = keyFault('schema-file.alone', [keyword], { keyword, needed })
    return { ...without, about: keyword }
  })
}

function vetPatterns({ pattern, patternProperties }: Node): Fault[] {
  const faults: Fault[] = []
  if (typeof pattern === 'string') {
    const { reason } = readPattern(pattern)
    if (reason !== undefined) faults.push(fault('schema-file.pattern', ['pattern'], { reason }))
  }

  for (const key of Object.keys(asObject(patternProperties))) {
    const { reason } = readPattern(key)
    if (reason === undefined) continue
    faults.push(keyFault('schema-file.pattern', ['patternProperties', key], { reason }))
  }
  return faults
}

/** The types of the values that our own keywords can mark. */
const TYPES_OF_MARKS: readonly [keyword: 'pagePath' | 'unique', types: readonly unknown[]][] = [
  ['pagePath', ['string']],
  ['unique', ['string', 'number', 'integer']],
]

function vetMarks(node: Node): Fault[] {
  const faults: Fault[] = []
  for (const [keyword, types] of TYPES_OF_MARKS) {
    if (node[keyword] === undefined) continue

    const isFitting = [node.type ?? types].flat().some((type) => types.includes(type))
    if (!isFitting) faults.push(keyFault('schema-file.mark', [keyword], { keyword }))
  }
  return faults
}

function vetDraft({ $schema }: Node): Fault[] {
  if (draftNamed($schema) !== undefined) return []
  return [fault('schema-file.unknown-draft', ['$schema'], { address: $schema })]
}

function vetValues(node: Node): Fault[] {
  const isEmpty = Array.isArray(node.enum) && node.enum.length === 0
  return isEmpty ? [fault('schema-file.empty-enum', ['enum'])] : []
}

/** Finds the keys that an object must have and may not have: no object could be right. */
function vetRequired(node: Node): Fault[] {
  const { required } = node
  if (!Array.isArray(required)) return []

  return required.flatMap((key: unknown, position) => {
    const keyword = typeof key === 'string' ? keywordAgainst(key, node) : undefined
    if (keyword === undefined) return []

    const place = ['required', position]
    const forbidden = fault('schema-file.required-forbidden', place, { key, keyword })
    return [{ ...forbidden, about: String(key) }]
  })
}

/** Returns the keyword by which a schema forbids a key. */
function keywordAgainst(
  key: string,
  { properties, patternProperties, additionalProperties }: Node,
): string | undefined {
  const declared = asObject(properties)
  if (Object.hasOwn(declared, key)) return declared[key] === false ? 'properties' : undefined

  const matching = Object.entries(asObject(patternProperties)).filter(([pattern]) => {
    const { source, reason } = readPattern(pattern)
    return reason !== undefined || new RegExp(source, 'u').test(key)
  })
  if (matching.length > 0) {
    const isForbidden = matching.some(([, schema]) => schema === false)
    return isForbidden ? 'patternProperties' : undefined
  }
  return additionalProperties === false ? 'additionalProperties' : undefined
}

/** The keywords by which a schema can refuse a value without another schema in it. */
const ASSERTIONS: ReadonlySet<string> = new Set([
  ...['type', 'enum', 'const', 'format', 'multipleOf', 'maximum', 'exclusiveMaximum', 'minimum'],
  ...['exclusiveMinimum', 'maxLength', 'minLength', 'pattern', 'maxItems', 'minItems'],
  ...['uniqueItems', 'maxProperties', 'minProperties', 'required', 'not', 'contains'],
  ...['dependentRequired', 'pagePath', 'unique', 'formatMinimum'],
  ...['formatMaximum', 'formatExclusiveMinimum', 'formatExclusiveMaximum'],
])

/**
 * Whether a schema certainly accepts every value. One that has a part which refuses something doesn't,
 * even if no value ever comes to that part.
 *
 * @param root the whole schema, as `upgradeSchema` returns it
 */
export function acceptsEverything(root: Node): boolean {
  return Array.from(schemasIn(root)).every(([, node]) => !mayRefuse(node))
}

function mayRefuse(node: Node): boolean {
  const hasAssertion = Object.keys(node).some((keyword) => ASSERTIONS.has(keyword))
  const hasFalse = Array.from(innerSchemas(node)).some(([, inner]) => inner === false)
  // Two schemas that accept a value are one too many for `oneOf`.
  const hasChoice = Array.isArray(node.oneOf) && node.oneOf.length > 1
  return hasAssertion || hasFalse || hasChoice
}
