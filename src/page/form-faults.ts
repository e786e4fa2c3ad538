/** Says why a form can't be shown and received: for build-data, and for the build of the site. Pure. */
import { asObject } from '../text/as-object.ts'
import { show } from '../text/wording.ts'
import type { Fault } from './content.ts'
import { FIELD_TYPES, HONEYPOT } from './form-fields.ts'

type FieldKey = 'name' | 'label' | 'type' | 'placeholder' | 'required' | 'options'

/** What the value of a key of a field must be. */
interface Rule {
  key: FieldKey
  /** In words, as in `"label" must be text`. */
  mustBe: string
  isRight: (value: unknown) => boolean
  isRequired: boolean
}

const TYPES = Object.keys(FIELD_TYPES)

const RULES: readonly Rule[] = [
  {
    key: 'name',
    mustBe: `text, and not "" or "${HONEYPOT}"`,
    isRight: (value) => isText(value) && value !== '' && value !== HONEYPOT,
    isRequired: true,
  },
  { key: 'label', mustBe: 'text', isRight: isText, isRequired: true },
  {
    key: 'type',
    mustBe: `one of ${TYPES.map(show).join(', ')}`,
    isRight: (value) => isText(value) && TYPES.includes(value),
    isRequired: true,
  },
  { key: 'placeholder', mustBe: 'text', isRight: isText, isRequired: false },
  {
    key: 'required',
    mustBe: 'true or false',
    isRight: (value) => typeof value === 'boolean',
    isRequired: true,
  },
  {
    key: 'options',
    mustBe: 'a list of different texts, none of them empty',
    isRight: isListOfChoices,
    isRequired: false,
  },
]

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isListOfChoices(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0) return false

  const hasEmpty = value.some((choice) => !isText(choice) || choice === '')
  const hasRepeated = new Set(value).size < value.length
  return !hasEmpty && !hasRepeated
}

/** Returns the faults of a form, in order, by pointers from it. A page may have no form: that isn't a fault. */
export function formFaults(form: unknown): Fault[] {
  if (form === undefined || form === null) return []

  const { fields } = asObject(form)
  if (!Array.isArray(fields))
    return [{ pointer: [], message: 'A form must be null, or an object with a list "fields".' }]

  const names = fields.map((field) => asObject(field).name)
  return fields.flatMap((field: unknown, index) => {
    return [...fieldFaults(asObject(field), index), ...repeatedName(names, index)]
  })
}

/** Checks one field by itself. */
function fieldFaults(field: Record<string, unknown>, index: number): Fault[] {
  const pointer = ['fields', index]
  const faults: Fault[] = []

  for (const { key, mustBe, isRight, isRequired } of RULES) {
    const value = field[key]
    if (value === undefined) {
      const message = `This field has no "${key}", which must be ${mustBe}.`
      if (isRequired) faults.push({ pointer, message })
    } else if (!isRight(value)) {
      const message = `"${key}" must be ${mustBe}, but it is ${show(value)}.`
      faults.push({ pointer: [...pointer, key], message })
    }
  }

  if (field.type === 'select' && field.options === undefined) {
    const message = 'A "select" needs "options": a list of different texts, none of them empty.'
    faults.push({ pointer: [...pointer, 'type'], message })
  }
  return faults
}

/** Checks that no field before this one has its name. */
function repeatedName(names: readonly unknown[], index: number): Fault[] {
  const name = names[index]
  const earlier = names.indexOf(name)
  if (earlier === index || !isText(name)) return []

  const message = `${show(name)} is already the name of field ${earlier}.`
  return [{ pointer: ['fields', index, 'name'], message }]
}
