/** Says why a form cannot be shown and received: for build-data, and for the build of the site. Pure. */
import { asObject } from '../text/as-object.ts'
import { show } from '../text/wording.ts'
import type { Fault } from './content.ts'
import { FIELD_TYPES, HONEYPOT } from './form-fields.ts'

const isText = (value: unknown) => typeof value === 'string'
const TYPES = Object.keys(FIELD_TYPES)

/** What the values of a field must be, by their keys. */
const KEYS: Record<string, [must: string, is: (value: unknown, type: unknown) => boolean]> = {
  name: [
    `must be a text, but not "" or "${HONEYPOT}"`,
    (value) => isText(value) && value !== '' && value !== HONEYPOT,
  ],
  label: ['must be a text', isText],
  type: [`must be one of ${TYPES.map(show).join(', ')}`, (type) => TYPES.includes(type as string)],
  placeholder: ['must be a text', (value) => value === undefined || isText(value)],
  required: ['must be true or false', (value) => typeof value === 'boolean'],
  options: [
    'must be a list of different texts, none of them ""',
    (value, type) => (value === undefined ? type !== 'select' : isChoice(value)),
  ],
}

function isChoice(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0) return false
  return value.every(isText) && new Set(['', ...value]).size === value.length + 1
}

/** Returns the faults of a form, in order, by pointers from it. A page may have no form: that is no fault. */
export function formFaults(form: unknown): Fault[] {
  if (form === undefined || form === null) return []
  const { fields } = asObject(form)
  if (!Array.isArray(fields))
    return [{ pointer: [], message: 'must be null or have a list "fields"' }]
  const names = fields.map((field) => asObject(field).name)
  return fields.flatMap((field: unknown, index) => {
    const values = asObject(field)
    const at = ['fields', index]
    const faults = Object.entries(KEYS).flatMap(([key, [must, is]]): Fault[] => {
      const value = values[key]
      if (is(value, values.type)) return []
      // Only a type demands options.
      const pointer = key === 'options' ? [...at, 'type'] : at
      if (value === undefined) return [{ pointer, message: `has no "${key}", which ${must}` }]
      return [{ pointer: [...at, key], message: `${must}, but is ${show(value)}` }]
    })
    const [name, earlier] = [names[index], names.indexOf(names[index])]
    if (earlier === index || !isText(name)) return faults
    const message = `must differ from the name of field ${earlier}, but is ${show(name)} too`
    return [...faults, { pointer: [...at, 'name'], message }]
  })
}
