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

/** The filter above the cards. Each change applies at once, so there is nothing to submit. */
export function FilterForm(props: FilterFormProps) {
  const { entries, filter, label, onSearch, status, onChange } = props
  const { words } = site
  const categories = useMemo(() => categoriesOf(entries), [entries])
  return (
    <search>
      {/* On Back, a browser would fill in the controls before React knows of them. */}
      <form className="filter" autoComplete="off" onSubmit={(event) => event.preventDefault()}>
        <label>
          <span>{label}</span>
          <input
            type="search"
            name="q"
            dir="auto"
            onFocus={onSearch}
            value={filter.text}
            onChange={({ target }) => onChange({ ...filter, text: target.value })}
          />
        </label>
        {categories.length > 0 && (
          <label>
            <span>{words.category}</span>
            <select
              name="category"
              value={filter.category}
              onChange={({ target }) => onChange({ ...filter, category: target.value })}
            >
              <option value="">{words.all}</option>
              {categories.map((category) => (
                <option key={category}>{category}</option>
              ))}
            </select>
          </label>
        )}
        {entries[0]?.hasForm !== undefined && (
          <label>
            <span>{words.form}</span>
            <select
              name="form"
              value={filter.form}
              onChange={({ target }) =>
                onChange({ ...filter, form: target.value as Filter['form'] })
              }
            >
              <option value="">{words.all}</option>
              <option value="with">{words.withForm}</option>
              <option value="without">{words.withoutForm}</option>
            </select>
          </label>
        )}
        <p role="status">{status}</p>
      </form>
    </search>
  )
}
