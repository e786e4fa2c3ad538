/** Puts an element into a text. */
import type { ReactNode } from 'react'
import type { Around } from '../words.ts'

/** A text of `words.ts` with an element in place of its {}. */
export function Filled({ text, children }: { text: Around; children: ReactNode }) {
  const [before, after] = text.split('{}')
  return (
    <>
      {before}
      {children}
      {after}
    </>
  )
}
