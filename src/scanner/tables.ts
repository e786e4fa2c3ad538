/** Lays out the tables that scan.wat reads. */
import type { Grammar } from './grammar.ts'

/** The alignment of everything in memory, in bytes; as many zeros follow the scanned bytes. */
export const PADDING = 64

/** Returns where each table begins, counted from an offset, and the bytes of all of them. */
export function layOutTables({ members, automaton }: Grammar, from: number) {
  const { next, loops, rowOf } = layOutAutomaton(automaton)
  const parts: Buffer[] = []
  let end = from
  const put = (part: Uint8Array): number => {
    const start = end
    const padding = Buffer.alloc(PADDING - (part.length % PADDING))
    parts.push(Buffer.from(part), padding)
    end += part.length + padding.length
    return start
  }
  const classes = put(Uint8Array.from(automaton.classes))
  const nextAt = put(new Uint8Array(next.buffer))
  const loopsAt = put(Uint8Array.from(loops))
  const list = members.flatMap(({ key, start, isRequired }) => {
    const written = Buffer.from(JSON.stringify(key))
    return [put(written), written.length, rowOf(start), isRequired ? 1 : 0]
  })
  const membersAt = put(new Uint8Array(Int32Array.from(list).buffer))
  const membersEnd = membersAt + 4 * list.length
  const places = { classes, next: nextAt, loops: loopsAt, members: membersAt, membersEnd }
  return { bytes: Buffer.concat(parts), places }
}

const DEAD = -1
const ACCEPTS = -2
/** A state in which this many different bytes stay is inside a text or white space. */
const LEAST = 4
/** The number of values of a byte; 0 means no loop. */
const MOST_LOOPS = 256

/**
 * A state is the offset of its row in `next`; its low byte is the number of its loop, or 0. For
 * each class, the row has four bytes: the next state, or that there is none, or that the value
 * ends here (no value of a grammar is the start of another, because a grammar has no numbers).
 *
 * Most bytes of a text lead back to the current state. A loop lists the ASCII bytes that do, in two
 * tables of sixteen bytes, by the low and by the high half of a byte. The loop continues if the
 * entries of both have a bit in common (Langdale and Lemire 2019, section 3.1.2).
 */
function layOutAutomaton({ classes, width, next, accepts }: Grammar['automaton']) {
  const stays = (state: number, byte: number) =>
    next[state * width + (classes[byte] as number)] === state
  const ascii = Array.from({ length: 128 }, (_, byte) => byte)
  const loopOf: number[] = []
  const loops: number[] = Array(32).fill(0)
  for (const state of accepts.keys()) {
    const staying = state === 0 ? [] : ascii.filter((byte) => stays(state, byte))
    const isLoop = staying.length >= LEAST && loops.length < 32 * MOST_LOOPS
    loopOf.push(isLoop ? loops.length / 32 : 0)
    if (!isLoop) continue
    const [lows, highs] = [Array<number>(16).fill(0), Array<number>(16).fill(0)]
    for (const byte of staying) {
      const [low, high] = [byte & 0x0f, byte >> 4]
      lows[low] = (lows[low] as number) | (1 << high)
      highs[high] = 1 << high
    }
    loops.push(...lows, ...highs)
  }
  const rowOf = (state: number) => state * width * 4 * 256 + (loopOf[state] as number)
  const laidOut = Int32Array.from(next, (state) =>
    state === 0 ? DEAD : accepts[state] ? ACCEPTS : rowOf(state),
  )
  return { next: laidOut, loops, rowOf }
}
