/**
 * The places of a receipt and of a refusal that differ for each visitor. The build renders both
 * screens with these marks, and the receiver puts what belongs there in their place. Pure.
 */

const mark = <Name extends string>(name: Name) => `{{${name}}}` as const

/** Of the receipt: all are text. */
export const receiptPlaces = {
  receipt: mark('receipt'),
  /** When it was received, in words. */
  time: mark('time'),
  /** The same, for `<time dateTime>`. */
  moment: mark('moment'),
  /** The address of the page with the form. */
  page: mark('page'),
}

/** Of the refusal. */
export const refusalPlaces = {
  /** The title of the page with the form, or else of the refusal: text. */
  title: mark('title'),
  /** Why it was refused, and what was sent, in the form if there is one: elements. */
  content: mark('content'),
}

/** Each mark. Its first group is the name of the place. */
export const PLACE = /\{\{(\w+)\}\}/g
