/** Finds why a form can't be shown and received: for build-data, and for the build of the site. Pure. */

import type { FieldKey } from '../fault/facts.ts'
import { type Fault, fault } from '../fault/fault.ts'
import { asObject } from '../text/as-object.ts'
import { FIELD_TYPES, HONEYPOT } from './form-fields.ts'

/** What the value of a key of a field must be. */
interface Rule {
  key: FieldKey
  isRight: (value: unknown) => boolean
  isRequired: boolean
}

const TYPES = Object.keys(FIELD_TYPES)

const RULES: readonly Rule[] = [
  { key: 'name', isRight: isNameOfField, isRequired: true },
  { key: 'label', isRight: isText, isRequired: true },
  { key: 'type', isRight: (value) => isText(value) && TYPES.includes(value), isRequired: true },
  { key: 'placeholder', isRight: isText, isRequired: false },
  { key: 'required', isRight: (value) => typeof value === 'boolean', isRequired: true },
  { key: 'options', isRight: isListOfChoices, isRequired: false },
]

function isNameOfField(value: unknown): boolean {
  return isText(value) && value !== '' && value !== HONEYPOT
}

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
  if (!Array.isArray(fields)) return [fault('form.no-fields', [])]

  const names = fields.map((field) => asObject(field).name)
  return fields.flatMap((field: unknown, index) => {
    return [...fieldFaults(asObject(field), index), ...repeatedName(names, index)]
  })
}

/** Checks one field by itself. */
function fieldFaults(field: Record<string, unknown>, index: number): Fault[] {
  const pointer = ['fields', index]
  const faults: Fault[] = []

  for (const { key, isRight, isRequired } of RULES) {
    const value = field[key]
    if (value === undefined && isRequired) {
      faults.push({ ...fault('form.missing-key', pointer, { key }), about: key })
    }
    if (value !== undefined && !isRight(value))
      faults.push(fault('form.value', [...pointer, key], { key, value }))
  }

  if (field.type === 'select' && field.options === undefined)
    faults.push(fault('form.no-options', [...pointer, 'type']))
  return faults
}

/** Checks that no field before this one has its name. */
function repeatedName(names: readonly unknown[], index: number): Fault[] {
  const name = names[index]
  const earlier = names.indexOf(name)
  if (earlier === index || !isText(name)) return []

  return [fault('form.repeated-name', ['fields', index, 'name'], { name, earlier })]
}
