/** The same as scan.wat, in TypeScript: its oracle in the tests, and the fallback without SIMD. */
import type { Grammar } from './grammar.ts'
import { roomFor, type Scan } from './scan.ts'

const SPACES: readonly unknown[] = [...Buffer.from(' \n\r\t')]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
const [SPACE, QUOTE, COMMA, COLON, BACKSLASH] = [0x20, 0x22, 0x2c, 0x3a, 0x5c]

export function makeTwin(grammar: Grammar): Scan {
  const { classes, width, next, accepts } = grammar.automaton
  const { members } = grammar
  const keys = members.map(({ key }) => Buffer.from(JSON.stringify(key)))
  const noValues = () => Array<number>(2 * members.length).fill(-1)

  return (bytes) => {
    // With a zero at the end. JSON never contains one, so reading stops there.
    const batch = Buffer.concat([bytes, Buffer.of(0)])
    const normal = Buffer.alloc(bytes.length)
    const rows: number[] = []
    let [at, to] = [0, 0]

    const skipSpace = () => {
      while (SPACES.includes(batch[at])) at++
    }
    const skipString = () => {
      for (at++; at < bytes.length && batch[at] !== QUOTE; at++) if (batch[at] === BACKSLASH) at++
      at = Math.min(at + 1, bytes.length)
    }
    const skipValue = () => {
      for (let depth = 0; at < bytes.length; ) {
        const byte = batch[at] as number
        const closes = byte === CLOSE_ARRAY || byte === CLOSE_OBJECT
        if (depth === 0 && (closes || byte === COMMA || byte <= SPACE)) return
        if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth++
        if (closes) depth--
        if (byte === QUOTE) skipString()
        else at++
      }
    }
    const take = (byte: number): boolean => {
      if (batch[at] !== byte) return false
      normal[to++] = byte
      at++
      return true
    }
    const takeKey = (): number => {
      const index = keys.findIndex((key) => key.equals(batch.subarray(at, at + key.length)))
      for (const byte of keys[index] ?? []) take(byte)
      return index
    }
    const takeValue = (start: number): boolean => {
      let end = at
      let state = start
      do state = next[state * width + (classes[batch[end++] as number] as number)] as number
      while (state !== 0 && accepts[state] === 0)
      while (state !== 0 && at < end) {
        const token = at
        if (batch[at] === QUOTE) skipString()
        else at++
        if (!SPACES.includes(batch[token])) to += batch.copy(normal, to, token, at)
      }
      return state !== 0
    }
    /** Returns the offsets of the values; undefined if the grammar does not accept the record. */
    const takeRecord = (): number[] | undefined => {
      const values = noValues()
      if (!take(OPEN_OBJECT)) return undefined
      do {
        skipSpace()
        const index = takeKey()
        if (index === -1 || values[2 * index] !== -1) return undefined
        skipSpace()
        if (!take(COLON)) return undefined
        skipSpace()
        values[2 * index] = to
        if (!takeValue(members[index]?.start ?? 0)) return undefined
        values[2 * index + 1] = to
        skipSpace()
      } while (take(COMMA))
      const lacks = members.some((each, index) => each.isRequired && values[2 * index] === -1)
      return !lacks && take(CLOSE_OBJECT) ? values : undefined
    }

    skipSpace()
    if (!take(OPEN_ARRAY)) return undefined
    skipSpace()
    let records = 0
    for (let isNext = batch[at] !== CLOSE_ARRAY; isNext; isNext = take(COMMA)) {
      skipSpace()
      if (records++ === roomFor(grammar, bytes.length)) return undefined
      const [start, written] = [at, to]
      const values = takeRecord()
      if (values) rows.push(start, at, written, to, ...values)
      else {
        ;[at, to] = [start, written]
        skipValue()
        rows.push(start, at, -1, -1, ...noValues())
      }
      skipSpace()
    }
    if (!take(CLOSE_ARRAY)) return undefined
    skipSpace()
    return at === bytes.length ? { records, rows: Int32Array.from(rows), normal } : undefined
  }
}
