/**
 * Compiles the schema to a grammar of bytes. What the grammar accepts is valid by the schema and,
 * except for white space, written as `JSON.stringify` writes it. What it does not accept may still
 * be valid, so it may leave out what is hard to express, such as 29 February or unnecessary
 * escapes. A schema with a keyword that a grammar cannot express has no grammar.
 */
import { formatPointer } from '../dataset/json.ts'
import { type Automaton, type Language, Languages, toAutomaton, Unsayable } from './automaton.ts'
import { Texts } from './texts.ts'

/** How a record is written, byte for byte except for the white space between its tokens. */
export interface Grammar {
  /** The members of a record, in the expected order. */
  members: Member[]
  /** Accepts the values. */
  automaton: Automaton
}

interface Member {
  key: string
  isRequired: boolean
  /** The automaton's first state for its value. */
  start: number
}

/** A keyword that a grammar cannot express. */
export interface Declined {
  keyword: string
  /** The schema that has the keyword, or lacks it although it is needed: RFC 6901. */
  pointer: string
}

/** Stops the compilation of a schema; its cause says why. */
class NoGrammar extends Error {}

type Schema = Record<string, unknown>

/** A part of the schema and its pointer. */
interface Part {
  schema: unknown
  at: string
}

/**
 * @param schema a schema of a batch that ajv has compiled
 * @returns the grammar, or the first keyword that a grammar cannot express
 */
export function compileGrammar(schema: object): { grammar: Grammar } | { declined: Declined } {
  try {
    return { grammar: new Compiler(schema as Schema).grammar() }
  } catch (error) {
    if (error instanceof NoGrammar) return { declined: error.cause as Declined }
    throw error
  }
}

/** Keywords that refuse nothing. */
const ANNOTATIONS = new Set([
  ...['$schema', '$id', '$comment', '$defs', 'title', 'description', 'examples', 'default'],
  ...['deprecated', 'readOnly', 'writeOnly', 'patternErrorMessage'],
])
const OF_OBJECTS = ['properties', 'required', 'additionalProperties']
const OF_VALUES = [
  ...['$ref', 'type', 'anyOf', 'enum', 'const', 'pattern', 'format', 'minLength', 'maxLength'],
  ...OF_OBJECTS,
  ...['items', 'minItems', 'maxItems'],
]

class Compiler {
  readonly #root: Schema
  readonly #languages = new Languages()
  readonly #space: Language
  readonly #texts = new Texts(this.#languages)
  /** By pointer; undefined while it is being compiled. */
  readonly #definitions = new Map<string, Language | undefined>()

  constructor(root: Schema) {
    this.#root = root
    const of = this.#languages
    this.#space = of.many(of.either(...[0x20, 0x0a, 0x0d, 0x09].map((byte) => of.byte(byte))))
  }

  grammar(): Grammar {
    this.#refuseInnerIds(this.#root, '')
    const { type, items } = this.#only({ schema: this.#root, at: '' }, ['type', 'items'])
    if (type !== 'array') decline('type', '')
    if (items === undefined) decline('items', '')
    const record = this.#follow({ schema: items, at: '/items' })
    const { type: kind, ...keywords } = this.#only(record, ['type', ...OF_OBJECTS])
    if (kind !== 'object') decline('type', record.at)
    const members = this.#members(keywords, record.at)
    const path = members.find(({ key }) => key === 'path')
    if (!path?.isRequired) decline('required', record.at)
    const { schema, at } = this.#follow(path)
    if (Object(schema).type !== 'string') decline('type', at)
    const values = members.map((member) => this.#value(member))
    const automaton = blame('properties', record.at, () => toAutomaton(this.#languages, values))
    return {
      members: members.map(({ key, isRequired }, index) => {
        return { key, isRequired, start: automaton.starts[index] as number }
      }),
      automaton,
    }
  }

  // 1. Schemas ------------------------------------------------------------------------------------

  /** Below an `$id` other than the root's, a reference means something else. */
  #refuseInnerIds(value: unknown, at: string): void {
    if (typeof value !== 'object' || value === null) return
    // It may also be a key of that name. That does not matter to the person who looks for it.
    if (at !== '' && Object.hasOwn(value, '$id')) decline('$id', at)
    for (const [key, inner] of Object.entries(value)) this.#refuseInnerIds(inner, join(at, key))
  }

  /** Returns the keywords of a schema except annotations, and declines any unknown one. */
  #only({ schema, at }: Part, known: readonly string[]): Schema {
    // A schema may be true or false, without keywords.
    if (typeof schema !== 'object' || schema === null) return decline('type', at)
    const entries = Object.entries(schema).filter(([keyword]) => !ANNOTATIONS.has(keyword))
    const other = entries.find(([keyword]) => !known.includes(keyword))
    if (other) decline(other[0], at)
    return Object.fromEntries(entries)
  }

  /** Resolves a reference to a definition of the root. */
  #refer(reference: unknown, at: string): Part {
    const [, name = ''] = /^#\/\$defs\/([a-z][\w.-]*)$/i.exec(String(reference)) ?? []
    const { $defs = {} } = this.#root as { $defs?: Schema }
    if (!Object.hasOwn($defs, name)) decline('$ref', at)
    return { schema: $defs[name], at: join('/$defs', name) }
  }

  /** Returns the schema itself, or the definition if it is only a reference to one. */
  #follow(part: Part): Part {
    const isReference = Object.hasOwn(Object(part.schema), '$ref')
    return isReference ? this.#refer(this.#only(part, ['$ref']).$ref, part.at) : part
  }

  #members({ properties, required = [] }: Schema, at: string) {
    const members = Object.entries((properties ?? {}) as object).map(([key, schema]) => {
      // An object does not keep keys like these in the order in which they were added.
      const isOdd = /^\d+$/.test(key) || key === '__proto__' || !key.isWellFormed()
      if (isOdd) decline('properties', at)
      const isRequired = (required as string[]).includes(key)
      return { key, isRequired, schema: schema as unknown, at: join(`${at}/properties`, key) }
    })
    const areKnown = (required as string[]).every((key) => members.some((each) => each.key === key))
    if (!areKnown) decline('required', at)
    return members
  }

  #value(part: Part): Language {
    const { at } = part
    const keywords = this.#only(part, OF_VALUES)
    // Each keyword's language contains only what the keyword allows, so what is in all is valid.
    const all = Object.entries(keywords).flatMap(([keyword, value]) =>
      blame(keyword, at, () => this.#keyword(keyword, value, keywords, at) ?? []),
    )
    if (all.length === 0) decline('type', at)
    return this.#languages.both(...all)
  }

  /** The values that a keyword allows; undefined if it applies to one type only. */
  #keyword(keyword: string, value: unknown, beside: Schema, at: string): Language | undefined {
    const of = this.#languages
    switch (keyword) {
      case '$ref':
        return this.#definition(this.#refer(value, at))
      case 'type':
        return of.either(...[value].flat().map((type) => this.#type(type, beside, at)))
      case 'anyOf': {
        const kinds = (value as unknown[]).map((schema, index) => ({
          schema,
          at: `${at}/anyOf/${index}`,
        }))
        return of.either(...kinds.map((kind) => this.#value(kind)))
      }
      case 'enum':
        return of.either(...(value as unknown[]).map(this.#literal))
      case 'const':
        return this.#literal(value)
      case 'pattern':
        return this.#texts.quoted(this.#texts.pattern(value as string))
      case 'format':
        if (value !== 'date-time') throw new Unsayable()
        return this.#texts.quoted(this.#texts.pattern(DATE_TIME))
      case 'minLength':
        return this.#texts.quoted(of.repeat(this.#texts.character, value as number))
      case 'maxLength':
        return this.#texts.quoted(of.repeat(this.#texts.character, 0, value as number))
      default:
        // Handled by the type. Without one, they would refuse no value of another type.
        if (beside.type === undefined) throw new Unsayable()
        return undefined
    }
  }

  #definition(definition: Part): Language {
    const { at } = definition
    if (!this.#definitions.has(at)) {
      this.#definitions.set(at, undefined)
      this.#definitions.set(at, this.#value(definition))
    }
    const language = this.#definitions.get(at)
    // It refers to itself.
    if (!language) throw new Unsayable()
    return language
  }

  #literal = (value: unknown): Language => {
    const isText = typeof value === 'string' && value.isWellFormed()
    if (!isText && value !== null && typeof value !== 'boolean') throw new Unsayable()
    return this.#languages.text(JSON.stringify(value))
  }

  #type(type: unknown, keywords: Schema, at: string): Language {
    const of = this.#languages
    switch (type) {
      case 'null':
        return of.text('null')
      case 'boolean':
        return of.either(of.text('true'), of.text('false'))
      case 'string':
        return this.#texts.quoted(of.many(this.#texts.character))
      case 'array':
        return this.#array(keywords, at)
      case 'object':
        return this.#object(keywords, at)
      default:
        throw new Unsayable()
    }
  }

  #array({ items, minItems = 0, maxItems }: Schema, at: string): Language {
    const of = this.#languages
    if (items === undefined) decline('items', at)
    const item = of.sequence(this.#value({ schema: items, at: `${at}/items` }), this.#space)
    const next = of.sequence(of.text(','), this.#space, item)
    const least = minItems as number
    const most = (maxItems ?? Number.POSITIVE_INFINITY) as number
    const longer = maxItems === undefined ? 'minItems' : 'maxItems'
    const others = blame(longer, at, () =>
      this.#languages.repeat(next, Math.max(0, least - 1), most - 1),
    )
    const full = of.sequence(item, others)
    const inside = least > 0 ? full : of.either(full, of.empty)
    return of.sequence(of.text('['), this.#space, inside, of.text(']'))
  }

  #object(keywords: Schema, at: string): Language {
    const of = this.#languages
    let first = of.empty
    let further = of.empty
    for (const member of this.#members(keywords, at).toReversed()) {
      const written = of.sequence(
        ...[of.text(JSON.stringify(member.key)), this.#space, of.text(':'), this.#space],
        ...[this.#value(member), this.#space],
      )
      const asFirst = of.sequence(written, further)
      const asNext = of.sequence(of.text(','), this.#space, written, further)
      first = member.isRequired ? asFirst : of.either(asFirst, first)
      further = member.isRequired ? asNext : of.either(asNext, further)
    }
    return of.sequence(of.text('{'), this.#space, first, of.text('}'))
  }
}

function decline(keyword: string, pointer: string): never {
  throw new NoGrammar(undefined, { cause: { keyword, pointer } })
}

/** Declines the keyword, with its place, if a part of it cannot be expressed or is too much. */
function blame<T>(keyword: string, pointer: string, say: () => T): T {
  try {
    return say()
  } catch (error) {
    if (error instanceof Unsayable || error instanceof RangeError) decline(keyword, pointer)
    throw error
  }
}

function join(pointer: string, step: string): string {
  return pointer + formatPointer([step])
}

/**
 * RFC 3339, section 5.6, without 29 February and leap seconds, and without the fractions that
 * ajv-formats would round up to the next second.
 */
const DATE_TIME =
  '^[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)' +
  '|02-(?:0[1-9]|1[0-9]|2[0-8]))T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,9})?' +
  '(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$'
