/**
 * Scans batches by a grammar. A record that the grammar accepts is valid by the schema, and its
 * normal form is its own bytes without white space. Any other record is doubtful, not wrong.
 */
import { constants } from 'node:buffer'
import type { Grammar } from './grammar.ts'
import { layOutTables, PADDING } from './tables.ts'

/** The result of a scan. It is valid until the next batch is scanned. */
export interface Scanned {
  records: number
  /**
   * For each record a row of offsets: its `START` and `END` in the batch, then `NORMAL` and
   * `NORMAL_END`, then the start and end of each member's value in the normal form. They are -1 if
   * the record is doubtful and so has no normal form, or if it does not have the member.
   */
  rows: Int32Array
  /** The normal forms, with commas between them. */
  normal: Buffer
}

/** The columns of a row; the value of the first member begins at `VALUES`. */
export const [START, END, NORMAL, NORMAL_END, VALUES] = [0, 1, 2, 3, 4] as const

/** @returns undefined unless the batch is certain to be an array, and small enough to be scanned */
export type Scan = (batch: Uint8Array) => Scanned | undefined

/** The length of a row. */
export function strideOf({ members }: Grammar): number {
  return VALUES + 2 * members.length
}

/** How many records fit into the given number of bytes, if the grammar accepts all but a few. */
export function roomFor({ members }: Grammar, bytes: number): number {
  // A member takes its key, two quotes, a colon, a comma and the shortest possible value.
  const lengths = members.map(({ key, isRequired }) => (isRequired ? key.length + 6 : 0))
  return Math.ceil(bytes / lengths.reduce((sum, length) => sum + length)) + 16
}

/** The unit of WebAssembly's memory, in bytes. */
const PAGE = 2 ** 16

/**
 * @param program scan.wat, assembled
 * @returns undefined if the processor lacks what the program needs
 */
export function makeScan(grammar: Grammar, program: Uint8Array<ArrayBuffer>): Scan | undefined {
  if (!WebAssembly.validate(program)) return undefined
  const { bytes: tables, places } = layOutTables(grammar, PADDING)
  const memory = new WebAssembly.Memory({ initial: 1 })
  const grow = (end: number) => {
    const missing = Math.ceil((end - memory.buffer.byteLength) / PAGE)
    if (missing > 0) memory.grow(missing)
  }
  // The layout of the memory: the tables, then for each batch its bytes, normal forms and rows.
  const batchAt = align(PADDING + tables.length)
  grow(batchAt)
  tables.copy(new Uint8Array(memory.buffer), PADDING)
  const stride = 4 * strideOf(grammar)
  const required = grammar.members.filter(({ isRequired }) => isRequired).length
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(program), {
    scan: { memory, ...places, required, stride },
  })
  const scan = exports.scan as (...offsets: number[]) => number

  return (batch) => {
    if (batch.length > constants.MAX_STRING_LENGTH) return undefined
    const end = batchAt + batch.length
    const normalAt = align(end + PADDING)
    const rowsAt = align(normalAt + batch.length + PADDING)
    const roomEnd = rowsAt + roomFor(grammar, batch.length) * stride
    try {
      grow(roomEnd)
    } catch (error) {
      if (error instanceof RangeError) return undefined
      throw error
    }
    const bytes = Buffer.from(memory.buffer)
    bytes.set(batch, batchAt)
    bytes.fill(0, end, normalAt)
    const rowsEnd = scan(batchAt, end, normalAt, rowsAt, roomEnd)
    if (rowsEnd === 0) return undefined
    const rows = new Int32Array(memory.buffer, rowsAt, (rowsEnd - rowsAt) / 4)
    return { records: (rowsEnd - rowsAt) / stride, rows, normal: bytes.subarray(normalAt, rowsAt) }
  }
}

function align(offset: number): number {
  return Math.ceil(offset / PADDING) * PADDING
}
