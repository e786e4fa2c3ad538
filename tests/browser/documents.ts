import { type APIRequestContext, expect } from '@playwright/test'

const texts = new Map<string, string>()

/**
 * Returns the text of the document at an address, which must exist. Each worker reads an address
 * once, for many tests read all those of `npm start`. A plain host is at a new one in each test.
 */
export async function textAt(request: APIRequestContext, address: string): Promise<string> {
  const known = texts.get(address)
  if (known !== undefined) return known
  const response = await request.get(address)
  expect(response.status(), address).toBe(200)
  expect(response.headers()['content-type'], address).toMatch(/^text\/html; ?charset=utf-8$/i)
  const text = await response.text()
  texts.set(address, text)
  return text
}
