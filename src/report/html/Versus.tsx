/** Fields of two records side by side, with their differences marked. */
import { createElement } from 'react'
import type { Delivered } from '../../pipeline/delivered-records.ts'
import { printable } from '../../text/printable.ts'
import { beginningOf, compareTexts, type Piece, spanOf, textOf } from './differences.ts'

type Side = [label: string, record: object]

interface VersusProps {
  left: Side
  right: Side
  fields: readonly string[]
}

export function Versus({ left, right, fields }: VersusProps) {
  return fields.map((field) => {
    const [ours, theirs] = [left, right].map(([, record]) => (record as Delivered)[field])
    const [one, other] = [textOf(ours), textOf(theirs)]
    const isBoth = one !== undefined && other !== undefined
    const found = isBoth
      ? compareTexts(one, other)
      : { left: plainly(one), right: plainly(other), isUnlike: false }
    const span = spanOf(ours, theirs)
    return (
      <div className="pair" key={field}>
        <h4>
          {printable(field)}
          {span && <span>{` ${printable(right[0])}: ${span}`}</span>}
          {found.isUnlike && <span> two texts with little in common, so no words are marked</span>}
        </h4>
        <div className="sides">
          <Value label={left[0]} pieces={found.left} kind="left" />
          <Value label={right[0]} pieces={found.right} kind="right" />
        </div>
      </div>
    )
  })
}

/** The fields of one record, except its path. */
export function Alone({ label, record }: { label: string; record: object }) {
  const { path: _, ...fields } = record as Delivered
  return Object.entries(fields).map(([field, value]) => (
    <div className="pair" key={field}>
      <h4>{printable(field)}</h4>
      <Value label={label} pieces={plainly(textOf(value))} />
    </div>
  ))
}

function plainly(text: string | undefined): Piece[] | undefined {
  return text === undefined ? undefined : [{ text: beginningOf(text), isOwn: false }]
}

interface ValueProps {
  label: string
  /** Undefined if the record has no such key. */
  pieces: readonly Piece[] | undefined
  kind?: 'left' | 'right'
}

function Value({ label, pieces, kind }: ValueProps) {
  return (
    <div className={`value ${kind ?? ''}`}>
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
  return isOwn ? <mark>{visible(text)}</mark> : visible(text)
}

/** Like `printable`, but keeps line breaks. */
function visible(text: string): string {
  return text.split('\n').map(printable).join('\n')
}

/** A note that not everything is shown. */
export function More({ children }: { children: string }) {
  return (
    <p className="note">
      {children}
      <code>--all</code> shows all of them.
    </p>
  )
}
