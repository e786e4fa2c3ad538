/** What keeps a form from being shown and received: for build-data, and for the build of the site. Pure. */
import { show } from '../text/wording.ts'
import { FIELD_TYPES, HONEYPOT } from './fields.ts'

interface FormFault {
  /** The steps from the form to the faulty value. */
  pointer: readonly (string | number)[]
  /** What it must be, and what it is. */
  message: string
}

const isText = (value: unknown) => typeof value === 'string'
const TYPES = Object.keys(FIELD_TYPES)

/** What the values of a field must be, by their keys. */
const KEYS: Record<string, { is(value: unknown, type: unknown): boolean; must: string }> = {
  name: {
    is: (value) => isText(value) && value !== '' && value !== HONEYPOT,
    must: `must be a text, but not "" or "${HONEYPOT}"`,
  },
  label: { is: isText, must: 'must be a text' },
  type: {
    is: (value) => TYPES.includes(value as string),
    must: `must be one of ${TYPES.map(show).join(', ')}`,
  },
  placeholder: { is: (value) => value === undefined || isText(value), must: 'must be a text' },
  required: { is: (value) => typeof value === 'boolean', must: 'must be true or false' },
  options: {
    is: (value, type) => (value === undefined ? type !== 'select' : isChoice(value)),
    must: 'must be a list of different texts, none of them ""',
  },
}

function isChoice(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0) return false
  return value.every(isText) && new Set(['', ...value]).size === value.length + 1
}

/** Returns the faults of a form, in order. None is a form, too. */
export function formFaults(form: unknown): FormFault[] {
  if (form === undefined || form === null) return []
  const { fields } = Object(form)
  if (!Array.isArray(fields))
    return [{ pointer: [], message: 'must be null or have a list "fields"' }]
  const first = new Map<unknown, number>()
  return fields.flatMap((field: unknown, index): FormFault[] => {
    const values = Object(field) as Record<string, unknown>
    const at = ['fields', index]
    const faults = Object.entries(KEYS).flatMap(([key, { is, must }]): FormFault[] => {
      const value = values[key]
      if (is(value, values.type)) return []
      if (value === undefined) return [{ pointer: at, message: `has no "${key}", which ${must}` }]
      return [{ pointer: [...at, key], message: `${must}, but is ${show(value)}` }]
    })
    const { name } = values
    const earlier = first.get(name)
    if (earlier === undefined) first.set(name, index)
    else if (isText(name)) {
      const message = `must differ from the name of field ${earlier}, but is ${show(name)} too`
      faults.push({ pointer: [...at, 'name'], message })
    }
    return faults
  })
}
