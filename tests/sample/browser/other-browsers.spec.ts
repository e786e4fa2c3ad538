/** A short visit in the Firefox and WebKit of the machine, for differences from Chromium. */
import { expect, test } from '@playwright/test'
import { site } from '../../../src/site/site.ts'
import { pages, plain } from './dataset.ts'
import { otherBrowsers, type Session } from './other-browsers.ts'

const [, category = ''] = plain.path.split('/')
const inCategory = pages.filter(({ path }) => path.startsWith(`/${category}/`))

for (const [name, open] of otherBrowsers()) {
  test(`${name} shows the index, filters it, opens a page and returns`, async ({ baseURL }) => {
    const session = await open()
    try {
      await visit(session, baseURL ?? '')
    } finally {
      await session.close()
    }
  })
}

async function visit({ goto, run }: Session, base: string) {
  const textOf = (selector: string) =>
    run(`return document.querySelector(${JSON.stringify(selector)})?.textContent`)
  const cards = () => run('return document.querySelectorAll(".cards a").length')
  await goto(base)
  expect(await textOf('h1')).toBe(site.name)
  expect(await cards()).toBe(pages.length)
  await expect.poll(() => run('return document.querySelector("[name=q]") !== null')).toBe(true)
  expect(
    await run(`return [
      getComputedStyle(document.querySelector('.masthead'), '::after').height,
      getComputedStyle(document.querySelector('select')).appearance,
    ]`),
  ).toEqual(['4px', 'none'])
  // Like typing: the prototype's setter bypasses React's tracking, and the event notifies React.
  await run(`
    const search = document.querySelector('[name=q]')
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(search, '${category}')
    search.dispatchEvent(new Event('input', { bubbles: true }))`)
  await expect.poll(cards).toBe(inCategory.length)
  await run(`document.querySelector('.cards a[href="${plain.path}"]').click()`)
  await expect.poll(() => textOf('h1')).toBe(plain.title)
  expect(await run('return location.pathname')).toBe(plain.path)
  expect(await run('return document.activeElement.localName')).toBe('h1')
  await run(`document.querySelector('.back a').click()`)
  await expect.poll(() => run('return location.search')).toBe(`?q=${category}`)
  await expect.poll(cards).toBe(inCategory.length)
  expect(await run('return document.activeElement.getAttribute("href")')).toBe(plain.path)
}
