/**
 * The fields of a form, and the list of their types. A new type also needs a control in `PageForm.tsx`,
 * and a place in the schema. Pure; a part of it is in the site's script.
 */

export interface FormDefinition {
  fields: FieldDefinition[]
}

export interface FieldDefinition {
  name: string
  label: string
  type: FieldType
  /** Shown while the field is empty; in a `select`, as the choice of nothing. */
  placeholder?: string
  required: boolean
  /** The choices of a `select`. */
  options?: string[]
}

export type FieldType = keyof typeof FIELD_TYPES

interface FieldKind {
  /** Returns the value to check, as HTML's sanitization leaves it. */
  sanitize(sent: string): string
  /** Whether a browser sends this value, if it is not empty. */
  accepts(value: string, field: FieldDefinition): boolean
  /** In `words.ts`: what to do about a field that is required and empty, and about a wrong value. */
  says: Record<'empty' | 'wrong', 'fillIn' | 'fillInEmail' | 'choose' | 'tick'>
}

/** HTML, 4.10.5.1.5: the regular expression of a valid e-mail address, to the letter. */
export const EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/

const LINE_BREAKS = /[\r\n]/g

/** The spaces around a mail address (HTML, 4.10.5.1.5). */
const SPACES_AROUND = /^[\t\f ]+|[\t\f ]+$/g

/** What a checkbox sends if it is ticked. If not, it sends nothing. */
export const TICKED = 'yes'

const asItIs = (sent: string) => sent
const inOneLine = (sent: string) => sent.replace(LINE_BREAKS, '')
const FILL_IN = { empty: 'fillIn', wrong: 'fillIn' } as const

/** HTML, 4.10.5.1 (input), 4.10.7 (select) and 4.10.11 (textarea). */
export const FIELD_TYPES = {
  text: { sanitize: inOneLine, accepts: () => true, says: FILL_IN },
  email: {
    sanitize: (sent) => inOneLine(sent).replace(SPACES_AROUND, ''),
    accepts: (value) => EMAIL.test(value),
    says: { empty: 'fillIn', wrong: 'fillInEmail' },
  },
  // Browsers do not check it: telephone numbers have too many forms.
  tel: { sanitize: inOneLine, accepts: () => true, says: FILL_IN },
  textarea: { sanitize: asItIs, accepts: () => true, says: FILL_IN },
  select: {
    sanitize: asItIs,
    accepts: (value, { options = [] }) => options.includes(value),
    says: { empty: 'choose', wrong: 'choose' },
  },
  checkbox: {
    sanitize: asItIs,
    accepts: (value) => value === TICKED,
    says: { empty: 'tick', wrong: 'tick' },
  },
} satisfies Record<string, FieldKind>

/**
 * The name of a control that no visitor sees and no browser sends, because it is disabled. Bots that
 * fill in every field with a familiar name give themselves away with it. No field may have it.
 */
export const HONEYPOT = 'homepage_url'
