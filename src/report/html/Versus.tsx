/** Fields of two records side by side; where two texts are close, what differs is marked. */
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
    const [ours, theirs] = compareTexts(one ?? '', other ?? '')
    return (
      <div className="pair" key={field}>
        <h4>{printable(field)}</h4>
        <div className="sides">
          <Value label={left[0]} parts={one === undefined ? undefined : ours} />
          <Value label={right[0]} parts={other === undefined ? undefined : theirs} />
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

/** A text in three: what both begin with, what only this one has there, and what both end with. */
type Parts = [before: string, own: string, after: string]

/**
 * Compares two texts by words, from the first that differs to the last. If that is more than the
 * rest, nothing is marked.
 */
function compareTexts(left: string, right: string): [Parts, Parts] {
  const [one, other] = [wordsOf(left), wordsOf(right)]
  const most = Math.min(one.length, other.length)
  let start = 0
  while (start < most && one[start] === other[start]) start++
  let end = 0
  while (end < most - start && one.at(-1 - end) === other.at(-1 - end)) end++
  const split = (words: string[]): Parts => {
    const last = words.length - end
    const [before, own] = [words.slice(0, start).join(''), words.slice(start, last).join('')]
    return [before, own, words.slice(last).join('')]
  }
  const [ours, theirs] = [split(one), split(other)]
  const longest = Math.max(ours[1].length, theirs[1].length)
  const isClose = longest < ours[0].length + ours[2].length
  return isClose ? [ours, theirs] : [toUnmarked(left), toUnmarked(right)]
}

const wordsOf = (text: string) => text.split(/(?<=[\s<>])|(?=[\s<>])/)
const toUnmarked = (text: string): Parts => ['', '', text]

interface ValueProps {
  label: string
  /** Undefined if the record has no such key. */
  parts: Parts | undefined
}

/** How many characters of each part are shown. */
const LONGEST = 2_000

function Value({ label, parts }: ValueProps) {
  return (
    <div className="value">
      <p>{printable(label)}</p>
      {parts === undefined ? <p>The record has no such key.</p> : <Text parts={parts} />}
    </div>
  )
}

function Text({ parts: [before, own, after] }: { parts: Parts }) {
  const isLong = before.length > LONGEST
  return (
    <pre>
      {visible(isLong ? `…${before.slice(1 - LONGEST)}` : before)}
      {own !== '' && <mark>{visible(cut(own, LONGEST))}</mark>}
      {visible(cut(after, LONGEST))}
    </pre>
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
