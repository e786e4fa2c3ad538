/** The SHA-256 that identifies a content: a batch, a schema, a dataset, a post. */
import { hash } from 'node:crypto'

/** @returns the SHA-256 in hexadecimal; of a text, that of its UTF-8 */
export function sha256Of(content: string | Uint8Array): string {
  return hash('sha256', content)
}
