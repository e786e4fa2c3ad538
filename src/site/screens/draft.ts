/**
 * Keeps what a visitor types into a form, in the storage of the tab, until the form is stored.
 * Sending only marks the draft. The next document drops it if the history of the tab has a new
 * receipt: a form that failed leads elsewhere.
 */
import { RECEIPTS } from '../../dataset/address.ts'

/** The key of the mark: the key of the draft, and the receipts of earlier forms. */
const SENT = 'sent'

/** Not `form.action`, which is the control of a field with this name. */
const keyOf = (form: HTMLFormElement) => `draft ${form.getAttribute('action')}`

/** Keeps nothing where the storage is blocked or full. */
function use<T>(work: (tab: Storage) => T): T | undefined {
  try {
    return work(sessionStorage)
  } catch {}
}

/** Fills in the fields of a form that are empty, and keeps what is typed from now on. */
export function watchForm(form: HTMLFormElement | null): void {
  if (!form) return
  restoreDraft(form)
  form.addEventListener('input', () => keepDraft(form))
  form.addEventListener('submit', () => markSent(form))
}

/** Keeps what the browser would send now, and so nothing that is disabled. */
function keepDraft(form: HTMLFormElement): void {
  use((tab) => tab.setItem(keyOf(form), JSON.stringify([...new FormData(form)])))
  use((tab) => tab.removeItem(SENT))
}

function restoreDraft(form: HTMLFormElement): void {
  const values = use((tab) => tab.getItem(keyOf(form)))
  const kept = new Map<string, string>(values ? JSON.parse(values) : [])
  for (const control of form.querySelectorAll<HTMLInputElement>(':enabled[name]')) {
    if (control.type === 'checkbox') control.checked ||= kept.has(control.name)
    else control.value ||= kept.get(control.name) ?? ''
  }
}

/** Missing in older browsers. They know of a receipt only when one of its links was followed. */
const { navigation } = globalThis as { navigation?: Navigation }

/** The receipts in the history of the tab, before and after the current entry. */
function receipts(): (string | null)[] {
  const entries = navigation?.entries() ?? [{ url: document.referrer }]
  return entries.map(({ url }) => url).filter((url) => url?.includes(RECEIPTS))
}

function markSent(form: HTMLFormElement): void {
  const mark = { draft: keyOf(form), earlier: receipts() }
  use((tab) => tab.setItem(SENT, JSON.stringify(mark)))
}

/** Drops the draft of a form that was stored. */
export function dropStored(): void {
  use((tab) => {
    const { draft, earlier } = JSON.parse(tab.getItem(SENT) ?? '{}')
    if (receipts().some((url) => !earlier?.includes(url))) tab.removeItem(draft)
  })
}
