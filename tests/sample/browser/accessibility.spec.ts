/** Accessibility: WCAG 2.2 AA, as far as axe can check it, and use by keyboard alone. */
import { expect, type Page as Tab } from '@playwright/test'
import type { Page } from '../../../scripts/samples/batches.ts'
import { site } from '../../../src/site.ts'
import { faultsOf } from '../../browser/axe.ts'
import { servePlainly, test } from '../../browser/hosts.ts'
import { hydrated } from '../../browser/watch.ts'
import { pages, plain, unclaimed, withThreeFields } from './dataset.ts'
import { oddSite, withEveryField } from './odd-site.ts'

test.describe('axe', () => {
  test('finds nothing in a filtered index', async ({ tab }) => {
    for (const address of [`/?q=${plain.path}`, '/?q=nothing-has-this']) {
      await test.step(address, async () => {
        await tab.goto(address)
        await hydrated(tab)
        expect.soft(await faultsOf(tab)).toEqual([])
      })
    }
  })

  test('finds nothing in a form with every type of field', async ({ tab }) => {
    const host = await servePlainly(await oddSite())
    await tab.goto(host.address + withEveryField.path)
    await hydrated(tab)
    await expect(tab.getByRole('checkbox')).toBeVisible()
    const faults = await faultsOf(tab)
    host.close()
    expect(faults).toEqual([])
  })
})

test('in forced colors, axe finds nothing', async ({ tab }) => {
  for (const path of ['/', withThreeFields.path, unclaimed]) {
    await tab.emulateMedia({ forcedColors: 'active' })
    await tab.goto(path)
    await hydrated(tab)
    expect(await faultsOf(tab, { isForced: true })).toEqual([])
  }
})

test.describe('the Tab key', () => {
  test('reaches the filter and every card of the index, in their order', async ({ tab }) => {
    const [, category = ''] = plain.path.split('/')
    await tab.goto(`/?category=${category}`)
    await expect(tab.getByRole('searchbox')).toBeVisible()
    const filter = ['input q', 'select category', 'select form']
    const shown = pages.filter(({ path }) => path.startsWith(`/${category}/`))
    expect(await stopsOf(tab)).toEqual([...filter, ...shown.map(({ path }) => `a ${path}`)])
  })

  for (const [name, path, ways] of [
    [
      'a page with a form',
      withThreeFields.path,
      [
        ...placeOf(withThreeFields),
        ...['input name', 'input email', 'textarea message', `button ${site.words.submit}`],
        ...neighboursOf(withThreeFields),
      ],
    ],
    ['a page without a form', plain.path, [...placeOf(plain), ...neighboursOf(plain)]],
    [site.words.notFound, unclaimed, ['a /', 'a /']],
  ] as const) {
    test(`reaches all of ${name}, from the top down`, async ({ tab }) => {
      await tab.goto(path)
      await hydrated(tab)
      expect(await stopsOf(tab)).toEqual(ways)
    })
  }
})

/** Returns the links to the index by its name, back, and to the category of a page. */
function placeOf({ path }: Page): string[] {
  return ['a /', 'a /', `a /?category=${path.split('/')[1]}`]
}

/** Returns the links to the pages before and after a page. */
function neighboursOf(page: Page): string[] {
  const position = pages.indexOf(page)
  return pages.filter((_, at) => Math.abs(at - position) === 1).map(({ path }) => `a ${path}`)
}

/** Returns the stops of the Tab key, in order. Each must be in view with its whole outline. */
async function stopsOf(tab: Tab): Promise<string[]> {
  const stops: string[] = []
  for (;;) {
    await tab.keyboard.press('Tab')
    const stop = await tab.evaluate(() => {
      const { activeElement: element } = document
      if (!element || element === document.body) return undefined
      const says =
        element.getAttribute('name') ?? element.getAttribute('href') ?? element.textContent
      const { top, left, bottom, right } = element.getBoundingClientRect()
      const { outline, outlineWidth, outlineOffset } = getComputedStyle(element)
      const edge = parseFloat(outlineWidth) + parseFloat(outlineOffset)
      const isInView = Math.min(top, left, innerHeight - bottom, innerWidth - right) >= edge
      return { says: `${element.localName} ${says}`, isInView, outline }
    })
    if (stop === undefined) return stops
    const { says, isInView, outline } = stop
    expect(isInView, `whether ${says} is in sight`).toBe(true)
    expect(outline, `the outline of ${says}`).toMatch(/^rgb\(.*\) solid [2-9]px$/)
    stops.push(says)
    expect(stops.length).toBeLessThan(1000)
  }
}
