import { useMemo } from 'react'
import type { Filter } from '../content/filter.ts'
import { categoriesOf, type Entry } from '../content/lookup.ts'

interface FilterFormProps {
  entries: readonly Entry[]
  filter: Filter
  label: string
  /** Called when the visitor is about to search. */
  onSearch(): void
  /** The number of matching pages, or undefined while the filter is empty. */
  found: number | undefined
  onChange(filter: Filter): void
}

/** The filter above the cards. Each change applies at once, so there is nothing to submit. */
export function FilterForm(props: FilterFormProps) {
  const { entries, filter, label, onSearch, found, onChange } = props
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
            <span>Category</span>
            <select
              name="category"
              value={filter.category}
              onChange={({ target }) => onChange({ ...filter, category: target.value })}
            >
              <option value="">All</option>
              {categories.map((category) => (
                <option key={category}>{category}</option>
              ))}
            </select>
          </label>
        )}
        {entries[0]?.hasForm !== undefined && (
          <label>
            <span>Form</span>
            <select
              name="form"
              value={filter.form}
              onChange={({ target }) =>
                onChange({ ...filter, form: target.value as Filter['form'] })
              }
            >
              <option value="">All</option>
              <option value="with">With form</option>
              <option value="without">Without form</option>
            </select>
          </label>
        )}
        <p role="status">{found === undefined ? '' : `Found ${found} of ${entries.length}`}</p>
      </form>
    </search>
  )
}
