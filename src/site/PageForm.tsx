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
      <Honeypot />
      <button type="submit">Submit</button>
    </form>
  )
}

/**
 * A control that no browser sends, for it is disabled, and no person meets: programs that fill in
 * whatever is called as they expect give themselves away with it. A field of a batch cannot have this
 * name, for the schema admits no underscore.
 */
function Honeypot() {
  return (
    <div hidden>
      <input type="text" name="homepage_url" aria-label="Leave this empty" disabled />
    </div>
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
