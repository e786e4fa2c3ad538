/** Makes responses for one person. Pure. */
import type { FileResponse } from '../files/open-site.ts'

export const HTML = 'text/html; charset=utf-8'
export const TEXT = 'text/plain; charset=utf-8'

/** Returns an answer for one person only, so nothing may cache it unless it says otherwise. */
export function send(
  status: number,
  type: string,
  body: string,
  headers: Record<string, string> = {},
): FileResponse {
  return {
    status,
    headers: { 'Cache-Control': 'no-store', 'Content-Type': type, ...headers },
    body,
  }
}
