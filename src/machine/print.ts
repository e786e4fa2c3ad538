/**
 * Prints texts that come in pieces on standard output or standard error: waits for a slow reader, and
 * stops when the reader is gone (`| head`), which is no error.
 */
import { pipeline } from 'node:stream/promises'

/** How many characters are written at once: a system call for each line costs more than the line. */
const AT_ONCE = 2 ** 16

type Pieces = Iterable<string> | AsyncIterable<string | Buffer>

/** @throws the system's error if the stream cannot be written */
export async function print(stream: NodeJS.WritableStream, pieces: Pieces): Promise<void> {
  try {
    await pipeline(inChunks(pieces), stream, { end: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
}

/** Joins pieces into texts that are long enough to write. */
export async function* inChunks(pieces: Pieces): AsyncGenerator<string> {
  let text = ''
  for await (const piece of pieces) {
    text += piece
    if (text.length < AT_ONCE) continue
    yield text
    text = ''
  }
  if (text !== '') yield text
}
