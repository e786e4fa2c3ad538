import type { FieldDefinition, FormDefinition } from '../generated/dataset.json'

/**
 * The form of a page: native in every respect. The browser checks it and posts it, form-encoded, to
 * `/api/forms` followed by the page's path; no script stands in its way.
 */
export function PageForm({ form, path }: { form: FormDefinition; path: string }) {
  return (
    <form className="form" method="post" action={`/api/forms${path}`} aria-labelledby="title">
      {form.fields.map((field) => (
        <Field key={field.name} field={field} />
      ))}
      <button type="submit">Submit</button>
    </form>
  )
}

/** The field names that are also autofill tokens of HTML. */
const AUTOFILL = ['name', 'email']

function Field({ field }: { field: FieldDefinition }) {
  const { name, label, type, placeholder, required } = field
  const id = `field-${name}`
  const control = {
    id,
    name,
    placeholder,
    required,
    autoComplete: AUTOFILL.includes(name) ? name : undefined,
  }
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {required && <span className="asterisk"> *</span>}
      </label>
      {type === 'textarea' ? (
        <textarea rows={5} {...control} />
      ) : (
        <input type={type} {...control} />
      )}
    </div>
  )
}
