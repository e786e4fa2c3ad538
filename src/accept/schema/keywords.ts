/** Keywords that ajv lacks, or decides wrongly for some values, and what a check calls for them. */
import { createRequire } from 'node:module'
import type { Ajv, CodeKeywordDefinition, KeywordCxt } from 'ajv'
import type { Marked } from '../../page/fault.ts'
import { isMultiple } from '../../text/decimal.ts'

const require = createRequire(import.meta.url)

/** What the code of a check calls as `helpers`. */
export function createHelpers() {
  return {
    /** What is marked in the batch so far. */
    marks: [] as (Marked & { keyword: string })[],
    multipleOf: isMultiple,
    uniqueItems: (items: unknown[], isOn: boolean) => !isOn || findRepeated(items).length === 0,
  }
}

/** Replaces what ajv requires: its equality calls the value of a key "valueOf" as a function. */
export function requireFor(id: string): unknown {
  if (id !== 'ajv/dist/runtime/equal') return require(id)
  return { default: (a: unknown, b: unknown) => canonical(a) === canonical(b) }
}

/**
 * Adds `pagePath`, which says that a text is the path of a page, and `unique`, that no other record
 * has the value. In a subschema that a value does not fit, neither says anything (JSON Schema
 * 2020-12, Core, 7.7.1.2). Puts the errors of the branches of a union into its own, and drops those
 * of the items in `contains`. Replaces two keywords: ajv's `multipleOf` divides in binary, where
 * 78.1 / 0.01 is no whole number; its `uniqueItems` compares every object with every other, by that
 * equality.
 */
export function addKeywords(ajv: Ajv): void {
  const { _, KeywordCxt, Name, str } = require('ajv') as typeof import('ajv')
  const { default: names } =
    require('ajv/dist/compile/names') as typeof import('ajv/dist/compile/names')
  const ref = createHelpers()
  const definitionOf = (keyword: string) =>
    (ajv.RULES.all[keyword] as { definition: CodeKeywordDefinition }).definition
  const helpers = ({ gen }: KeywordCxt) => gen.scopeValue('func', { ref, code: _`helpers` })
  for (const [keyword, types, what] of [
    ['pagePath', ['string'], 'texts'],
    ['unique', ['string', 'number', 'integer'], 'texts and numbers'],
  ] as const) {
    ajv.addKeyword({
      keyword,
      type: types.filter((each) => each !== 'integer'),
      schemaType: 'boolean',
      code(cxt) {
        const { type = types[0] } = cxt.parentSchema
        if (![type].flat().some((each) => types.some((one) => one === each)))
          throw new Error(`"${keyword}" is for ${what} only`)
        const place = str`${new Name('instancePath')}${cxt.it.errorPath}`
        const schema = cxt.it.errSchemaPath
        const mark = _`{ keyword: ${keyword}, place: ${place}, value: ${cxt.data}, schema: ${schema} }`
        if (cxt.schema) cxt.gen.code(_`${helpers(cxt)}.marks.push(${mark})`)
      },
    })
  }
  for (const keyword of ['anyOf', 'oneOf', 'contains', 'if', 'not']) {
    const definition = definitionOf(keyword)
    const { code } = definition
    definition.code = (cxt) => {
      const { gen, schema, subschema } = cxt
      // A union has a list of schemas; of "if", only "then" or "else" has errors.
      const branches = Array.isArray(schema) ? schema : keyword === 'if' ? [schema] : []
      const starts = branches.map(() => gen.let('start'))
      const marks = _`${helpers(cxt)}.marks.length`
      cxt.subschema = (inner, valid) => {
        const start = starts[Number(inner.schemaProp ?? 0)]
        if (start) gen.assign(start, names.errors)
        const marked = gen.const('marked', marks)
        const context = subschema.call(cxt, inner, valid)
        gen.if(_`!${valid}`, () => gen.assign(marks, marked))
        return context
      }
      cxt.error = (...args) => {
        // Each branch begins where those before it have ended.
        const list = starts.reduce((all, each) => _`${all}${each}, `, _``)
        const cut = _`vErrors?.slice(start, all[at + 1]) ?? []`
        const found = gen.const('found', _`[${list}].map((start, at, all) => ${cut})`)
        cxt.reset()
        KeywordCxt.prototype.error.apply(cxt, args)
        gen.code(_`vErrors[vErrors.length - 1].branches = ${found}`)
      }
      code(cxt)
    }
  }
  for (const keyword of ['multipleOf', 'uniqueItems']) {
    const definition = definitionOf(keyword)
    definition.error = { message: ({ schemaCode }) => str`must be a multiple of ${schemaCode}` }
    definition.code = (cxt) => {
      const { data, schemaCode } = cxt
      cxt.fail(_`!${helpers(cxt)}.${new Name(keyword)}(${data}, ${schemaCode})`)
    }
  }
}

/** Items that are the same as an earlier one: the positions of both. */
export function findRepeated(items: readonly unknown[]): { item: number; earlier: number }[] {
  const first = new Map<string, number>()
  return items.flatMap((value, item) => {
    const text = canonical(value)
    const earlier = first.get(text)
    if (earlier !== undefined) return [{ item, earlier }]
    first.set(text, item)
    return []
  })
}

/** The same text for the same value, whatever the order of keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
