/**
 * Asks ajv again, about a whole batch or about one value and one part of the schema. This time, its
 * errors have the value, and the schema that refuses it.
 */
import type { Ajv, AnySchemaObject, ValidateFunction } from 'ajv'
import { createAjv } from '../../accept/compile.ts'
import type { Helpers } from '../../accept/keywords.ts'
import { createKnown, haveSchemaOf, type Known } from '../../schema/known.ts'
import { schemasIn } from '../../schema/schemas-in.ts'
import { isObject } from '../../text/as-object.ts'
import type { Errors, SchemaError } from './errors.ts'

/** The name under which ajv knows the schema; any name would do. */
const SCHEMA_ID = 'batch'

export class Recheck {
  /** What the schema declares, by places of a batch. */
  readonly known: Known
  /** Whether parts of the schema check a key, or an item, of their value. */
  readonly haveSchemaOf: (step: string, nodes: readonly unknown[]) => boolean
  readonly #ajv: Ajv
  readonly #helpers: Helpers
  readonly #places = new Map<unknown, string>()
  readonly #validators = new Map<string, ValidateFunction>()
  /** Earlier answers, by values. */
  readonly #answers = new WeakMap<object, Map<string, Errors>>()

  /** @param schema as `upgradeSchema` returns it, which `accept` has compiled before */
  constructor(schema: AnySchemaObject) {
    const { ajv, helpers } = createAjv(schema, true)
    ajv.addSchema(schema, SCHEMA_ID)
    this.#ajv = ajv
    this.#helpers = helpers
    this.haveSchemaOf = (step, nodes) => haveSchemaOf(step, nodes, schema)
    this.known = createKnown(schema)
    for (const [place, node] of schemasIn(schema)) this.#places.set(node, place)
  }

  /** Returns the errors of a whole batch; none if it is valid. */
  errorsOf(batch: unknown): Errors {
    return this.#run('', batch)
  }

  /**
   * Returns the errors of a part of the schema for a value; none if it accepts the value.
   *
   * @param node a schema within the schema, as the errors of ajv have it
   * @param steps from there to the part, such as `/anyOf/0`
   */
  errorsWithin(node: unknown, steps: string, value: unknown): Errors {
    const place = this.#places.get(node)
    return place === undefined ? [] : this.#run(place + steps, value)
  }

  /**
   * Returns an earlier answer about the value of an error and a part of its schema, or finds it. In a
   * union that refers to itself, each branch asks the same about inner values.
   */
  answerOnce(
    { data, instancePath, parentSchema }: SchemaError,
    steps: string,
    answer: () => Errors,
  ): Errors {
    if (!isObject(data)) return answer()

    const answers = this.#answers.get(data) ?? new Map<string, Errors>()
    this.#answers.set(data, answers)

    // The same object may stand at several places: in YAML, by an alias.
    const question = `${this.#places.get(parentSchema)}${steps} ${instancePath}`
    const remembered = answers.get(question)
    if (remembered) return remembered

    const errors = answer()
    answers.set(question, errors)
    return errors
  }

  #run(place: string, value: unknown): Errors {
    const validate = this.#validatorAt(place)
    if (!validate) return []

    const isValid = validate(value)
    // `accept` has used these marks before.
    this.#helpers.marks.length = 0
    return isValid ? [] : (validate.errors ?? [])
  }

  #validatorAt(place: string): ValidateFunction | undefined {
    const known = this.#validators.get(place)
    if (known) return known

    const validate = this.#ajv.getSchema(`${SCHEMA_ID}#${encodeURI(place)}`)
    if (validate) this.#validators.set(place, validate)
    return validate
  }
}

const recheckBySchema = new WeakMap<object, Recheck>()

/** Returns the recheck of a schema: the same one for all batches. */
export function recheckOf(schema: object): Recheck {
  const earlier = recheckBySchema.get(schema)
  if (earlier) return earlier

  const recheck = new Recheck(schema)
  recheckBySchema.set(schema, recheck)
  return recheck
}
