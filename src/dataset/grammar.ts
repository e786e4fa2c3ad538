/**
 * Hides how the schema becomes a grammar of bytes. What the grammar accepts is valid by the schema
 * and stands in the normal form of the dataset; what it does not accept is not judged by it. So it
 * may leave out whatever is hard to say, such as leap seconds, other orders of keys, escapes that
 * need not be. A schema of which it would have to leave out too much has no grammar.
 */
import { createRequire } from 'node:module'
import type { AST } from '@eslint-community/regexpp'
import { type Automaton, type Language, Languages, toAutomaton } from './automaton.ts'
import { ALL, type CodePoints, codePointsOf, intersection, utf8 } from './code-points.ts'
import { PROGRAM } from './scan-program.ts'

/** How a record is written, byte for byte but for the white space between its tokens. */
export interface Grammar {
  /** The members of a record, in their order. */
  members: Member[]
  /** Accepts the values. */
  automaton: Automaton
  /** WebAssembly that reads by it. */
  program: Uint8Array<ArrayBuffer>
}

interface Member {
  key: string
  isRequired: boolean
  /** The automaton's first state for its value. */
  start: number
}

/** The grammar as one line of JSON. */
export function stringifyGrammar({ members, automaton, program }: Grammar): string {
  const { classes, width, next, accepts, starts } = automaton
  const base64 = ({ buffer, byteOffset, byteLength }: Uint8Array | Uint16Array) =>
    Buffer.from(buffer, byteOffset, byteLength).toString('base64')
  const tables = { classes: base64(classes), next: base64(next), accepts: base64(accepts) }
  const parts = { members, automaton: { width, starts, ...tables }, program: base64(program) }
  return JSON.stringify(parts)
}

/** @param line what `stringifyGrammar` made, or null for none */
export function parseGrammar(line: string): Grammar | undefined {
  const parsed = JSON.parse(line)
  if (parsed === null) return undefined
  const { width, starts, ...tables } = parsed.automaton
  const bytes = (table: string) => Uint8Array.from(Buffer.from(table, 'base64'))
  const [classes, accepts] = [bytes(tables.classes), bytes(tables.accepts)]
  const next = new Uint16Array(bytes(tables.next).buffer)
  const automaton = { classes, width, next, accepts, starts }
  return { members: parsed.members, automaton, program: bytes(parsed.program) }
}

/** Why a schema has no grammar. */
class NoGrammar extends Error {}

type Schema = Record<string, unknown>

// Loaded when needed, as ajv is: most builds have the grammar of the last one.
const require = createRequire(import.meta.url)

/**
 * @param schema a valid schema of a batch
 * @returns nothing when the schema says more of a batch than a grammar can
 */
export function toGrammar(schema: object): Grammar | undefined {
  try {
    return new Compiler(schema as Schema).grammar()
  } catch (error) {
    if (error instanceof NoGrammar || error instanceof RangeError) return undefined
    throw error
  }
}

/** Keywords that refuse nothing, or nothing that the grammar does not refuse anyway. */
const ANNOTATIONS = new Set(
  '$schema $id $comment $defs title description examples default deprecated patternErrorMessage'.split(
    ' ',
  ),
)
const OF_OBJECTS = new Set(['type', 'properties', 'required', 'additionalProperties'])
const OF_ARRAYS = new Set(['type', 'items', 'minItems', 'maxItems'])
const MOST_REPETITIONS = 1_000
const DEEPEST = 20

class Compiler {
  readonly #root: Schema
  readonly #languages = new Languages()
  readonly #space: Language
  readonly #character: Language

  constructor(root: Schema) {
    this.#root = root
    const of = this.#languages
    this.#space = of.many(of.either(...[0x20, 0x0a, 0x0d, 0x09].map((byte) => of.byte(byte))))
    this.#character = this.#characterOf(ALL)
  }

  grammar(): Grammar {
    const { items } = this.#only(this.#root, new Set(['type', 'items']))
    if (this.#root.type !== 'array') throw new NoGrammar()
    const record = this.#resolve(items)
    const { type, properties, required = [] } = this.#only(record, OF_OBJECTS)
    if (type !== 'object') throw new NoGrammar()
    const entries = this.#properties(properties, required)
    const path = entries.find(([key]) => key === 'path')
    const isString = this.#resolve(path?.[1]).type === 'string'
    if (!isString || !(required as string[]).includes('path')) throw new NoGrammar()
    const values = entries.map(([, value]) => this.#value(value, 0))
    const automaton = toAutomaton(this.#languages, values)
    const members = entries.map(([key], index) => {
      const isRequired = (required as string[]).includes(key)
      return { key, isRequired, start: automaton.starts[index] as number }
    })
    const { compile } = require('watr') as typeof import('watr')
    return { members, automaton, program: Uint8Array.from(compile(PROGRAM)) }
  }

  // 1. Schemas ------------------------------------------------------------------------------------

  /** The keywords of a schema besides annotations, all of them known. */
  #only(schema: unknown, keywords: ReadonlySet<string>): Schema {
    if (typeof schema !== 'object' || schema === null) throw new NoGrammar()
    const entries = Object.entries(schema).filter(([keyword]) => !ANNOTATIONS.has(keyword))
    if (!entries.every(([keyword]) => keywords.has(keyword))) throw new NoGrammar()
    return Object.fromEntries(entries)
  }

  /** What a reference refers to, where it is nothing but a reference. */
  #resolve(schema: unknown): Schema {
    let at = schema as Schema
    for (let depth = 0; typeof at?.$ref === 'string'; depth++) {
      if (depth > DEEPEST) throw new NoGrammar()
      const [, name] = /^#\/\$defs\/([^/~%]+)$/.exec(at.$ref) ?? []
      const defs = this.#root.$defs as Schema | undefined
      if (name === undefined || !defs || !Object.hasOwn(defs, name)) throw new NoGrammar()
      this.#only(at, new Set(['$ref']))
      at = defs[name] as Schema
    }
    if (typeof at !== 'object' || at === null) throw new NoGrammar()
    return at
  }

  #properties(properties: unknown, required: unknown): [key: string, schema: unknown][] {
    const entries = Object.entries((properties ?? {}) as object)
    const keys = new Set(entries.map(([key]) => key))
    // An object has keys like these in another order than that in which they were added.
    const isOdd = [...keys].some((key) => /^\d+$/.test(key) || key === '__proto__')
    if (isOdd || !(required as string[]).every((key) => keys.has(key))) throw new NoGrammar()
    return entries
  }

  #value(schema: unknown, depth: number): Language {
    if (depth > DEEPEST) throw new NoGrammar()
    const of = this.#languages
    const {
      $ref,
      type,
      anyOf,
      enum: values,
      const: value,
      pattern,
      format,
      ...rest
    } = this.#only(
      schema,
      new Set([
        ...['$ref', 'anyOf', 'enum', 'const', 'pattern', 'format', 'minLength', 'maxLength'],
        ...OF_OBJECTS,
        ...OF_ARRAYS,
      ]),
    )
    // Each keyword's language holds only what the keyword admits, so what all hold is valid.
    const all: Language[] = []
    if ($ref !== undefined) all.push(this.#value(this.#resolve({ $ref }), depth + 1))
    if (anyOf !== undefined) {
      all.push(of.either(...(anyOf as unknown[]).map((each) => this.#value(each, depth + 1))))
    }
    if (values !== undefined) all.push(of.either(...(values as unknown[]).map(this.#literal)))
    if (value !== undefined) all.push(this.#literal(value))
    if (pattern !== undefined) all.push(this.#quoted(this.#pattern(pattern as string)))
    if (format !== undefined) all.push(this.#format(format))
    const { minLength, maxLength, ...ofContainers } = rest
    if (minLength !== undefined || maxLength !== undefined) {
      all.push(this.#quoted(this.#repeat(this.#character, minLength, maxLength)))
    }
    const types = [type ?? []].flat() as string[]
    if (types.length === 0 && Object.keys(ofContainers).length > 0) throw new NoGrammar()
    if (types.length > 0) {
      all.push(of.either(...types.map((each) => this.#type(each, schema as Schema, depth + 1))))
    }
    if (all.length === 0) throw new NoGrammar()
    return of.both(...all)
  }

  #literal = (value: unknown): Language => {
    const isScalar = value === null || typeof value === 'boolean' || typeof value === 'string'
    if (!isScalar || (typeof value === 'string' && !value.isWellFormed())) throw new NoGrammar()
    return this.#languages.text(JSON.stringify(value))
  }

  #type(type: string, schema: Schema, depth: number): Language {
    const of = this.#languages
    switch (type) {
      case 'null':
        return of.text('null')
      case 'boolean':
        return of.either(of.text('true'), of.text('false'))
      case 'string':
        return this.#quoted(of.many(this.#character))
      case 'array':
        return this.#array(schema, depth)
      case 'object':
        return this.#object(schema, depth)
      default:
        throw new NoGrammar()
    }
  }

  #array({ items, minItems = 0, maxItems }: Schema, depth: number): Language {
    const of = this.#languages
    const item = of.sequence(this.#value(items, depth), this.#space)
    const next = of.sequence(of.text(','), this.#space, item)
    const least = minItems as number
    const most = maxItems === undefined ? undefined : (maxItems as number) - 1
    const full = of.sequence(item, this.#repeat(next, Math.max(0, least - 1), most))
    const inside = least > 0 ? full : of.either(full, of.empty)
    return of.sequence(of.text('['), this.#space, maxItems === 0 ? of.empty : inside, of.text(']'))
  }

  #object({ properties, required = [] }: Schema, depth: number): Language {
    const of = this.#languages
    let first = of.empty
    let further = of.empty
    for (const [key, schema] of this.#properties(properties, required).toReversed()) {
      const member = of.sequence(
        ...[of.text(JSON.stringify(key)), this.#space, of.text(':'), this.#space],
        ...[this.#value(schema, depth), this.#space],
      )
      const isRequired = (required as string[]).includes(key)
      const asFirst = of.sequence(member, further)
      const asNext = of.sequence(of.text(','), this.#space, member, further)
      first = isRequired ? asFirst : of.either(asFirst, first)
      further = isRequired ? asNext : of.either(asNext, further)
    }
    return of.sequence(of.text('{'), this.#space, first, of.text('}'))
  }

  #format(format: unknown): Language {
    if (format !== 'date-time') throw new NoGrammar()
    return this.#quoted(this.#pattern(DATE_TIME))
  }

  #repeat(part: Language, least: unknown = 0, most?: unknown): Language {
    const of = this.#languages
    if (Math.max(Number(least), Number(most ?? 0)) > MOST_REPETITIONS) throw new NoGrammar()
    let after = most === undefined ? of.many(part) : of.empty
    for (let count = Number(most ?? least); count > 0; count--) {
      const again = of.sequence(part, after)
      after = count > Number(least) ? of.either(again, of.empty) : again
    }
    return after
  }

  // 2. Strings ------------------------------------------------------------------------------------

  #quoted(content: Language): Language {
    const of = this.#languages
    return of.sequence(of.text('"'), of.both(content, of.many(this.#character)), of.text('"'))
  }

  /** One character as `JSON.stringify` writes it. */
  #characterOf(set: CodePoints): Language {
    const of = this.#languages
    const escaped = intersection(set, MUST_ESCAPE).flatMap(([low, high]) =>
      Array.from({ length: high - low + 1 }, (_, each) => String.fromCodePoint(low + each)),
    )
    return of.either(
      utf8(of, intersection(set, NEED_NO_ESCAPE)),
      ...escaped.map((character) => of.text(JSON.stringify(character).slice(1, -1))),
    )
  }

  // 3. Patterns -----------------------------------------------------------------------------------

  /** Every string that `RegExp.prototype.test` finds a match in, or fewer. */
  #pattern(source: string): Language {
    const of = this.#languages
    const { RegExpParser } =
      require('@eslint-community/regexpp') as typeof import('@eslint-community/regexpp')
    const pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode: true })
    const anything = of.many(this.#character)
    return of.either(
      ...pattern.alternatives.map(({ elements }) => {
        const [first, ...rest] = elements
        const isAtStart = first?.type === 'Assertion' && first.kind === 'start'
        const match = this.#elements(isAtStart ? rest : elements, anything)
        return isAtStart ? match : of.sequence(anything, match)
      }),
    )
  }

  /** Elements one after another, and what may follow them up to the end of the string. */
  #elements(elements: readonly AST.Element[], after: Language): Language {
    return elements.reduceRight((then, element) => this.#element(element, then), after)
  }

  #alternatives(alternatives: readonly AST.Alternative[], after: Language): Language {
    return this.#languages.either(
      ...alternatives.map(({ elements }) => this.#elements(elements, after)),
    )
  }

  #element(element: AST.Element, after: Language): Language {
    const of = this.#languages
    switch (element.type) {
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
        return of.sequence(this.#characterOf(codePointsOf(element)), after)
      case 'Group':
        if (element.modifiers) break
        return this.#alternatives(element.alternatives, after)
      case 'CapturingGroup':
        return this.#alternatives(element.alternatives, after)
      case 'Quantifier':
        return this.#quantifier(element, after)
      case 'Assertion': {
        if (element.kind === 'end') return of.both(after, of.empty)
        if (element.kind !== 'lookahead') break
        const seen = this.#alternatives(element.alternatives, of.many(this.#character))
        return of.both(element.negate ? of.not(seen) : seen, after)
      }
    }
    throw new NoGrammar()
  }

  #quantifier({ element, min, max }: AST.Quantifier, after: Language): Language {
    const of = this.#languages
    const most = Number.isFinite(max) ? max : undefined
    if (!looksAround(element)) {
      return of.sequence(this.#repeat(this.#element(element, of.empty), min, most), after)
    }
    if (most === undefined || most > MOST_REPETITIONS) throw new NoGrammar()
    let then = after
    for (let count = most; count > 0; count--) {
      const again = this.#element(element, then)
      then = count > min ? of.either(again, after) : again
    }
    return then
  }
}

/** Whether what an element matches depends on what follows it. */
function looksAround(element: AST.Element): boolean {
  switch (element.type) {
    case 'Assertion':
      return true
    case 'Quantifier':
      return looksAround(element.element)
    case 'Group':
    case 'CapturingGroup':
      return element.alternatives.some(({ elements }) => elements.some(looksAround))
    default:
      return false
  }
}

/** RFC 8259, section 7; `JSON.stringify` escapes nothing else. */
const MUST_ESCAPE: CodePoints = [
  [0, 0x1f],
  [0x22, 0x22],
  [0x5c, 0x5c],
]
const NEED_NO_ESCAPE: CodePoints = [
  [0x20, 0x21],
  [0x23, 0x5b],
  [0x5d, 0x10ffff],
]

/** RFC 3339, section 5.6, less 29 February and leap seconds. */
const DATE_TIME =
  '^[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)' +
  '|02-(?:0[1-9]|1[0-9]|2[0-8]))T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]+)?' +
  '(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$'
