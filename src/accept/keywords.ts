/**
 * Keywords that ajv lacks, or decides wrongly for some values, and the functions that a check calls for
 * them.
 */
import { createRequire } from 'node:module'
import type { Ajv, CodeKeywordDefinition, Format, JSONType, KeywordCxt, Name } from 'ajv'
import { allFormats } from '../schema/formats.ts'
import { hasTags, type Tag, tagsOfBranches } from '../schema/tags.ts'
import { asObject } from '../text/as-object.ts'
import { isMultiple } from '../text/decimal.ts'
import type { Marked } from './check.ts'

const require = createRequire(import.meta.url)

/** Loads ajv on demand: a check that was compiled before doesn't need it. */
export function ajvLibrary(): typeof import('ajv') {
  return require('ajv')
}

type MarkKeyword = 'pagePath' | 'unique'

/** The functions that the code of a check calls as `helpers`. */
export interface Helpers {
  /** The values that are marked so far. */
  marks: (Marked & { keyword: MarkKeyword })[]
  isMultiple(number: number, unit: number): boolean
  isUnique(items: unknown[], isOn: boolean): boolean
  isOneOf(value: unknown, allowed: unknown[]): boolean
  hasTags(value: unknown, tags: readonly Tag[]): boolean
  /** By their names. */
  readonly formats: Record<string, Format>
}

export function createHelpers(): Helpers {
  return {
    marks: [],
    get formats() {
      return allFormats()
    },
    isMultiple,
    isUnique: (items, isOn) => !isOn || findRepeated(items).length === 0,
    isOneOf(value, allowed) {
      const text = canonical(value)
      return allowed.some((one) => canonical(one) === text)
    },
    hasTags,
  }
}

/**
 * Adds `pagePath`, which says that a text is the path of a page, and `unique`, that no other record
 * has the value. Replaces the keywords that ajv decides wrongly for some values.
 *
 * @param helpers what checks call which this ajv runs itself; code of a check names them `helpers`
 */
export function addKeywords(ajv: Ajv, helpers: Helpers): void {
  const { _ } = ajvLibrary()
  const nameIn = ({ gen }: KeywordCxt) => gen.scopeValue('func', { ref: helpers, code: _`helpers` })

  addMark(ajv, nameIn, 'pagePath', ['string'])
  addMark(ajv, nameIn, 'unique', ['string', 'number'])
  for (const keyword of CONDITIONALS) takeBackMarks(ajv, nameIn, keyword)
  for (const keyword of ['anyOf', 'oneOf', 'if', 'dependentSchemas']) beginEvaluated(ajv, keyword)
  for (const keyword of ['anyOf', 'oneOf'] as const) compareTags(ajv, nameIn, keyword)

  // ajv's multipleOf divides in binary, where 78.1 / 0.01 is not a whole number.
  replaceByHelper(ajv, nameIn, 'multipleOf', 'isMultiple')
  // ajv's uniqueItems compares every item with every other.
  replaceByHelper(ajv, nameIn, 'uniqueItems', 'isUnique')
  // ajv's equality of objects calls the value of a key "valueOf" as a function.
  compareObjects(ajv, nameIn, 'enum')
  compareObjects(ajv, nameIn, 'const')
}

/** Returns the name of the helpers in the code of a check. */
type NameIn = (context: KeywordCxt) => Name

/** Adds a keyword that remembers the values it's about. */
function addMark(ajv: Ajv, nameIn: NameIn, keyword: MarkKeyword, types: JSONType[]): void {
  const { _, Name, str } = ajvLibrary()

  ajv.addKeyword({
    keyword,
    type: types,
    schemaType: 'boolean',
    code(context) {
      if (!context.schema) return

      const place = str`${new Name('instancePath')}${context.it.errorPath}`
      const schema = context.it.errSchemaPath
      const mark = _`{ keyword: ${keyword}, place: ${place}, value: ${context.data}, schema: ${schema} }`
      context.gen.code(_`${nameIn(context)}.marks.push(${mark})`)
    },
  })
}

/** The keywords with subschemas that a valid value may fail. */
export const CONDITIONALS: readonly string[] = ['anyOf', 'oneOf', 'contains', 'if', 'not']

/**
 * Takes back the marks of a subschema that a value does not fit: there, `pagePath` and `unique` say
 * nothing (JSON Schema 2020-12, Core, 7.7.1.2). Drops the errors of its subschemas, too: `explain`
 * asks each of them again.
 */
function takeBackMarks(ajv: Ajv, nameIn: NameIn, keyword: string): void {
  const { _, KeywordCxt } = ajvLibrary()
  const definition = definitionOf(ajv, keyword)
  const { code } = definition

  definition.code = (context) => {
    const { gen, subschema } = context
    const count = _`${nameIn(context)}.marks.length`

    context.subschema = (inner, valid) => {
      const before = gen.const('marked', count)
      const result = subschema.call(context, inner, valid)
      gen.if(_`!${valid}`, () => gen.assign(count, before))
      return result
    }

    context.error = (...args) => {
      context.reset()
      KeywordCxt.prototype.error.apply(context, args)
    }

    code(context)
  }
}

/**
 * Begins to note which keys are evaluated before a keyword that may add some. ajv begins within the first
 * branch that a value fits: a later item of a list that doesn't fit it would keep what was noted of an
 * earlier one. Of an `if`, ajv notes keys also where it doesn't hold.
 */
function beginEvaluated(ajv: Ajv, keyword: string): void {
  const { Name } = ajvLibrary()
  const {
    evaluatedPropsToName,
    mergeEvaluated,
  }: typeof import('ajv/dist/compile/util.js') = require('ajv/dist/compile/util')
  const definition = definitionOf(ajv, keyword)
  const { code } = definition

  definition.code = (context) => {
    const { gen, it, subschema } = context
    if (!it.opts.unevaluated || it.props === true) return code(context)

    const noted = it.props instanceof Name ? it.props : evaluatedPropsToName(gen, it.props)
    it.props = noted

    context.subschema = (inner, valid) => {
      const result = subschema.call(context, inner, valid)
      const { props, ...rest } = result
      if (inner.keyword !== 'if' || props === undefined) return result

      gen.if(valid, () => mergeEvaluated.props(gen, props, noted, Name))
      return rest
    }
    code(context)
  }
}

/**
 * Compares the tags of each branch of a union before the branch itself, which would refuse a value
 * without them anyway. So a nested value goes through one branch, not through all: in a union that
 * refers to itself, the time would grow exponentially with the depth.
 */
function compareTags(ajv: Ajv, nameIn: NameIn, keyword: 'anyOf' | 'oneOf'): void {
  const { _ } = ajvLibrary()
  const definition = definitionOf(ajv, keyword)
  const { code } = definition

  definition.code = (context) => {
    const { gen, data, it, parentSchema, subschema } = context
    const tagsByBranch = tagsOfBranches(parentSchema, keyword, asObject(it.schemaEnv.root.schema))

    context.subschema = (inner, valid) => {
      const tags = tagsByBranch[Number(inner.schemaProp)] ?? []
      if (tags.length === 0) return subschema.call(context, inner, valid)

      gen.if(_`${nameIn(context)}.hasTags(${data}, ${asConstant(context, tags)})`)
      const result = subschema.call(context, inner, valid)
      gen.else()
      gen.var(valid, false)
      gen.endIf()
      return result
    }

    code(context)
  }
}

/** Lets a helper decide a keyword: its arguments are the value and what the schema says. */
function replaceByHelper(ajv: Ajv, nameIn: NameIn, keyword: string, helper: keyof Helpers): void {
  const { _, Name, str } = ajvLibrary()
  const definition = definitionOf(ajv, keyword)

  definition.error = { message: ({ schemaCode }) => str`must be a multiple of ${schemaCode}` }
  definition.code = (context) => {
    const { data, schemaCode } = context
    context.fail(_`!${nameIn(context)}.${new Name(helper)}(${data}, ${schemaCode})`)
  }
}

/** Lets a helper decide `enum` and `const` where an allowed value is an object or a list. */
function compareObjects(ajv: Ajv, nameIn: NameIn, keyword: 'enum' | 'const'): void {
  const { _ } = ajvLibrary()
  const definition = definitionOf(ajv, keyword)
  const { code } = definition

  definition.code = (context) => {
    const allowed: unknown[] = keyword === 'const' ? [context.schema] : context.schema
    const hasObject = allowed.some((value) => typeof value === 'object' && value !== null)
    if (!hasObject) return code(context)

    const list = asConstant(context, allowed)
    context.fail(_`!${nameIn(context)}.isOneOf(${context.data}, ${list})`)
  }
}

/** Returns the name of a value in the code of a check. As source, `{ "__proto__": 1 }` would have no key. */
function asConstant({ gen }: KeywordCxt, value: unknown): Name {
  const { _ } = ajvLibrary()
  return gen.scopeValue('obj', { ref: value, code: _`JSON.parse(${JSON.stringify(value)})` })
}

function definitionOf(ajv: Ajv, keyword: string): CodeKeywordDefinition {
  return (ajv.RULES.all[keyword] as { definition: CodeKeywordDefinition }).definition
}

/** An item that is the same as an earlier one: the positions of both. */
export interface Repeated {
  item: number
  earlier: number
}

export function findRepeated(items: readonly unknown[]): Repeated[] {
  const repeated: Repeated[] = []
  const first = new Map<string, number>()

  for (const [item, value] of items.entries()) {
    const text = canonical(value)
    const earlier = first.get(text)
    if (earlier === undefined) first.set(text, item)
    else repeated.push({ item, earlier })
  }
  return repeated
}

/** Returns the same text for the same value, whatever the order of keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner

    const entries = Object.entries(inner)
    entries.sort(([a], [b]) => (a < b ? -1 : 1))
    return Object.fromEntries(entries)
  })
}
