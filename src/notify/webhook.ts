/** Sends each submission to an address of the owner, signed. */
import { createHmac } from 'node:crypto'
import { codeOf } from '../machine/errors.ts'
import type { FormPage } from '../page/page.ts'
import type { Announced } from '../store/submission.ts'
import { asObject } from '../text/as-object.ts'
import { type Failure, NOT_SENT, type Send } from './delivery.ts'

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

    const body = bodyOf(submission, pages)
    const signature = createHmac('sha256', secret).update(body).digest('hex')
    const request = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Signature-256': `sha256=${signature}` },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE),
    } as const

    try {
      const response = await fetch(url, request)
      await response.body?.cancel()
      return response.ok ? {} : { failure: refusalOf(response) }
    } catch (error) {
      return { failure: failureOf(error) }
    }
  }
}

function bodyOf(submission: Announced, pages: readonly FormPage[]): string {
  const { receipt, receivedAt, path, status, fields, damage } = submission
  const page = pages.find((candidate) => candidate.path === path)
  const title = page?.title ?? path

  return JSON.stringify({ receipt, receivedAt, path, title, status, fields, damage })
}

function refusalOf({ status }: Response): Failure {
  return {
    reason: `the webhook answered ${status}`,
    cause: `HTTP ${status}`,
    isRefused: true,
    mayHaveArrived: false,
  }
}

function failureOf(error: unknown): Failure {
  // Its message may have the address, and the address may have a secret.
  const { cause, name } = asObject(error)
  const code = codeOf(cause) || String(name)

  return {
    reason: `the webhook did not answer: ${code}`,
    cause: code,
    isRefused: false,
    mayHaveArrived: !NOT_SENT.test(code),
  }
}
