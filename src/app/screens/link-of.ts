/** Returns the link in which an event happened. */
export function linkOf({ target }: Event): HTMLAnchorElement | null {
  if (!(target instanceof Element)) return null
  // The target may be a form, where a control that is named `closest` hides the method.
  return Element.prototype.closest.call(target, 'a[href]') as HTMLAnchorElement | null
}
