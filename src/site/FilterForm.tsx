import { type ReactNode, useMemo } from 'react'
import type { Filter } from './filter.ts'
import { categoryOf, type Entry } from './lookup.ts'

interface FilterFormProps {
  entries: readonly Entry[]
  filter: Filter
  /** How many pages it lets through, or undefined while it lets everything through. */
  found: number | undefined
  onChange(filter: Filter): void
}

/** The filter above the cards. It answers while one types, so there is nothing to submit. */
export function FilterForm({ entries, filter, found, onChange }: FilterFormProps) {
  const categories = useMemo(
    () => [...new Set(entries.map(({ path }) => categoryOf(path)))],
    [entries],
  )
  return (
    <search>
      <form className="filter" onSubmit={(event) => event.preventDefault()}>
        <Labelled label="Search">
          <input
            type="search"
            name="q"
            autoComplete="off"
            value={filter.text}
            onChange={({ target }) => onChange({ ...filter, text: target.value })}
          />
        </Labelled>
        <Labelled label="Category">
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
        </Labelled>
        <Labelled label="Form">
          <select
            name="form"
            value={filter.form}
            onChange={({ target }) => onChange({ ...filter, form: target.value as Filter['form'] })}
          >
            <option value="">All</option>
            <option value="with">With form</option>
            <option value="without">Without form</option>
          </select>
        </Labelled>
        <p role="status">{found === undefined ? '' : `Found ${found} of ${entries.length}`}</p>
      </form>
    </search>
  )
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label>
      <span>{label}</span>
      {children}
    </label>
  )
}
