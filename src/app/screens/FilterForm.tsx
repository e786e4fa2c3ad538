/** The filter of the index: a search, and a choice of the category and of pages with a form. */
import type { ChangeEvent, ComponentProps } from 'react'
import { site } from '../../site.ts'
import type { Filter } from '../filter.ts'
import { nameOfCategory } from '../lookup.ts'
import { Status } from './Status.tsx'

/** How long nothing is typed before the status is spoken, in milliseconds. */
const SPOKEN = 500

interface FilterFormProps {
  filter: Filter
  categories: readonly string[]
  /** Whether any page may have a form. */
  hasForms: boolean
  status: string
  onChange: (filter: Filter) => void
  onFocus: () => void
}

export function FilterForm(props: FilterFormProps) {
  const { filter, categories, hasForms, status, onChange, onFocus } = props
  const { words } = site

  const control = (name: keyof Filter) => ({
    name,
    value: filter[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => {
      onChange({ ...filter, [name]: target.value })
    },
  })

  return (
    // On Back, a browser would fill in the controls before React knows of them. Enter loads no document,
    // even before React has loaded: a form of this method does nothing outside a dialog.
    <form className="filter" method="dialog" autoComplete="off">
      <div className="search">
        <label>
          <span>{words.search}</span>
          <input {...control('q')} type="search" dir="auto" placeholder=" " onFocus={onFocus} />
        </label>
        <Status text={status} delay={SPOKEN} />
      </div>

      {categories.length > 0 && (
        <Choice label={words.category} {...control('category')}>
          {categories.map((category) => (
            <option key={category} value={category}>
              {nameOfCategory(category)}
            </option>
          ))}
        </Choice>
      )}

      {hasForms && (
        <Choice label={words.form} {...control('form')}>
          <option value="with">{words.withForm}</option>
          <option value="without">{words.withoutForm}</option>
        </Choice>
      )}
    </form>
  )
}

function Choice({ label, children, ...control }: ComponentProps<'select'> & { label: string }) {
  return (
    <label>
      <span>{label}</span>
      <select {...control}>
        <option value="">{site.words.all}</option>
        {children}
      </select>
    </label>
  )
}
