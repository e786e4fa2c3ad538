/** The built site, whatever its content and its screens are. */
import { expect, type Page as Tab } from '@playwright/test'
import { POLICY } from '../../src/app/trusted-body.ts'
import { isLong } from '../helpers/long.ts'
import { faultsOf } from './axe.ts'
import { addressOf, base, DIST, kinds, NOWHERE, pages } from './built.ts'
import { textAt } from './documents.ts'
import { servePlainly, test } from './hosts.ts'
import { errorsIn } from './validity.ts'
import { answerForOtherSites, holdBack, hydrated, messagesOf } from './watch.ts'

const APP = /\/immutable\/index-.+\.js$/
const INDEX_AND_KINDS = [`${base}/`, ...kinds.map(({ path }) => addressOf(path))]
const NOT_FOUND = `${base}/404.html`

test.describe('every document', () => {
  // In one worker, which reads each document of `npm start` once.
  test.describe.configure({ mode: 'default' })
  // The policy of the document in the tab would forbid to parse others.
  test.use({ bypassCSP: true })

  const addresses = [`${base}/`, ...pages.map(({ path }) => addressOf(path))]

  test('is sent with the title, the body and the form of its page', async ({ request, tab }) => {
    for (const { path, title, contentHtml, form } of pages) {
      const html = await textAt(request, addressOf(path))
      expect(html, path).toContain(contentHtml)
      const { titles, forms } = await summaryOf(tab, html)
      expect(titles, path).toEqual([expect.stringContaining(title)])
      const sent = {
        action: `${base}/api/forms${path}`,
        names: form?.fields.map((each) => each.name),
      }
      expect(forms, path).toEqual(form ? [sent] : [])
    }
  })

  test('is the same from npm start and from a plain static server', async ({
    request,
    plainHost,
  }) => {
    for (const address of addresses) {
      expect(await textAt(request, plainHost + address)).toBe(await textAt(request, address))
    }
  })

  test('is for search engines, except Not found', async ({ request, plainHost, tab }) => {
    const response = await request.get(addressOf(NOWHERE))
    expect(response.status()).toBe(404)
    const html = await response.text()
    expect(html).toBe(await textAt(request, plainHost + NOT_FOUND))
    expect((await summaryOf(tab, html)).isForSearchEngines).toBe(false)
    for (const address of addresses) {
      const { isForSearchEngines } = await summaryOf(tab, await textAt(request, address))
      expect(isForSearchEngines, address).toBe(true)
    }
  })

  test('is valid HTML around the body of its page', async ({ request, plainHost }) => {
    expect(await errorsIn('<p><div></p>')).not.toEqual([])
    const bodies = new Map(pages.map(({ path, contentHtml }) => [addressOf(path), contentHtml]))
    for (const address of [...(isLong ? addresses : INDEX_AND_KINDS), NOT_FOUND]) {
      const html = await textAt(request, plainHost + address)
      // The last one: a title above it may have the same text.
      const body = bodies.get(address) ?? ''
      const start = html.lastIndexOf(`>${body}<`) + 1
      const around = html.slice(0, start) + html.slice(start + body.length)
      // The filter of the index applies each change at once.
      const except = address === `${base}/` ? ['wcag/h32'] : []
      expect(await errorsIn(around, except), address).toEqual([])
    }
  })

  test('has no inline script, style or event handler', async ({ request, plainHost, tab }) => {
    const inline = '<script>1</script><style></style><p style onclick>'
    expect((await summaryOf(tab, inline)).inline).toHaveLength(4)
    for (const address of [...addresses, NOT_FOUND]) {
      const { inline } = await summaryOf(tab, await textAt(request, plainHost + address))
      expect(inline, address).toEqual([])
    }
  })
})

test.describe('a visit', () => {
  test.beforeEach(({ tab }) => answerForOtherSites(tab))

  test('to npm start keeps the sent elements and writes nothing to the console', async ({
    tab,
    ownHost,
  }) => {
    const messages = messagesOf(tab)
    for (const address of [...INDEX_AND_KINDS, addressOf(NOWHERE)]) {
      await keepsTheSentElements(tab, ownHost + address)
      expect(messages, address).toEqual([])
    }
  })

  test('to a plain static server does too, at other addresses of a document as well', async ({
    tab,
  }) => {
    const host = await servePlainly(DIST, { fallback: '404.html', base })
    const messages = messagesOf(tab)
    const [page = ''] = kinds.map(({ path }) => addressOf(path))
    // Its documents are those of npm start, byte for byte. Only the headers and the addresses differ.
    const usual = [`${base}/`, page, addressOf(NOWHERE)]
    const others = [`${base}/index.html`, `${page}.html`, `${page}/`, `${base}/a/b/`, NOT_FOUND]
    for (const address of [...usual, ...others]) {
      await keepsTheSentElements(tab, host.address + address)
      expect(messages, address).toEqual([])
    }
    host.close()
  })

  for (const host of ['npm start', 'a plain static server']) {
    test(`to ${host} lets no string become markup or a script`, async ({
      tab,
      ownHost,
      plainHost,
    }) => {
      await tab.goto(`${host === 'npm start' ? ownHost : plainHost}${base}/`)
      await hydrated(tab)
      for (const attempt of [
        "document.body.innerHTML = '<b>x</b>'",
        "document.body.insertAdjacentHTML('beforeend', '<b>x</b>')",
        "document.write('<b>x</b>')",
        "document.createElement('script').text = '1'",
        "document.createElement('script').src = '/x.js'",
        "document.createElement('iframe').srcdoc = 'x'",
        "trustedTypes.createPolicy('another', {})",
        `trustedTypes.createPolicy('${POLICY}', {})`,
      ]) {
        await expect(tab.evaluate(attempt), attempt).rejects.toThrow('TypeError')
      }
      await expect(tab.locator('#root')).not.toBeEmpty()
    })
  }

  test.describe('with axe', () => {
    test('finds nothing on any kind of screen', async ({ tab }) => {
      for (const address of [...INDEX_AND_KINDS, addressOf(NOWHERE)]) {
        await test.step(address, async () => {
          await tab.goto(address)
          await hydrated(tab)
          expect.soft(await faultsOf(tab)).toEqual([])
        })
      }
    })
  })
})

/** Opens a document whose script runs later, and expects React to leave all of it in place. */
async function keepsTheSentElements(tab: Tab, address: string) {
  await test.step(address, async () => {
    const { release } = await holdBack(tab, APP)
    await tab.goto(address, { waitUntil: 'commit' })
    await tab.waitForFunction(() => document.readyState !== 'loading')
    const title = await tab.title()
    const sent = await tab.evaluateHandle(() => [...document.querySelectorAll('#root *')])
    release()
    await hydrated(tab)
    const found = await tab.evaluate((sent) => {
      // Above 240 cards, scripts add the button that shows more.
      const now = [...document.querySelectorAll('#root :not(.more, .more *)')]
      return { same: now.every((element, index) => element === sent[index]), count: now.length }
    }, sent)
    expect(found.count).toBeGreaterThan(0)
    expect(found).toEqual({ same: true, count: await sent.evaluate(({ length }) => length) })
    await expect(tab).toHaveURL(address)
    await expect(tab).toHaveTitle(title)
    await tab.unroute(APP)
  })
}

/** Returns what the browser's own parser finds in a document, without rendering it. */
function summaryOf(tab: Tab, html: string) {
  return tab.evaluate((html) => {
    const parsed = new DOMParser().parseFromString(html, 'text/html')
    return {
      titles: [...parsed.querySelectorAll('head > title')].map(({ textContent }) => textContent),
      forms: [...parsed.querySelectorAll<HTMLFormElement>('form[method="post"]')].map((form) => {
        const controls = form.querySelectorAll<HTMLInputElement>('[name]:enabled')
        return { action: form.getAttribute('action'), names: [...controls].map(({ name }) => name) }
      }),
      isForSearchEngines: !parsed.querySelector('meta[name="robots" i][content*="noindex" i]'),
      /** What only `unsafe-inline` would allow. */
      inline: [...parsed.querySelectorAll('*')].flatMap((element) => [
        ...(element.matches(
          'style, script:not([src], [type="application/json"]), [href^="javascript:" i]',
        )
          ? [element.tagName]
          : []),
        ...element.getAttributeNames().filter((name) => /^(on|style$|srcdoc$)/.test(name)),
      ]),
    }
  }, html)
}
