/** Fields of two records side by side. */
import { printable } from '../../text/printable.ts'
import { cut, formatNumber } from '../../text/wording.ts'

type Side = [label: string, record: object]

interface VersusProps {
  left: Side
  right: Side
  fields: readonly string[]
}

export function Versus({ left, right, fields }: VersusProps) {
  return fields.map((field) => {
    const [one, other] = [textOf(left[1], field), textOf(right[1], field)]
    return (
      <div className="pair" key={field}>
        <h4>{printable(field)}</h4>
        <div className="sides">
          <Value label={left[0]} text={one && aroundDifference(one, other)} />
          <Value label={right[0]} text={other && aroundDifference(other, one)} />
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

/** How many characters of a value are shown, and how many of them before the first difference. */
const LONGEST = 2_000
const BEFORE = 200

/** Cuts a long text, so that it begins shortly before the first difference from another one. */
function aroundDifference(text: string, other = ''): string {
  if (text.length <= LONGEST) return text
  let at = 0
  while (at < text.length && text[at] === other[at]) at++
  if (at <= BEFORE) return cut(text, LONGEST)
  return cut(`…${text.slice(at - BEFORE).replace(/^[\udc00-\udfff]/, '')}`, LONGEST)
}

interface ValueProps {
  label: string
  /** Undefined if the record has no such key. */
  text: string | undefined
}

function Value({ label, text }: ValueProps) {
  return (
    <div className="value">
      <p>{printable(label)}</p>
      {text === undefined ? <p>The record has no such key.</p> : <pre>{visible(text)}</pre>}
    </div>
  )
}

/** Like `printable`, but keeps line breaks. */
const visible = (text: string) => text.split('\n').map(printable).join('\n')

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
