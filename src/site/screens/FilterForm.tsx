/** The search field and the filters of the index. */
import { useMemo } from 'react'
import type { Filter } from '../content/filter.ts'
import { categoriesOf, type Entry } from '../content/lookup.ts'
import { site } from '../site.ts'

interface FilterFormProps {
  entries: readonly Entry[]
  filter: Filter
  label: string
  /** Called when the visitor is about to search. */
  onSearch(): void
  /** What was found. */
  status: string
  onChange(filter: Filter): void
}

const FORMS = new Map([
  ['with', site.words.withForm],
  ['without', site.words.withoutForm],
])

/** The filter above the cards. Each change applies at once, so there is nothing to submit. */
export function FilterForm(props: FilterFormProps) {
  const { entries, filter, label, onSearch, status, onChange } = props
  const { words } = site
  const categories = useMemo(() => categoriesOf(entries), [entries])
  const choice = (
    name: 'category' | 'form',
    label: string,
    choices: ReadonlyMap<string, string>,
  ) => (
    <label>
      <span>{label}</span>
      <select
        name={name}
        value={filter[name]}
        onChange={({ target }) => onChange({ ...filter, [name]: target.value })}
      >
        {[['', words.all], ...choices].map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
  return (
    <search>
      {/* On Back, a browser would fill in the controls before React knows of them. */}
      <form className="filter" autoComplete="off" onSubmit={(event) => event.preventDefault()}>
        <label>
          <span>{label}</span>
          <input
            type="search"
            name="q"
            placeholder="🔍"
            dir="auto"
            onFocus={onSearch}
            value={filter.text}
            onChange={({ target }) => onChange({ ...filter, text: target.value })}
          />
        </label>
        {categories.length > 0 &&
          choice('category', words.category, new Map(categories.map((each) => [each, each])))}
        {entries[0]?.hasForm !== undefined && choice('form', words.form, FORMS)}
        <p role="status">{status}</p>
      </form>
    </search>
  )
}
