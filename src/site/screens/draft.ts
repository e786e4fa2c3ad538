/**
 * Keeps what a visitor types into a form, in the storage of the tab, until the form is stored. The
 * answer to a form runs no script, so sending only marks the draft. A later document drops it if a
 * receipt followed in the history of the tab: a form that failed leads elsewhere.
 */
import { RECEIPTS } from '../content/address.ts'

/** The key of the mark: the key of the draft, and the history entry that it was sent from. */
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

/** Missing in older browsers. They know of a receipt only when one of its links was followed. */
const { navigation } = globalThis as { navigation?: Navigation }

export function markSent(form: HTMLFormElement): void {
  const mark = { draft: keyOf(form), entry: navigation?.currentEntry?.key }
  use((tab) => tab.setItem(SENT, JSON.stringify(mark)))
}

/** Drops the draft of a form that was stored. */
export function dropStored(): void {
  use((tab) => {
    const { draft, entry } = JSON.parse(tab.getItem(SENT) ?? '{}')
    const entries = navigation?.entries()
    const from = entries?.find(({ key }) => key === entry)?.index ?? Number.POSITIVE_INFINITY
    const later = entries?.slice(from + 1) ?? [{ url: document.referrer }]
    if (later.some(({ url }) => url?.includes(RECEIPTS))) tab.removeItem(draft)
  })
}
