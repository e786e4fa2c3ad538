/** Fields of two records side by side, with their differences marked. */
import { createElement } from 'react'
import { printable } from '../../text/printable.ts'
import { formatNumber } from '../../text/wording.ts'
import { compareTexts, type Piece } from './differences.ts'

type Side = [label: string, record: object]

interface VersusProps {
  left: Side
  right: Side
  fields: readonly string[]
}

export function Versus({ left, right, fields }: VersusProps) {
  return fields.map((field) => {
    const [one, other] = [textOf(left[1], field), textOf(right[1], field)]
    const [ours, theirs] = compareTexts(one ?? '', other ?? '')
    return (
      <div className="pair" key={field}>
        <h4>{printable(field)}</h4>
        <div className="sides">
          <Value label={left[0]} pieces={one === undefined ? undefined : ours} kind="left" />
          <Value label={right[0]} pieces={other === undefined ? undefined : theirs} kind="right" />
        </div>
      </div>
    )
  })
}

/** The value of a field as text: a string with a line for each paragraph, others as JSON. */
function textOf(record: object, field: string): string | undefined {
  const value = (record as Record<string, unknown>)[field]
  if (typeof value === 'string') return value.replaceAll('</p><p>', '</p>\n<p>')
  return value === undefined ? undefined : JSON.stringify(value, null, 2)
}

interface ValueProps {
  label: string
  /** Undefined if the record has no such key. */
  pieces: readonly Piece[] | undefined
  kind: 'left' | 'right'
}

function Value({ label, pieces, kind }: ValueProps) {
  return (
    <div className={`value ${kind}`}>
      <p>{printable(label)}</p>
      {pieces === undefined ? (
        <p>The record has no such key.</p>
      ) : (
        createElement('pre', null, ...pieces.map(show))
      )}
    </div>
  )
}

function show({ text, isOwn }: Piece) {
  // Like `printable`, but keeps line breaks.
  const visible = text.split('\n').map(printable).join('\n')
  return isOwn ? <mark>{visible}</mark> : visible
}

/** A note that not everything is shown. */
export function More({ count }: { count: number }) {
  return (
    count > 0 && (
      <p className="note">
        {`${formatNumber(count)} more are not shown; `}
        <code>--all</code> shows all of them.
      </p>
    )
  )
}
