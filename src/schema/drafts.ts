/** The drafts of JSON Schema, and which keywords each has. Pure. */
import { asObject } from '../text/as-object.ts'

export type Draft = '04' | '06' | '07' | '2019-09' | '2020-12'

/**
 * For example `http://json-schema.org/draft-07/schema#` and
 * `https://json-schema.org/draft/2020-12/schema`. People write both with `http` and `https`, and the
 * older ones with and without `#`.
 */
const ADDRESS_OF_DRAFT =
  /^https?:\/\/json-schema\.org\/(?:draft-(0[467])|draft\/(2019-09|2020-12))\/schema#?$/

/** The address of no draft in particular: it has named another one each year. */
const ADDRESS_OF_LATEST = /^https?:\/\/json-schema\.org\/schema#?$/

/** The draft of a schema that names none is unknown: it may use the keywords of any. */
export type DraftOrUnknown = Draft | 'unknown'

/** Returns the draft that a `$schema` names; undefined if we don't know it. */
export function draftNamed(address: unknown): DraftOrUnknown | undefined {
  if (address === undefined || ADDRESS_OF_LATEST.test(String(address))) return 'unknown'
  const [, old, dated] = ADDRESS_OF_DRAFT.exec(String(address)) ?? []
  return (old ?? dated) as Draft | undefined
}

/** Returns the draft of a schema; `outer` if it names none that we know. */
export function draftOf(schema: unknown, outer: DraftOrUnknown = 'unknown'): DraftOrUnknown {
  const { $schema } = asObject(schema)
  if ($schema === undefined) return outer
  return draftNamed($schema) ?? outer
}

/** In these drafts, `$ref` stands alone: what is beside it is ignored (draft-07, Core, 8.3). */
const REF_STANDS_ALONE: readonly string[] = ['04', '06', '07']

export function ignoresBesideRef(draft: DraftOrUnknown): boolean {
  return REF_STANDS_ALONE.includes(draft)
}

/** What all drafts have. */
const COMMON = [
  ...['$ref', '$schema', 'title', 'description', 'default', 'type', 'enum', 'format'],
  ...['multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum', 'maxLength'],
  ...['minLength', 'pattern', 'items', 'maxItems', 'minItems', 'uniqueItems', 'maxProperties'],
  ...['minProperties', 'required', 'additionalProperties', 'properties', 'patternProperties'],
  ...['allOf', 'anyOf', 'oneOf', 'not'],
  // Other drafts call these by another name. People mix them up, and only one meaning is possible.
  ...['definitions', '$defs', 'dependencies'],
]
const SINCE_06 = ['$id', 'additionalItems', 'const', 'contains', 'propertyNames', 'examples']
const SINCE_07 = [
  ...['$comment', 'if', 'then', 'else', 'readOnly', 'writeOnly'],
  ...['contentMediaType', 'contentEncoding'],
]
const SINCE_2019 = [
  ...['$anchor', '$vocabulary', 'dependentRequired', 'dependentSchemas', 'maxContains'],
  ...['minContains', 'unevaluatedItems', 'unevaluatedProperties', 'deprecated', 'contentSchema'],
]
const RECURSIVE = ['$recursiveRef', '$recursiveAnchor']
const SINCE_2020 = ['prefixItems', '$dynamicRef', '$dynamicAnchor']

/** Keywords for editors and type generators, which checks ignore. */
const ANNOTATIONS = [
  ...['title', 'description', 'default', 'examples', '$comment', 'deprecated', 'readOnly'],
  ...['writeOnly', 'tsType', 'tsEnumNames', 'patternErrorMessage', 'errorMessage'],
  ...['markdownDescription', 'markdownEnumDescriptions', 'enumDescriptions', 'enumNames'],
  ...['deprecationMessage', 'doNotSuggest', 'suggestSortText', 'defaultSnippets'],
  ...['allowComments', 'allowTrailingCommas', 'enumDeprecated', 'enumItemLabels', 'example'],
  ...['externalDocs', 'xml', 'discriminator'],
]

/** Keywords of ajv and ours, beyond every draft. */
const EXTENSIONS = [
  ...['nullable', 'pagePath', 'unique', 'formatMinimum', 'formatMaximum'],
  ...['formatExclusiveMinimum', 'formatExclusiveMaximum'],
]

const OF_EVERY_DRAFT = [...COMMON, ...ANNOTATIONS, ...EXTENSIONS]
const OF_06 = [...OF_EVERY_DRAFT, ...SINCE_06]
const OF_07 = [...OF_06, ...SINCE_07]
const OF_2019 = [...OF_07, ...SINCE_2019, ...RECURSIVE]

/** The keywords of each draft. */
const KEYWORDS: Record<DraftOrUnknown, ReadonlySet<string>> = {
  // Many write "$id", which says the same as "id" here.
  '04': new Set([...OF_EVERY_DRAFT, 'id', '$id', 'additionalItems']),
  '06': new Set(OF_06),
  '07': new Set(OF_07),
  '2019-09': new Set(OF_2019),
  '2020-12': new Set([...OF_07, ...SINCE_2019, ...SINCE_2020]),
  unknown: new Set([...OF_2019, ...SINCE_2020]),
}

const ANNOTATION_NAMES: ReadonlySet<string> = new Set(ANNOTATIONS)

/** For example `x-order`: a name that a schema may give to anything. */
const OWN_NAME = /^x-/

export function isAnnotation(keyword: string): boolean {
  return ANNOTATION_NAMES.has(keyword) || OWN_NAME.test(keyword)
}

export function isKeyword(keyword: string, draft: DraftOrUnknown): boolean {
  return KEYWORDS[draft].has(keyword) || OWN_NAME.test(keyword)
}

export function keywordsOf(draft: DraftOrUnknown): ReadonlySet<string> {
  return KEYWORDS[draft]
}

/** Whether another draft has a keyword that this one lacks. */
export function isKeywordElsewhere(keyword: string): boolean {
  return KEYWORDS.unknown.has(keyword)
}
