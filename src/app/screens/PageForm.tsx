/** The form of a page: on its screen, and in the answer that refuses what was sent. */
import type { ComponentProps, ReactNode } from 'react'
import {
  type FieldDefinition,
  type FormDefinition,
  HONEYPOT,
  TICKED,
} from '../../page/form-fields.ts'
import { site } from '../../site.ts'
import { watchForm } from './draft.ts'

interface PageFormProps {
  form: FormDefinition
  path: string
  /** Of the site. */
  base: string
  /** What a visitor sent, to be corrected, by the names of the fields. Only the receiver knows it. */
  sent?: Record<'values' | 'errors', ReadonlyMap<string, string>> | undefined
}

/** The form of a page, in native HTML: the browser validates and posts it. Scripts keep drafts. */
export function PageForm({ form, path, base, sent }: PageFormProps) {
  const hasRequired = form.fields.some(({ required }) => required)

  return (
    <form
      className="form"
      method="post"
      action={`${base}/api/forms${path}`}
      aria-labelledby="form-title"
      ref={watchForm}
    >
      <div>
        <h2 id="form-title">{site.words.formTitle}</h2>
        {hasRequired && <p className="note">{site.words.required}</p>}
      </div>

      {form.fields.map((field) => (
        <Field key={field.name} field={field} sent={sent} />
      ))}

      <div hidden>
        <input type="text" name={HONEYPOT} aria-label={site.words.leaveEmpty} disabled />
      </div>

      <button type="submit">{site.words.submit}</button>
    </form>
  )
}

/** Field names that are also HTML autofill tokens. */
const AUTOFILL = ['name', 'email', 'tel']

/** Returns the ID of the control of a field. */
export function controlId(name: string): string {
  return `field-${name}`
}

/** What every control has. React knows more attributes than each of them. */
type Control = ComponentProps<'input'> & ComponentProps<'textarea'> & ComponentProps<'select'>

type Render = (control: Control, field: FieldDefinition) => ReactNode

const input: Render = (control, { type }) => <input type={type} {...control} />

/** The control of each type of field, after its label. A checkbox stands before it: see `style.css`. */
const CONTROLS: Record<FieldDefinition['type'], Render> = {
  text: input,
  email: input,
  tel: input,
  textarea: (control) => <textarea rows={5} {...control} />,
  select: ({ placeholder, dir, ...control }, { options = [] }) => (
    <select {...control}>
      <option value="">{placeholder?.trim() || site.words.noChoice}</option>
      {options.map((option) => (
        <option key={option}>{option}</option>
      ))}
    </select>
  ),
  checkbox: ({ placeholder, defaultValue, dir, ...control }) => (
    <input type="checkbox" value={TICKED} {...control} defaultChecked={defaultValue === TICKED} />
  ),
}

function Field({ field, sent }: Pick<PageFormProps, 'sent'> & { field: FieldDefinition }) {
  const { name, label, type, placeholder, required } = field
  const id = controlId(name)

  const error = sent?.errors.get(name)
  const errorId = error && `${id}-error`

  const control: Control = {
    id,
    name,
    placeholder: placeholder || ' ',
    required,
    autoComplete: AUTOFILL.includes(name) ? name : undefined,
    dir: 'auto',
    defaultValue: sent && (sent.values.get(name) ?? ''),
    'aria-invalid': error ? true : undefined,
    'aria-describedby': errorId,
  }

  return (
    <div className={`field ${type}`}>
      <label htmlFor={id}>
        {label}
        {required && <span className="asterisk"> *</span>}
      </label>

      {error && (
        <p className="error" id={errorId}>
          {error}
        </p>
      )}

      {CONTROLS[type](control, field)}
    </div>
  )
}
