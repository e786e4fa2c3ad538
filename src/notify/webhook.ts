/** Sends each submission to an address of the owner, signed. */
import { createHmac } from 'node:crypto'
import type { FormPage } from '../page/page.ts'
import { NOT_SENT, type Send } from './delivery.ts'

/** How long the other side may take to answer, in milliseconds. */
const PATIENCE = 10_000

export interface WebhookConfig {
  url: string
  /** The key of the signature. */
  secret: string
}

/**
 * Returns a function that posts a submission as JSON. The header `X-Signature-256` has the HMAC
 * (RFC 2104) of the body with the secret, as in GitHub's webhooks: `sha256=` and hexadecimal digits.
 * It may come twice, with the same receipt.
 */
export function createWebhook({ url, secret }: WebhookConfig, pages: readonly FormPage[]): Send {
  return async ({ submissions: [submission] }) => {
    if (!submission) return {}
    const { receipt, receivedAt, path, status, fields, damage } = submission
    const title = pages.find((page) => page.path === path)?.title ?? path
    const body = JSON.stringify({ receipt, receivedAt, path, title, status, fields, damage })
    const signature = createHmac('sha256', secret).update(body).digest('hex')
    const request = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Signature-256': `sha256=${signature}` },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE),
    } as const
    const response = await fetch(url, request).catch((error: Error) => error)
    if (response instanceof Error) {
      // Its message may have the address, and the address may have a secret.
      const { code: cause = response.name } = (response.cause ?? {}) as NodeJS.ErrnoException
      const reason = `the webhook did not answer: ${cause}`
      const mayHaveArrived = !NOT_SENT.test(cause)
      return { failure: { reason, cause, isRefused: false, mayHaveArrived } }
    }
    await response.body?.cancel()
    if (response.ok) return {}
    const { status: code } = response
    const reason = `the webhook answered ${code}`
    const cause = `HTTP ${code}`
    return { failure: { reason, cause, isRefused: true, mayHaveArrived: false } }
  }
}
