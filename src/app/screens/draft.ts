/**
 * Keeps what a visitor types into a form, in the storage of the tab, until the form is stored.
 * Sending only marks the draft, because a form that failed leads elsewhere; its receipt drops it.
 */
import { RECEIPTS } from '../../page/address.ts'

/** Under these keys are the keys of two drafts: which was sent last, and which form was stored last. */
const SENT = 'sent'
const STORED = 'stored'

/**
 * Methods of a form, which are called from their prototypes: a control that is named `reset` hides the
 * method with its name, and so does any other (HTML, 4.10.3, the named properties of a form).
 */
const reset = (form: HTMLFormElement) => HTMLFormElement.prototype.reset.call(form)
const addListener = (form: HTMLFormElement, event: string, listener: () => void) =>
  EventTarget.prototype.addEventListener.call(form, event, listener)
const attributeOf = (form: HTMLFormElement, name: string) =>
  Element.prototype.getAttribute.call(form, name)
const controlsOf = (form: HTMLFormElement) =>
  Element.prototype.querySelectorAll.call(form, ':enabled[name]') as NodeListOf<HTMLInputElement>

/** Returns the key of the draft of a form. */
const keyOf = (form: HTMLFormElement) => `draft ${attributeOf(form, 'action')}`

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
  const emptyIfStored = () => {
    if (!isRefused && isStored()) reset(form)
  }
  emptyIfStored()
  addEventListener('pageshow', emptyIfStored)

  fillIn(form, readDraft(form))

  const keep = () => {
    // What the browser would send now, and so nothing that is disabled.
    const typed = [...new FormData(form)]
    use((tab) => tab.setItem(keyOf(form), JSON.stringify(typed)))
    if (isStored()) use((tab) => tab.removeItem(STORED))
  }
  // What was typed before any script ran.
  const hasText = [...new FormData(form).values()].some(Boolean)
  if (!isStored() && hasText) keep()

  addListener(form, 'input', keep)
  addListener(form, 'submit', () => {
    use((tab) => tab.setItem(SENT, keyOf(form)))
    // With a listener for it, Firefox does not keep the page, and Back loads it again. As it was kept,
    // it would not know what was stored since.
    if (!isRefused) addEventListener('unload', () => {})
  })
  return () => removeEventListener('pageshow', emptyIfStored)
}

/** Returns what is kept of a form: the values by the names of the fields. */
function readDraft(form: HTMLFormElement): Map<string, string> {
  const draft = use((tab) => {
    return new Map<string, string>(JSON.parse(tab.getItem(keyOf(form)) ?? '[]'))
  })
  return draft ?? new Map()
}

/** Fills in the fields that are empty, and ticks the boxes that were ticked. */
function fillIn(form: HTMLFormElement, draft: Map<string, string>): void {
  for (const control of controlsOf(form)) {
    if (control.type === 'checkbox') {
      if (draft.has(control.name)) control.checked = true
    } else if (control.value === '') {
      control.value = draft.get(control.name) ?? ''
    }
  }
}

/** Drops the draft of the form whose receipt this document is. Back to an older receipt drops none. */
export function dropStored(base: string): void {
  if (history.state?.isSeen || !location.pathname.startsWith(base + RECEIPTS)) return

  history.replaceState({ isSeen: true }, '')
  use((tab) => tab.setItem(STORED, tab.getItem(SENT) ?? ''))
  use((tab) => tab.removeItem(tab.getItem(SENT) ?? ''))
  use((tab) => tab.removeItem(SENT))
}
