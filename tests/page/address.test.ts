import { expect, test } from 'vitest'
import { addressOf, NOT_FOUND, pathAt } from '../../src/page/address.ts'

test.each([
  ['/', '/'],
  ['/blog/029', '/blog/029'],
  ['/about', '/about'],
  ['/%C3%BCber-uns', '/über-uns'],
  ['/a%20b/%E6%BC%A2%F0%9F%98%80', '/a b/漢😀'],
])('%s leads to %s, and is its address in every browser', (address, path) => {
  expect(pathAt(address)).toBe(path)
  expect(addressOf(path)).toBe(address)
  expect(new URL(path, 'http://localhost').pathname).toBe(address)
})

test.each([
  ['in lower case', '/%c3%bcber-uns'],
  ['not encoded', '/über-uns'],
  ['decomposed, then encoded differently', '/u%cc%88ber-uns'],
  ['with an encoded letter', '/%61bout'],
  ['with an encoded digit', '/blog/%3029'],
  ['with an encoded slash', '/blog%2F029'],
  ['with half of a character', '/%C3'],
  ['with a lone percent sign', '/100%'],
])('an address %s leads to no page', (_, address) => {
  expect(pathAt(address)).toBe(NOT_FOUND)
})

test('an address is decoded once', () => {
  expect(pathAt('/%25C3%25BCber-uns')).toBe('/%C3%BCber-uns')
})

test('under a base, an address without it leads to no page', () => {
  expect(pathAt('/docs/%C3%BCber-uns', '/docs')).toBe('/über-uns')
  expect(pathAt('/docs/', '/docs')).toBe('/')
  for (const address of [
    '/',
    '/blog/029',
    '/docs',
    '/docsx/blog/029',
    '/DOCS/blog/029',
    '/%64ocs/a',
  ]) {
    expect(pathAt(address, '/docs'), address).toBe(NOT_FOUND)
  }
})
