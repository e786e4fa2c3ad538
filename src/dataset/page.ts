/** What the readers and the site both ask of a page. */
import type { Page } from '../generated/dataset.json'

/** Another schema may leave out the form. */
export function hasForm({ form }: Page): boolean {
  return Boolean(form)
}
