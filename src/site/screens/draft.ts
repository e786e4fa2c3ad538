/**
 * Keeps what a visitor types into a form, in the storage of the tab, until the form is stored.
 * Sending only marks the draft, because a form that failed leads elsewhere; its receipt drops it.
 */
import { RECEIPTS } from '../../page/address.ts'

/** Under these keys are the keys of two drafts: which was sent last, and which form was stored last. */
const SENT = 'sent'
const STORED = 'stored'

/** Not `form.action`, which is the control of a field with this name. */
const keyOf = (form: HTMLFormElement) => `draft ${form.getAttribute('action')}`

/** Uses the storage. Where it is blocked or full, or has something else, nothing is kept. */
function use<T>(work: (tab: Storage) => T): T | undefined {
  try {
    return work(sessionStorage)
  } catch {}
}

/**
 * Fills in the fields of a form that are empty, and keeps what is typed from now on. On Back, browsers
 * fill in what was sent: if it is stored, the form of a page is emptied, and not sent twice.
 */
export function watchForm(form: HTMLFormElement | null, isRefused = false) {
  if (!form) return undefined
  const isStored = () => use((tab) => tab.getItem(STORED)) === keyOf(form)
  const empty = () => !isRefused && isStored() && form.reset()
  empty()
  addEventListener('pageshow', empty)
  const kept = use((tab) => new Map<string, string>(JSON.parse(tab.getItem(keyOf(form)) ?? '[]')))
  for (const control of form.querySelectorAll<HTMLInputElement>(':enabled[name]')) {
    if (control.type === 'checkbox') control.checked ||= kept?.has(control.name) ?? false
    else control.value ||= kept?.get(control.name) ?? ''
  }
  // What the browser would send now, and so nothing that is disabled.
  const keep = () => {
    use((tab) => tab.setItem(keyOf(form), JSON.stringify([...new FormData(form)])))
    if (isStored()) use((tab) => tab.removeItem(STORED))
  }
  // What was typed before any script ran.
  if (!isStored() && [...new FormData(form).values()].some(Boolean)) keep()
  form.addEventListener('input', keep)
  form.addEventListener('submit', () => {
    use((tab) => tab.setItem(SENT, keyOf(form)))
    // Then Back loads the page anew: as Firefox keeps it, it would not know what was stored since.
    if (!isRefused) addEventListener('unload', () => {})
  })
  return () => removeEventListener('pageshow', empty)
}

/** Drops the draft of the form whose receipt this document is. Back to an older receipt drops none. */
export function dropStored(base: string): void {
  if (history.state?.isSeen || !location.pathname.startsWith(base + RECEIPTS)) return
  history.replaceState({ isSeen: true }, '')
  use((tab) => tab.setItem(STORED, tab.getItem(SENT) ?? ''))
  use((tab) => tab.removeItem(tab.getItem(SENT) ?? ''))
  use((tab) => tab.removeItem(SENT))
}
