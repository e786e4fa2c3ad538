/**
 * The rules for a page that JSON Schema cannot express. A rule is one function and the keys that it
 * reads. It is applied to every record.
 */
import { ELEMENTS, refusedMarkup } from '../dataset/html.ts'
import { readInstant } from '../text/instant.ts'
import { show } from '../text/wording.ts'
import { checkMarkup } from './markup.ts'
import { change } from './schema/shapes.ts'
import type { Pointer, Violation } from './violation.ts'

/** The values that rules read. Another schema may leave out keys, or allow other types. */
interface Page {
  path: string
  title: string
  contentHtml: string
  form: { fields: readonly { name: string }[] } | null
  createdAt: string
  updatedAt: string
}

interface Rule {
  /** The rule is called only if these have the types above. */
  reads: readonly (keyof Page)[]
  /** The text of which it says what it must be, and so is called also if the schema refuses it. */
  says?: keyof Page
  /** Pointers are relative to the page. Keys that are not in `reads` may be missing. */
  check(page: Page): Violation[]
}

const RULES: readonly Rule[] = [
  // For every site:
  { reads: ['contentHtml'], check: bodyHasOnlyAllowedMarkup },
  { reads: ['form'], check: fieldNamesAreUnique },
  // For the sample; with other content, remove these two, and the end of this file:
  { reads: ['path', 'title'], says: 'title', check: titleFitsPath },
  { reads: ['createdAt', 'updatedAt'], check: updatedOnTheDayOfCreation },
]

/**
 * @param record a record of a batch; keys that no rule reads may be missing
 * @returns violations with pointers relative to the record
 */
export function checkRules(record: object): Violation[] {
  const page = record as Page
  const violations: Violation[] = []
  for (const rule of RULES) {
    if (!rule.reads.every((key) => hasKind(key, page[key]))) continue
    for (const violation of rule.check(page)) violations.push(violation)
  }
  return violations
}

/**
 * Checks a page that the schema has refused, by what the messages say that its values must be. If
 * a message does not say it, a rule that reads the value is skipped, and the message says that.
 *
 * @param faults the violations of the schema, with pointers relative to the page
 * @returns them and those of the rules
 */
export function checkRulesBeside(record: object, faults: readonly Violation[]): Violation[] {
  const page = record as Page
  const [path, title] = (['path', 'title'] as const).map((key) => {
    return faults.find(({ pointer }) => pointer[0] === key)
  })
  // A title that fits a faulty path only repeats its mistake.
  const isFitting = typeof page.path === 'string' && page.title === titleOf(page.path)
  const repeats = path !== undefined && title !== undefined && isFitting
  const kept = faults.filter((fault) => !repeats || fault !== title).map((fault) => ({ ...fault }))
  const add = (at: Violation | undefined, remark: string) => {
    const fault = kept.find(({ pointer }) => pointer === at?.pointer)
    if (fault && remark !== '') fault.message += ` (${remark})`
  }
  if (repeats) add(path, 'the title has the same mistake')
  const meant = kept.reduce<unknown>((page, { pointer, mended }) => {
    return mended === undefined ? page : change(page, pointer, () => mended)
  }, page) as Page
  const rules = RULES.flatMap((rule) => {
    if (repeats && rule.reads.includes('title')) return []
    const blocking = kept.find((fault) => blocks(fault, page, rule))
    if (!blocking)
      return rule.reads.every((key) => hasKind(key, meant[key])) ? rule.check(meant) : []
    const others = rule.reads.filter(
      (key) => key !== blocking.pointer[0] && page[key] !== undefined,
    )
    const what = others.join(' and ') || (blocking.pointer[3] === 'name' ? 'the other names' : '')
    // A fault of the page as a whole has no value that could be compared.
    const isValue = what !== '' && blocking.pointer.length > 0
    add(
      blocking,
      isValue ? `${what} ${others.length === 1 ? 'was' : 'were'} not compared with it` : '',
    )
    return []
  })
  const isSaid = ({ pointer: [key, inner] }: Violation) =>
    inner === undefined && rules.some(({ pointer }) => pointer[0] === key)
  return [...kept.filter((fault) => fault.mended !== undefined || !isSaid(fault)), ...rules]
}

/** Whether a fault leaves a rule without a value to compare. */
function blocks({ pointer, mended }: Violation, page: Page, { reads, says }: Rule): boolean {
  const [key, , , inner] = pointer
  if (mended !== undefined || (key === says && typeof page[says as keyof Page] === 'string'))
    return false
  if (key === undefined) return reads.some((each) => page[each] === undefined)
  if (!reads.some((each) => each === key)) return false
  // Of a form, rules read the names; of other values, perhaps everything.
  const isRead = pointer.length === 1 || key !== 'form' || inner === 'name'
  return isRead || !hasKind(key as keyof Page, page[key as keyof Page])
}

/** Another schema may allow types that no page of this project has. The rules skip such values. */
function hasKind(key: keyof Page, value: unknown): boolean {
  if (key !== 'form') return typeof value === 'string'
  if (value === null) return true
  const { fields } = Object(value) as Record<string, unknown>
  return Array.isArray(fields) && fields.every((field) => typeof field?.name === 'string')
}

const REFUSED = refusedMarkup(ELEMENTS)

/** The site shows bodies as raw HTML. This rule belongs to every site: see `html.ts`. */
function bodyHasOnlyAllowedMarkup({ contentHtml }: Page): Violation[] {
  return checkMarkup(contentHtml, REFUSED).map(({ message, within }) => {
    return { ...violation(['contentHtml'], message), ...(within && { within }) }
  })
}

/** Specification, section 3: the title of path '/{category}/{nnn}' is 'Section Page NNN'. Messages suggest it. */
function titleOf(path: string): string {
  const [, category = '', id] = path.split('/')
  return `${category.charAt(0).toUpperCase()}${category.slice(1)} Page ${id}`
}

function fieldNamesAreUnique({ form }: Page): Violation[] {
  if (!form || new Set(form.fields.map(({ name }) => name)).size === form.fields.length) return []
  const first = new Map<string, number>()
  return form.fields.flatMap(({ name }, index) => {
    const earlier = first.get(name)
    if (earlier === undefined) {
      first.set(name, index)
      return []
    }
    const message = `must differ from the name of field ${earlier}, but is ${show(name)} too`
    return [violation(['form', 'fields', index, 'name'], message)]
  })
}

function violation(pointer: Pointer, message: string): Violation {
  return { pointer, at: 'value', message }
}

// The rules of the sample -----------------------------------------------------------------------

function titleFitsPath({ path, title }: Page): Violation[] {
  if (path.split('/').length !== 3) return []
  const fitting = titleOf(path)
  if (title === fitting) return []
  return [violation(['title'], `must be ${show(fitting)} to fit the path, but is ${show(title)}`)]
}

/** Specification, section 3: updatedAt is on the same day as createdAt. Days are UTC days. */
function updatedOnTheDayOfCreation({ createdAt, updatedAt }: Page): Violation[] {
  // Without the Z, the strings sort by time, and their first ten characters are the day.
  const [from, to] = [createdAt.slice(0, -1), updatedAt.slice(0, -1)]
  const isSameDay = UTC.test(createdAt) && UTC.test(updatedAt) && to.startsWith(from.slice(0, 10))
  if (isSameDay && from <= to) return []
  const created = toInstant(createdAt)
  const updated = toInstant(updatedAt)
  if (!created || !updated) return []
  const isEarlier =
    updated.second < created.second ||
    (updated.second === created.second && updated.fraction < created.fraction)
  if (!isEarlier && updated.day === created.day) return []
  const must = isEarlier
    ? `must not be before createdAt (${created.utc})`
    : `must be on the UTC day of createdAt (${created.day})`
  // Times in two zones are hard to compare.
  const zone = createdAt.endsWith('Z') && updatedAt.endsWith('Z') ? '' : ' (both in UTC)'
  return [violation(['updatedAt'], `${must}, but is ${updated.utc}${zone}`)]
}

/** Faster than Date for most records. */
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/

/** Converts an instant to comparable values; undefined for other texts. */
function toInstant(dateTime: string) {
  const milliseconds = readInstant(dateTime)
  if (milliseconds === undefined) return undefined
  const [day = '', clock = ''] = new Date(milliseconds).toISOString().split('T')
  // Date stops at milliseconds.
  const [fraction = ''] = /\.\d+/.exec(dateTime) ?? []
  return {
    second: Math.floor(milliseconds / 1000),
    fraction: Number(`0${fraction}`),
    day,
    utc: `${day}T${clock.slice(0, 8)}${fraction}Z`,
  }
}
