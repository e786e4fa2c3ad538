/**
 * Keeps what a visitor types into a form, in the storage of the tab, until the form is sent. The
 * answer to a form runs no script, so sending only marks the draft: the next document drops it.
 */

/** The key of the mark, whose value is the key of a draft. */
const SENT = 'sent'

/** Not `form.action`, which is the control of a field with this name. */
const keyOf = (form: HTMLFormElement) => `draft ${form.getAttribute('action')}`

/** Keeps nothing where the storage is blocked or full. */
function use<T>(work: (tab: Storage) => T): T | undefined {
  try {
    return work(sessionStorage)
  } catch {}
}

/** Keeps what the browser would send now, and so nothing that is disabled. */
export function keepDraft(form: HTMLFormElement): void {
  use((tab) => tab.setItem(keyOf(form), JSON.stringify([...new FormData(form)])))
  use((tab) => tab.removeItem(SENT))
}

/** Fills in the fields that are empty. */
export function restoreDraft(form: HTMLFormElement | null): void {
  const values = form && use((tab) => tab.getItem(keyOf(form)))
  const kept = new Map<string, string>(values ? JSON.parse(values) : [])
  for (const control of form?.querySelectorAll<HTMLInputElement>(':enabled[name]') ?? []) {
    control.value ||= kept.get(control.name) ?? ''
  }
}

export const markSent = (form: HTMLFormElement) => use((tab) => tab.setItem(SENT, keyOf(form)))

export const dropSent = () => use((tab) => tab.removeItem(tab.getItem(SENT) ?? ''))
