import { describe, expect, test } from 'vitest'
import { addressOf } from '../../src/page/address.ts'
import { FIELD_TYPES, HONEYPOT } from '../../src/page/form-fields.ts'
import { checkFooter, checkPages, SiteLinks, UnshowableError } from '../../src/static/check-site.ts'
import { emailField, nameField, page } from '../helpers/page.ts'

const check = (...paths: string[]) => checkPages(paths.map((path) => page({ path })))

test.each([
  ...['/about', '/guides/a/b', '/über-uns', '/a b', '/a.b/c~d', '/...', "/it's & more;=1"],
  ...['/漢字/😀', '/assets/x', '/dataset.json', '/console/auxiliary', `/${'x'.repeat(247)}`],
  ...['/immutable-as-it-is', '/404/more', '/blog/api/forms'],
])('%s can be a page', (path) => {
  expect(() => check(path)).not.toThrow()
  expect(new URL(path, 'http://localhost').pathname).toBe(addressOf(path))
})

test.each([
  ...['', '/', 'a', '//', '//a', '/a/', '/a//b', '/../a', '/a/..', '/./a', '/a/./b', '/a\\..\\b'],
  ...['/a?b', '/a#b', '/a%20b', '/100%', '/a\u0000', '/a\nb', '/a\u007f', '/a ', '/ a', '/a /b'],
  ...['/[a]', '/a|b', '/a^b', '/"a"', '/<a>', '/`a`', '/{a}', '/\ud800', `/${'x'.repeat(248)}`],
])('%j stops the build and is named', (path) => {
  expect(() => check('/a', path)).toThrow(UnshowableError)
  expect(() => check('/a', path)).toThrow(
    `${JSON.stringify(path)} cannot be shown: The site can't show`,
  )
})

test.each(['/con', '/aux/001', '/a/NUL.txt', '/com1', '/LPT²/a'])(
  '%s stops the build: it cannot be a file on Windows',
  (path) => {
    expect(() => check(path)).toThrow(`"${path}" cannot be shown: The site can't have a file`)
  },
)

test('an instant of 1970 is one', () => {
  expect(() => checkPages([page({ updatedAt: '1970-01-01T00:00:00Z' })])).not.toThrow()
})

test('one run names all pages that others name and that are not there', () => {
  const pages = [page({ path: '/a' }), page({ path: '/b' })]
  const names = () => checkPages(pages, { others: ({ path }) => ['/a', `${path}/x`] })
  expect(names).toThrow('/a names /a/x, but no page is there')
  expect(names).toThrow('/b names /b/x, but no page is there')
})

test('a fact leads where a link in a body may lead', () => {
  const facts = (href: string) => () =>
    checkPages([page()], { facts: () => [['Source', { href }]] })
  for (const href of ['https://example.com/?a=1', 'mailto:a@example.com', '/a', '#a']) {
    expect(facts(href), href).not.toThrow()
  }
  for (const href of ['javascript:alert(1)', '//example.com', 'example.com', 'data:text/html,x']) {
    expect(facts(href), href).toThrow(`The fact "Source" of "content.facts" leads to "${href}"`)
  }
})

test('a link of the footer leads where a link in a body may lead', () => {
  const footer = (href: string) => () => checkFooter([{ href, text: 'Imprint' }])
  for (const href of ['https://example.com/?a=1', 'mailto:a@example.com', '/a', '#a']) {
    expect(footer(href), href).not.toThrow()
  }
  for (const href of ['javascript:alert(1)', '//example.com', 'example.com', 'data:text/html,x']) {
    expect(footer(href), href).toThrow(
      `The link "Imprint" in "footerLinks" of src/site.ts leads to "${href}"`,
    )
  }
})

test('the image on a card has an address that an image in a body may have', () => {
  const image = (src: string) => () => checkPages([page()], { image: () => ({ src, alt: '' }) })
  for (const src of ['https://example.com/a.png', '/a.png']) expect(image(src), src).not.toThrow()
  expect(image('a.png')).toThrow('"/blog/029" cannot be shown: "content.image" returns')
})

test('a group is a text or a list of texts', () => {
  const group = (returned: unknown) => () =>
    checkPages([page()], { group: () => returned as string })
  expect(group(['a', 'b'])).not.toThrow()
  expect(group([5])).toThrow('"content.group" must return a text or a list of texts')
})

test.each([
  ...[
    '/404',
    '/index',
    '/guides/index',
    '/Index',
    '/robots.txt',
    '/sitemap.xml',
    '/sitemap-2.xml',
    '/_headers',
  ],
  ...['/site.json', '/immutable', '/immutable/x', '/IMMUTABLE/x', '/healthz', '/readyz'],
  ...['/api/forms/blog/029', '/forms/received/x', '/a.html', '/a.html/b', '/a.gz'],
])('%s belongs to the site, which stops the build', (path) => {
  expect(() => check(path)).toThrow(`"${path}" cannot be shown: The site itself uses the address`)
})

test('every page that cannot be shown is named, up to 20', () => {
  const paths = Array.from({ length: 22 }, (_, at) => `/${at}?`)
  const named = paths.slice(0, 20).map((path) => expect.stringContaining(`"${path}" cannot be`))
  try {
    check('/a', ...paths)
    expect.unreachable()
  } catch (error) {
    expect((error as Error).message.split('\n')).toEqual([...named, 'And 2 more.'])
  }
})

test.each([
  ['/a', '/A'],
  ['/über/x', '/u\u0308ber/x'],
])('%s and %s would be one document on some disks, which stops the build', (one, other) => {
  expect(() => check(one, '/b', other)).toThrow(
    `"${other}" cannot be shown: On some disks, it is the same file as ${one}.`,
  )
})

/** Fields that a form can't show, or its receiver can't receive, and the messages about them. */
const FIELDS: [field: object, message: string][] = [
  [{ name: 'name' }, '/name: "name" is already the name of field 1.'],
  ...['', 7, HONEYPOT].map((name): [object, string] => [
    { name },
    '/name: "name" must be text, and not "',
  ]),
  [{ label: undefined }, ': This field has no "label", which must be text.'],
  [{ type: 'color' }, '/type: "type" must be one of "text", "email", "tel"'],
  [{ placeholder: 7 }, '/placeholder: "placeholder" must be text, but it is 7.'],
  [{ required: 'false' }, '/required: "required" must be true or false'],
  [{ type: 'select' }, '/type: A "select" needs "options": a list of'],
  ...[[], 'a', [''], ['a', 'a'], [1]].map((options): [object, string] => [
    { type: 'select', options },
    '/options: "options" must be a list of different texts, none of them empty',
  ]),
]

test.each<[key: string, value: unknown, message: string]>([
  ['title', undefined, 'This record has no title. The site needs one.'],
  ['title', 7, 'The site needs a title that is text, but here it is 7.'],
  ['contentHtml', null, 'The site needs a "contentHtml" that is text, but here it is null.'],
  ['language', 'English', 'The site needs a language tag'],
  ['language', 'de-DE-DE', 'The site needs a language tag'],
  ['form', {}, 'form: A form must be null, or an object with a list "fields".'],
  ...FIELDS.map(([field, message]): [string, unknown, string] => [
    'form',
    { fields: [nameField, { ...emailField, ...field }] },
    `form/fields/1${message}`,
  ]),
  ['updatedAt', '2025-02-30T10:15:00Z', 'The site needs a date and time'],
])('a page whose %s is %j is named, with the key', (key, value, message) => {
  expect(() => checkPages([page({ path: '/a' }), page({ [key]: value })])).toThrow(
    `"/blog/029" cannot be shown: ${message}`,
  )
})

test('a field whose name would hide a part of its form from scripts is named', () => {
  const withField = (name: string) => () =>
    checkPages([page({ path: '/a', form: { fields: [{ ...nameField, name }] } })])
  for (const name of ['parentNode', 'nodeName', 'appendChild']) {
    expect(withField(name), name).toThrow(
      `"/a" cannot be shown: A field can't have the name "${name}"`,
    )
  }
  for (const name of ['reset', 'name', 'action', 'title']) {
    expect(withField(name), name).not.toThrow()
  }
})

test('a form may have every type of field; a page may lack its form, language and times', () => {
  const fields = Object.keys(FIELD_TYPES).map((type) => {
    return { name: type, label: type, type, required: true, options: ['a'] }
  })
  const { path, title, contentHtml } = page()
  expect(() => checkPages([{ path, title, contentHtml }])).not.toThrow()
  for (const language of ['pt-BR', 'en-u-nu-latn', 'sr-Latn-RS']) {
    expect(() => checkPages([page({ form: { fields }, ...{ language } })])).not.toThrow()
  }
})

/** Its images may come from these sites. */
const POLICY =
  "default-src 'none'; img-src 'self' https://a.example https://*.b.example; base-uri 'none'"

describe('an image of another site', () => {
  function checkImage(src: string, policy = POLICY) {
    const links = new SiteLinks(policy, 'https://me.example/docs')
    links.add('/a/b', `<p class="src"><img alt="" src="${src}"></p>`)
    links.check(new Set(['docs/own.png', 'own.png']))
  }

  test.each([
    'https://a.example/x.png',
    'https://www.b.example/x.png',
    'https://me.example/docs/own.png',
    '/docs/own.png',
  ])('such as %s is shown if the policy allows it', (src) => {
    expect(() => checkImage(src)).not.toThrow()
  })

  test.each([
    'https://other.example/x.png',
    'https://a.example.other/x.png',
    'https://b.example/x.png',
    '//other.example/x.png',
  ])('such as %s is named with its page if browsers would block it', (src) => {
    expect(() => checkImage(src)).toThrow(
      `"/a/b" shows the image "${src}", which browsers would block. Add its site to "img-src" in src/static/policy.ts, or the image to src/public/.`,
    )
  })

  test.each([
    ...['*', 'https:', 'http:', 'other.example', '*.example', 'https://other.example:443'],
    ...['https://other.example/x.png', 'https://*.example/images/', 'HTTPS://Other.example'],
  ])('is shown if the policy has the source %s, which may allow it', (source) => {
    expect(() => checkImage('https://other.example/x.png', `img-src ${source}`)).not.toThrow()
  })

  test('is not judged if it has no address', () => {
    expect(() => checkImage('https://[x/a.png')).not.toThrow(TypeError)
  })
})

describe('an address in a document', () => {
  const FILES = ['index', '404', 'a/b', 'kürbis'].map((name) => `${name}.html`)
  const files = new Set([...FILES, 'immutable/a.js', 'my cake.png'])

  /** Checks the address of a document at `/docs/a/b`. */
  function checkLink(written: string, address?: string) {
    const links = new SiteLinks(POLICY, address)
    links.add('/a/b', `<p>src="/nowhere"</p><a href="${written}">`)
    links.check(files)
  }

  test.each([
    ...[
      '/docs/',
      '/docs/a/b?c#d',
      '/docs/k%C3%BCrbis',
      '#a',
      '/docs/?a=1&amp;b',
      '../immutable/a.js',
    ],
    ...['/docs/my%20cake.png', 'https://me.example/docs/a/b', 'https://me.example/other'],
    ...['mailto:a@b.c', '//x.example/a'],
  ])('such as %s leads to a document, a file or another site', (written) => {
    expect(() => checkLink(written, 'https://me.example/docs')).not.toThrow()
  })

  test.each([
    ...['/a/b', '/docs', '/docs/a/c', '/docs/a/b.html', '/docs/immutable/b.css', '/docs/none.png'],
    ...['/docs/%61/b', '/docs/404', '//['],
  ])('such as %s leads nowhere, and is named with the page that has it', (written) => {
    expect(() => checkLink(written, 'https://me.example/docs')).toThrow(
      `"/a/b" names "${written}", but the site has no such page or file. Correct the address, or add the file to src/public/.`,
    )
  })

  test('that no document has, such as that of the image on a card, is checked, too', () => {
    const checkAddress = (address: string) => {
      const links = new SiteLinks(POLICY, 'https://me.example/docs')
      links.addAddress('/', address)
      links.check(files)
    }
    for (const address of ['/docs/my cake.png', 'https://other.example/a.png'])
      expect(() => checkAddress(address), address).not.toThrow()
    expect(() => checkAddress('/docs/none.png')).toThrow('"/" names "/docs/none.png", but')
  })

  test('is of the root of its host if the site has no address', () => {
    expect(() => checkLink('/a/b')).not.toThrow()
    expect(() => checkLink('c')).toThrow('"/a/b" names "/a/c", but')
  })
})
