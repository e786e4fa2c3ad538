/**
 * Prints texts that come in pieces on standard output or standard error: waits for a slow reader, and
 * stops when the reader is gone (`| head`), which isn't an error.
 */
import { codeOf } from './errors.ts'

/** How many characters are written at once: a system call for each line costs more than the line. */
const AT_ONCE = 2 ** 16

type Pieces = Iterable<string> | AsyncIterable<string | Buffer>

/** @throws the system's error if the stream cannot be written */
export async function print(stream: NodeJS.WritableStream, pieces: Pieces): Promise<void> {
  let text = ''

  try {
    for await (const piece of pieces) {
      text += piece
      if (text.length < AT_ONCE) continue

      await write(stream, text)
      text = ''
    }
    await write(stream, text)
  } catch (error) {
    if (codeOf(error) !== 'EPIPE') throw error
  }
}

/** Writes a text and waits until it's written. `pipeline` of Node.js would leave a listener at a stream that stays open. */
function write(stream: NodeJS.WritableStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.once('error', reject)

    stream.write(text, (error) => {
      // An event follows an error, and must find a listener.
      if (error) return reject(error)

      stream.off('error', reject)
      resolve()
    })
  })
}
