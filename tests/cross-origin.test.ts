import { expect, it } from 'vitest'
import { crossOriginFault } from '../src/forms/receive/cross-origin.ts'

const host = 'pages.example'
const trusted = new Set(['https://trusted.example', 'https://trusted.example:8443'])

/** The cases of Go's own test of `http.CrossOriginProtection`, and those that differ here. */
const cases = [
  ['same-origin', undefined, true],
  ['none', undefined, true],
  ['same-site', undefined, false],
  ['cross-site', undefined, false],
  ['unheard-of', undefined, false],
  ['same-origin', 'https://other.example', true],
  ['none', 'https://other.example', true],
  ['cross-site', 'https://pages.example', false],
  ['cross-site', 'https://trusted.example', true],
  ['same-site', 'https://trusted.example:8443', true],
  ['cross-site', 'http://trusted.example', false],
  [undefined, undefined, true],
  ['', '', true],
  [undefined, 'https://pages.example', true],
  [undefined, 'http://pages.example', true],
  [undefined, 'https://pages.example:443', true],
  [undefined, 'https://pages.example:8443', false],
  [undefined, 'https://other.example', false],
  [undefined, 'https://pages.example.other.example', false],
  [undefined, 'https://other.example/?pages.example', false],
  [undefined, 'null', false],
  [undefined, 'pages.example', false],
  [undefined, 'https://trusted.example', true],
] as const

for (const [secFetchSite, origin, isAllowed] of cases) {
  const from = `Sec-Fetch-Site ${secFetchSite} and Origin ${origin}`
  it(`${from} ${isAllowed ? 'may send' : 'may not send'}`, () => {
    const fault = crossOriginFault({ 'sec-fetch-site': secFetchSite, origin, host }, trusted)
    expect(fault).toEqual(isAllowed ? undefined : expect.stringContaining('another site'))
  })
}

it.each([
  ['http://pages.example', 'pages.example:80', true],
  ['https://pages.example', 'pages.example:443', true],
  ['https://pages.example', 'Pages.Example', true],
  ['https://pages.example', 'pages.example:80', false],
  ['https://pages.example', undefined, false],
  ['http://[::1]:4173', '[::1]:4173', true],
])('the origin %s is that of the host %s: %s', (origin, host, isSame) => {
  const fault = crossOriginFault({ origin, host }, new Set())
  expect(fault === undefined).toBe(isSame)
})
