/**
 * The screens that only the receiver sends. The build renders each once, with marks in the places
 * that differ for each visitor, which the receiver fills in. Scripts only keep what is typed.
 */
import { answers } from '../../site.ts'
import { DetailLayout } from './DetailLayout.tsx'

/** The places of the receipt: all are text. */
export const receiptPlaces = {
  receipt: '{{receipt}}',
  /** When it was received, in words. */
  time: '{{time}}',
  /** The same, for `<time dateTime>`. */
  moment: '{{moment}}',
  /** The address of the page with the form. */
  page: '{{page}}',
}

/** The places of the refusal. */
export const refusalPlaces = {
  /** The title of the page with the form, or else of the refusal: text. */
  title: '{{title}}',
  /** Why it was refused, and what was sent, in the form if there is one: elements. */
  content: '{{content}}',
}

/** Each mark. Its first group is the name of the place. */
export const PLACE = /\{\{(\w+)\}\}/g

/** After a form was sent: thanks, the time, the receipt and a link back. */
function ReceiptScreen() {
  const { receipt, time, moment, page } = receiptPlaces

  return (
    <DetailLayout kind="has-form" title={answers.thanks}>
      <div className="body">
        <p>{answers.received}</p>
        <p>
          <time dateTime={moment}>{answers.receivedOn(time)}</time>
        </p>
        <p>
          {answers.receipt} <strong className="receipt">{receipt}</strong>
        </p>
        <p>
          <a href={page}>{answers.backToPage}</a>
        </p>
      </div>
    </DetailLayout>
  )
}

/** Why something was refused, and what was sent. */
function RefusalScreen() {
  return (
    <DetailLayout kind="has-form" title={refusalPlaces.title}>
      {refusalPlaces.content}
    </DetailLayout>
  )
}

const refused = answers.error + refusalPlaces.title

/** The documents of the receiver, by their names: what stands in the title, and on which screen. */
export const answerScreens = {
  _receipt: { name: answers.thanks, Screen: ReceiptScreen, places: receiptPlaces },
  _refused: { name: refused, Screen: RefusalScreen, places: refusalPlaces },
}
