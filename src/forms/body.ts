/** Reads the body of a request, so that one which is too large can still be answered. */
import type { Readable } from 'node:stream'

/** What a form may be at most, in bytes. */
export const LARGEST = 64 * 1024

/** How much is kept of a form that is too large, for the visitor to get it back and shorten it. */
export const KEPT = 4 * LARGEST

/** How many fields a post may have beside those of its form: an older document may have had others. */
export const OTHER_FIELDS = 50

/** Nobody is left to answer. */
export class ClientGoneError extends Error {
  override name = 'ClientGoneError'
}

/**
 * Reads a body to its end, however long it is: what is more than is kept is thrown away as it comes
 * in. A connection that was closed instead would be reset, and a browser, which reads no answer before
 * it has sent everything, would show its own error page. How long that may go on is for the server's
 * `requestTimeout` to say.
 *
 * @param most how many bytes to keep
 * @returns undefined when the body is more
 * @throws {ClientGoneError}
 */
export function readBody(request: Readable, most: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= most) chunks.push(chunk)
      else chunks.length = 0
    })
    request.on('end', () => resolve(length <= most ? Buffer.concat(chunks) : undefined))
    for (const event of ['error', 'close']) request.on(event, () => reject(new ClientGoneError()))
  })
}

/**
 * The body up to the end of so many fields, by its bytes alone: what costs too much to decode is
 * refused before it is.
 *
 * @returns the body itself when it has no more
 */
export function firstFields(body: Buffer, most: number): Buffer {
  let end = -1
  for (let count = 0; count < most; count++) {
    end = body.indexOf('&', end + 1)
    if (end === -1) return body
  }
  return body.subarray(0, end)
}
