/**
 * The words of every screen, receipt and refused form: what visitors read besides the content. For
 * a site in another language, write others of the types {@link Words} and {@link Answers} into a
 * file of your own, and name them in `site.ts`. The compiler names what is missing.
 */

/** @public as the type of a translation */
export type Words = typeof english

export type Answers = typeof englishAnswers

export const english = {
  // The index.
  /** `withForms` is undefined on a site without forms. */
  counts: (pages: number, withForms: number | undefined) =>
    withForms === undefined
      ? `Total Pages: ${pages}`
      : `Total Pages: ${pages} · With Forms: ${withForms}`,
  hasForm: 'Has Form',
  isStatic: 'Static Page',
  search: 'Search',
  category: 'Category',
  form: 'Form',
  /** The first choice of both: no filter. */
  all: 'All',
  withForm: 'With form',
  withoutForm: 'Without form',
  found: (pages: number, all: number) => `Found ${pages} of ${all}`,
  /** Until the words of the texts are there, titles and paths answer. */
  searching: 'Searching…',
  notSearchedYet: 'Only titles are searched: the rest has not loaded. Trying again…',
  /** `text` is what was searched for, or ''. */
  foundNone: (text: string) =>
    text ? `No page matches “${text}”.` : 'No page matches the filter.',
  clearFilter: 'Clear filter',
  showMore: 'Show more',
  shown: (cards: number, pages: number) => `${cards} of ${pages}`,
  /** Read out by screen readers. */
  pages: 'Pages',

  // A page.
  back: '← Back',
  updated: (day: string) => `Updated ${day}`,
  /** Above the links to the pages that `others` of `content.ts` names. */
  seeAlso: 'See also',
  previous: 'Previous',
  next: 'Next',
  /** Read out by screen readers. */
  neighbours: 'Previous and next page',
  notFound: 'Not found',
  loading: 'Loading…',
  failed: 'Unexpected Application Error!',
  reload: 'Load the page again',

  // A form.
  formTitle: 'Contact form',
  required: 'Fields with * are required.',
  /** The first choice of a list without a placeholder. */
  noChoice: 'Choose…',
  submit: 'Submit',
  /** The name of a control that nobody sees. */
  leaveEmpty: 'Leave this empty',
}

/** What the receiver says, in its receipts and refusals. The browser does not load it. */
export const englishAnswers = {
  // A receipt.
  thanks: 'Thank you',
  received: 'We have received what you sent.',
  receivedOn: (time: string) => `Received on ${time}.`,
  receipt: 'Receipt:',
  backToPage: 'Back to the page',

  // A refused form.
  /** The beginning of the title of its document. */
  error: 'Error: ',
  toPage: 'To the page',
  fillIn: (label: string) => `Fill in “${label}”`,
  fillInEmail: (label: string) =>
    `Fill in “${label}” with an e-mail address, such as you@example.com`,
  choose: (label: string) => `Choose one of “${label}”`,
  tick: (label: string) => `Tick “${label}”`,
  sentTwice: (label: string) => `“${label}” was sent twice`,
  otherSentTwice: 'A field was sent twice',
  /** Above what was sent, where there is no form to show it in. */
  sent: 'What you sent',
  noForm: {
    title: 'There is a problem: this form is gone',
    detail: 'Nothing was stored. The page no longer has this form. Copy what you wrote.',
  },
  noReceipt: { title: 'Not found', detail: 'There is no such receipt.' },
  onlyPost: {
    title: 'This address receives a form',
    detail: 'The form of the page is sent to this address.',
  },
  onlyRead: { title: 'Nothing to send here', detail: 'This address accepts GET and HEAD only.' },
  fromElsewhere: {
    title: 'Not sent from this site',
    detail:
      'The form was sent from another site, or by a browser too old to say which. Nothing was stored. Open the page and send the form from there.',
  },
  otherType: (sent: string) => ({
    title: 'This form cannot be read',
    detail: `Nothing was stored. The form was sent as ${sent}, but only application/x-www-form-urlencoded in UTF-8 is read, not compressed. In the HTML of the form, leave out enctype, or write enctype="application/x-www-form-urlencoded".`,
  }),
  notAForm: {
    title: 'Not a form as browsers send it',
    detail:
      'Nothing was stored. A form is sent as application/x-www-form-urlencoded in UTF-8, and not compressed.',
  },
  invalid: { title: 'There is a problem', detail: 'Nothing was stored.' },
  tooLarge: (most: string) => ({
    title: 'There is a problem: your text is too long',
    detail: `Nothing was stored. Shorten the text, then send it again: a form may have up to ${most} in total.`,
  }),
  muchTooLarge: (most: string, kept: string) => ({
    title: 'There is a problem: your text is too long',
    detail: `Nothing was stored. A form may have up to ${most} in total, and comes back to be shortened when it has no more than ${kept}. Go back to what you wrote and shorten it.`,
  }),
  tooManyFields: (most: number) => ({
    title: 'There is a problem: too many fields were sent',
    detail: `Nothing was stored. This form accepts at most ${most} fields.`,
  }),
  tooMany: (seconds: number) => ({
    title: 'There is a problem: too many forms were sent',
    detail: `Nothing was stored. Wait ${seconds} seconds, then send it again.`,
  }),
  notStored: {
    title: 'There is a problem: nothing was stored',
    detail: 'Nothing was stored. The fault is ours, not yours. Wait a minute, then send it again.',
  },
  perhapsStored: {
    title: 'There is a problem: your form may not be stored',
    detail:
      'It may be stored, or not. The fault is ours, not yours. Wait a minute, then send it again: it is not stored twice.',
  },
  noAnswer: {
    title: 'Receipts cannot be looked up now',
    detail: 'What is stored stays stored. Wait a minute, then try again.',
  },
  failedHere: {
    title: 'Something went wrong here',
    detail: 'The fault is ours, not yours. Go back and try again in a minute.',
  },
}
