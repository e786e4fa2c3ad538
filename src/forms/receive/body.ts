/** Reads the body of a request, even one that is too large, so that it can still be answered. */
import type { Readable } from 'node:stream'

/** The largest form that is accepted, in bytes. */
export const LARGEST = 64 * 1024

/** The largest form that is sent back to the visitor to be shortened, in bytes. */
export const KEPT = 4 * LARGEST

/** The number of fields allowed beyond those of the form: an older document may have had others. */
export const OTHER_FIELDS = 50

/** The connection ended before the body did, so there is nobody left to answer. */
export class ClientGoneError extends Error {
  override name = 'ClientGoneError'
}

/**
 * Reads a body to its end, however long it is, and discards one that is larger than `most` as it
 * comes in. Closing the connection instead would reset it: a browser reads no response before it
 * has sent everything, so it would show its own error page. The server's `requestTimeout` limits
 * how long this may take.
 *
 * @param most how many bytes to keep
 * @returns undefined when the body is larger
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
 * Returns the part of a body with its first `most` fields, found by the bytes alone: a body that
 * costs too much to decode is refused before it is decoded.
 *
 * @returns the body itself when it has no more fields
 */
export function firstFields(body: Buffer, most: number): Buffer {
  let end = -1
  for (let count = 0; count < most; count++) {
    end = body.indexOf('&', end + 1)
    if (end === -1) return body
  }
  return body.subarray(0, end)
}
