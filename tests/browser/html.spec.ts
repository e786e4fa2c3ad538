/** Which HTML a body may have, asked of a browser: the wide list, and the list in use. */
import { expect } from '@playwright/test'
import { PARAGRAPHS, refusedMarkup, WIDE } from '../../src/page/html.ts'
import { ATTACKS } from '../helpers/attacks.ts'
import { base } from './built.ts'
import { test } from './hosts.ts'

test.use({ bypassCSP: true })

// Each attack also as a text or an address, and each of their addresses where one may stand.
const texts = ATTACKS.map((attack) =>
  attack.replace(/["<>]/g, (sign) => `&${{ '"': 'quot', '<': 'lt', '>': 'gt' }[sign]};`),
)
const addresses = ATTACKS.flatMap((attack) => attack.match(/(?<=\w=["']?)[^"'>]+/g) ?? [])
const BODIES = [
  ...ATTACKS,
  ...texts.map((text) => `<p>${text}<a href="/${text}">a</a><a href="#${text}">a</a></p>`),
  ...texts.map((text) => `<p><img src="/none/${text}" alt="${text}"></p>`),
  ...addresses.flatMap((at) => [`<a href="${at}">a</a>`, `<img src="${at}" alt="">`]),
  ...addresses.map((at) => `<a href="mailto:${at}">a</a><a href="https://a.example/${at}">a</a>`),
]

for (const [name, list] of Object.entries({ wide: WIDE, shipped: PARAGRAPHS })) {
  test(`the ${name} list lets nothing through that a browser runs, styles or opens as a script, without a policy`, async ({
    tab,
  }) => {
    const refused = refusedMarkup(list)
    const bodies = BODIES.filter((html) => !refused.test(html))
    if (list === WIDE) expect(bodies.length).toBeGreaterThan(3 * ATTACKS.length)

    await tab.goto(`${base}/`)
    // Nothing that a body asks for leaves this machine.
    await tab.route('**', (route) => route.abort())
    const allowed = Object.entries(list).flatMap(([name, keys]) => [name, ...Object.keys(keys)])
    const active = await tab.evaluate(
      ({ bodies, allowed }) => {
        const place = document.body.appendChild(document.createElement('div'))
        return bodies.flatMap((html) => {
          place.innerHTML = html
          return [...place.querySelectorAll<HTMLAnchorElement>('*')].flatMap((element) => {
            const { localName, protocol = 'https:' } = element
            const names = [localName, ...element.getAttributeNames()]
            const isInert =
              /^(https?|mailto):$/.test(protocol) &&
              !names.some((name) => /^(on|style|srcdoc|script|iframe|object|embed)/.test(name))
            return isInert && names.every((name) => allowed.includes(name)) ? [] : [html]
          })
        })
      },
      { bodies, allowed },
    )
    expect(active).toEqual([])
    expect(await tab.evaluate(() => 'ran' in window)).toBe(false)
  })
}
