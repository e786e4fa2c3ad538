/** Faults of both tables, up to five at once, anywhere in valid batches. */

import fc from 'fast-check'
import { expect } from 'vitest'
import type { Problem } from '../../src/batch/problem.ts'
import { type Changes, FAULTS, type Fault, GOOD, PAGE } from '../helpers/faults.ts'
import { times } from '../helpers/long.ts'
import { compileCheck, validate } from '../helpers/page.ts'
import { property } from '../helpers/property.ts'
import { SAMPLE_FAULTS } from './faults.ts'

const FIELD = PAGE.slice(PAGE.indexOf('{\n          "name"'), PAGE.indexOf('\n      ]'))
/** Valid pages: one with two paragraphs, one with two fields. Each value is on a line of its own. */
const PAGES = [
  PAGE,
  PAGE.replace('<p>Text.</p>', (body) => body.repeat(2)),
  PAGE.replace(FIELD, `${FIELD},\n        ${FIELD.replace('"name": "email"', '"name": "other"')}`),
]

/** A replacement in a valid batch, and what no other fault may touch. */
interface Edit {
  start: number
  end: number
  to: string
  taken: { start: number; end: number }
}

/** A fault in a batch. */
interface Placed {
  name: string
  file: number
  edits: Edit[]
  /** Its only problem, if the batch has no other fault; and where that begins in the valid batch. */
  alone: Problem
  at: number
  isBroken: boolean
}

const check = compileCheck()
const problemsOf = (file: number, text: string) =>
  validate(String(file), Buffer.from(text), check, 0).problems

/** A text with edits, and where these are in it. */
function apply(text: string, edits: readonly Edit[]) {
  let edited = ''
  let from = 0
  const ranges = edits
    .toSorted((a, b) => a.start - b.start)
    .map((edit) => {
      edited += text.slice(from, edit.start)
      from = edit.end
      const start = edited.length
      edited += edit.to
      return { edit, start, end: edited.length }
    })
  /** Where an offset of the edited text is in the text as it was. */
  const origin = (offset: number) => {
    const last = ranges.findLast(({ start }) => start <= offset)
    return last ? Math.max(last.edit.start, offset - last.end + last.edit.end) : offset
  }
  return { text: edited + text.slice(from), ranges, origin }
}

/** The offsets of a problem in its text. */
function rangeOf({ line, column, endColumn }: Problem, text: string) {
  const start = text.split(/(?<=\n)/, line - 1).join('').length
  return { start: start + column - 1, end: start + endColumn - 1 }
}

/** Makes a replacement as small as possible. */
function toEdits(at: number, from: string, to: string): Edit[] {
  const within = to.indexOf(from)
  const insert = (at: number, to: string): Edit => {
    return { start: at, end: at, to, taken: { start: at, end: at } }
  }
  if (within >= 0) {
    const after = insert(at + from.length, to.slice(within + from.length))
    return [insert(at, to.slice(0, within)), after].filter(({ to }) => to !== '')
  }
  let [head, tail] = [0, 0]
  while (head < to.length && from[head] === to[head]) head++
  const most = Math.min(from.length, to.length) - head
  while (tail < most && from.at(-1 - tail) === to.at(-1 - tail)) tail++
  const [start, end] = [at + head, at + from.length - tail]
  // Two faults of one value may meet, but not two of one key, tag or bracket.
  const taken = /["{[<]/.test(from) ? { start: at, end: at + from.length } : { start, end }
  return [{ start, end, to: to.slice(head, to.length - tail), taken }]
}

function placesOf(part: string, text: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) places.push(at)
  return places
}

/** Puts a fault into a valid batch; undefined if it has no place there. */
function place({ fault: name, batch }: Fault, file: number, valid: string, where: number) {
  if (batch instanceof Uint8Array) return undefined
  const pages = valid.split(/(?<=\},\n {2})(?=\{)/)
  const page = where % pages.length
  const [first, last] = [page, page + 1].map((count) => pages.slice(0, count).join('').length)
  const changes: Changes = typeof batch === 'string' ? [[valid, batch]] : batch
  const edits = changes.map(([from, to]) => {
    const all = placesOf(from, valid)
    const own = all.filter((at) => at >= Number(first) && at < Number(last))
    const at = own[where % own.length] ?? all[0]
    return at === undefined ? undefined : toEdits(at, from, to)
  })
  if (edits.includes(undefined)) return undefined
  const flat = edits.flatMap((each) => each ?? [])
  const { text, origin } = apply(valid, flat)
  const [alone, ...others] = problemsOf(file, text)
  // Another page may make it valid, or two faults.
  if (!alone || others.length > 0) return undefined
  const at = origin(rangeOf(alone, text).start)
  return { name, file, edits: flat, alone, at, isBroken: !isJson(text) }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Both in one body, they read as a paragraph inside another: nobody can tell what was meant. */
const NESTING = /^a paragraph (?:without its start|that does not end before the next)$/

/** Whether two faults of a batch are so far apart that each can be made, and seen. */
function areApart(a: Placed, b: Placed): boolean {
  const meet = ({ taken: one }: Edit, { taken: other }: Edit) => {
    const isEmpty = one.start === one.end || other.start === other.end
    return isEmpty
      ? one.start <= other.end && other.start <= one.end
      : one.start < other.end && other.start < one.end
  }
  const covers = ({ edits }: Placed, { at }: Placed) =>
    edits.some(({ start, end }) => start < at && at < end)
  const isNested = a.name !== b.name && NESTING.test(a.name) && NESTING.test(b.name)
  const isFree = !a.edits.some((edit) => b.edits.some((other) => meet(edit, other)))
  return a.file !== b.file || (isFree && !isNested && !covers(a, b) && !covers(b, a))
}

/** What a message says, whatever the values, the letters and how often. */
const kindOf = ({ message }: Problem) =>
  message.replace(/ \(and .*/, '').replace(/^. is .*; write ./u, 'letters')

/** Whether an author who reads a problem mends this fault. */
function isNamed(
  fault: Placed,
  problem: Problem,
  { text, ranges, origin }: ReturnType<typeof apply>,
) {
  const { start, end } = rangeOf(problem, text)
  const own = ranges.filter(({ edit }) => fault.edits.includes(edit))
  const isMarked = own.some(({ start: from, end: to }) =>
    from === to ? from >= start && from <= end : start < to && from < end,
  )
  const isOnLine = own.some(({ start: from }) => {
    return !text.slice(Math.min(from, start), Math.max(from, start)).includes('\n')
  })
  // "did you mean …" names a whole value, "and 2 more in this text" further places in it.
  const isInValue =
    problem.message.includes('did you mean') || kindOf(problem) === kindOf(fault.alone)
  // A key that is missing is named beside the unknown one if the value of that does not fit there.
  const isMissing =
    problem.message.startsWith('must have the key') && fault.alone.message.includes('is missing')
  // Where braces are missing or too many, other faults may move the place at which that shows.
  const isSyntax = fault.isBroken && !isJson(text)
  return isMarked || isMissing || isSyntax || origin(start) === fault.at || (isOnLine && isInValue)
}

/** Reads the batches. Returns the problems, and the faults that no problem names. */
function run(valid: readonly string[], faults: readonly Placed[]) {
  const problems: Problem[] = []
  const named = new Set<Placed>()
  for (const [file, text] of valid.entries()) {
    const own = faults.filter((fault) => fault.file === file)
    const applied = apply(
      text,
      own.flatMap(({ edits }) => edits),
    )
    for (const problem of problemsOf(file, applied.text)) {
      problems.push(problem)
      const found = own.filter((fault) => isNamed(fault, problem, applied))
      expect(found, `${problem.message} in ${applied.text}`).not.toEqual([])
      for (const fault of found) named.add(fault)
    }
  }
  return { problems, left: faults.filter((fault) => !named.has(fault)) }
}

/** Whether a message of the run before said that this was not checked. */
function isAnnounced({ batch, record, pointer }: Problem, told: readonly Problem[]): boolean {
  const [, , key = ''] = pointer.split('/')
  return told.some(({ batch: earlier, record: at, message }) => {
    const isUnchecked = /not (?:fully )?checked\)/.test(message)
    // Whoever writes a key that is missing writes its value, too.
    const isMissing = message.startsWith('must have the key') && message.includes(`"${key}"`)
    // What was not checked may be several records.
    const isThere = at === null || (isUnchecked ? Number(record) >= at : record === at)
    return earlier === batch && isThere && (isUnchecked || isMissing)
  })
}

const somePages = fc.array(fc.constantFrom(...PAGES), { minLength: 1, maxLength: 3 })
const someBatch = somePages.map((pages) => GOOD.replace(PAGE, () => pages.join(',\n  ')))
const someFault = fc.tuple(fc.constantFrom(...FAULTS, ...SAMPLE_FAULTS), fc.nat(1), fc.nat(1_000))

property([fc.tuple(someBatch, someBatch), fc.array(someFault, { minLength: 1, maxLength: 5 })], {
  numRuns: times(2_000),
})(
  'an author who mends what a run reports is done, but for what it said is unchecked',
  (valid, chosen) => {
    const faults: Placed[] = []
    for (const [fault, file, where] of chosen) {
      const placed = place(fault, file, valid[file] as string, where)
      if (!placed || !faults.every((other) => areApart(placed, other))) continue
      if (!placed.isBroken || !faults.some(({ isBroken }) => isBroken)) faults.push(placed)
    }
    let { problems, left } = run(valid, faults)
    // Of a file that is not JSON, only that is reported.
    if (faults.some(({ isBroken }) => isBroken)) ({ problems, left } = run(valid, left))
    for (let next = run(valid, left); next.problems.length > 0; next = run(valid, left)) {
      for (const problem of next.problems) {
        const names = faults.map(({ name }) => name).join(', ')
        expect(isAnnounced(problem, problems), `${problem.message} after ${names}`).toBe(true)
      }
      expect(next.left.length).toBeLessThan(left.length)
      ;({ problems, left } = next)
    }
    expect(run(valid, []).problems).toEqual([])
  },
)
