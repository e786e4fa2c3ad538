/**
 * The screens that only the receiver sends. The build renders each of them once, as it does all
 * others; the receiver fills in their places for each visitor. Scripts only keep what is typed there.
 */
import { receiptPlaces, refusalPlaces } from '../content/places.ts'
import { answers } from '../site.ts'
import { DetailLayout } from './DetailLayout.tsx'

/** After a form was sent: thanks, the time, the receipt and a link back. */
export function ReceiptScreen() {
  const { receipt, time, moment, page } = receiptPlaces
  return (
    <DetailLayout kind="has-form">
      <h1 tabIndex={-1}>{answers.thanks}</h1>
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
export function RefusalScreen() {
  const { title, content } = refusalPlaces
  return (
    <DetailLayout kind="has-form">
      <h1 tabIndex={-1}>{title}</h1>
      {content}
    </DetailLayout>
  )
}
