import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lookUp } from '../../src/app/lookup.ts'
import { partsFor, searchEntries, type WordIndex } from '../../src/app/search.ts'
import { wordsOf } from '../../src/app/search-words.ts'
import { allTexts, indexWords } from '../../src/static/index-files.ts'
import { page } from '../helpers/page.ts'
import { property } from '../helpers/property.ts'

/** Returns the paths that a text finds among pages with these bodies: /api/001, /api/002 and so on. */
function found(text: string, bodies: string[]): string[] {
  const pages = bodies.map((contentHtml, at) => {
    return page({ path: `/api/00${at + 1}`, title: `Api Page 00${at + 1}`, contentHtml })
  })
  const lookup = lookUp(pages.reverse())
  const { entries } = searchEntries(lookup.entries, text, indexWords(allTexts(lookup)).flat())
  return entries.map(({ path }) => path)
}

const BODIES = [
  '<p>The autumn workshop.</p><p>Caf\u00e9 &amp; cr&egrave;me</p>',
  '<p>WORKSHOPS in spring</p>',
  '<p>No work, no shop.</p>',
  '<p>Silben\u00adtrennung, CO₂, ﬁnden, ＡＢＣ, ｶﾞ, Ⅷ, می\u200cخواهم, كتـــاب, zero\u200bwidth</p>',
  '<p>&copy2026 &nbsp100 Größe und cœur, Łódź, smørrebrød, ISPARTA, ılık</p><p>C++, C# and .NET, § 5</p>',
  '<p>दिन</p><p>パン屋、日本の首都です。美しい街</p><p>한국</p><p>ข้าว</p>',
  '<p>दान</p><p>ハン</p><p>Müller, KÖLN, Århus</p><p>ฃาว</p>',
  '<p>Mueller</p><p>ёлка, чай</p><p>Αθήνα</p><p>שָׁלוֹם</p>',
]

test.each([
  ['a word of a body', 'autumn', ['/api/001']],
  ['the beginning of a word, if it comes last', 'workshop', ['/api/001', '/api/002']],
  ['a whole word, if another follows', 'work no', ['/api/003']],
  ['words in any order and case', 'WORKSHOP The', ['/api/001']],
  ['words of the title, the path and the body together', 'page 002 api spring', ['/api/002']],
  ['a word without its accent, or with one', 'cafe', ['/api/001']],
  ['an accent that the body lacks', 'spr\u00edng', ['/api/002']],
  ['a character reference', 'creme', ['/api/001']],
  ['what follows a character reference without its semicolon', '2026 100', ['/api/005']],
  ['ß, typed as ss', 'grosse', ['/api/005']],
  ['œ, typed as oe, or as it is', 'coeur cœur', ['/api/005']],
  ['ø and ł, typed as o and l', 'lodz smorrebrod', ['/api/005']],
  ['ı and İ of Turkish, typed as i, or i as one of them', 'ilik İsparta', ['/api/005']],
  ['a name with signs', 'C++', ['/api/005']],
  ['a sign of its own', '§', ['/api/005']],
  ['a word with a soft hyphen, typed without', 'silbentrennung', ['/api/004']],
  ['a word without what nobody sees, typed with it', 'work\u00adshop autumn', ['/api/001']],
  ['a space that nobody sees', 'zerowidth', ['/api/004']],
  [
    'a lower digit, a ligature, full width and a number of Rome',
    'co2 finden abc viii',
    ['/api/004'],
  ],
  ['Persian without the non-joiner, Arabic without the tatweel', 'میخواهم كتاب', ['/api/004']],
  ['a Hindi word, but not one with another vowel sign', 'दिन', ['/api/006']],
  ['a Japanese word, but not one with other letters', 'パン', ['/api/006']],
  ['a Chinese word within a sentence', '首都', ['/api/006']],
  ['a longer Chinese text within a sentence', '首都です', ['/api/006']],
  ['the first letter of a Chinese word', '首', ['/api/006']],
  ['the last letter of a sentence without spaces', '街', ['/api/006']],
  ['the letters of a Chinese word in another order: nothing', '都首', []],
  ['the beginning of a Korean syllable', '하', ['/api/006']],
  ['a Thai word, but not without its tone mark', 'ข้าว', ['/api/006']],
  ['a Thai word without its tone mark: nothing', 'ขาว', []],
  ['ü and ö, typed as ue and oe', 'mueller koeln', ['/api/007']],
  ['ü, typed as u', 'muller', ['/api/007']],
  ['Mueller, typed as Müller', 'müller', ['/api/007', '/api/008']],
  ['å, typed as aa', 'aarhus', ['/api/007']],
  ['ё and й, typed as е and и', 'елка чаи', ['/api/008']],
  ['Greek and Hebrew without their marks', 'αθηνα שלום', ['/api/008']],
  ['the inside of a word of a body: nothing', 'orkshop', []],
  ['the last letters of one paragraph with the first of the next: nothing', 'workshopcafe', []],
  ['the name of a tag or a character reference: nothing', 'amp', []],
])('%s is found', (_, text, paths) => {
  expect(found(text, BODIES)).toEqual(paths)
})

test('the index has the words in order, each with the steps from entry to entry', () => {
  const bodies = ['<p>b a b</p>', '<p>c</p>', '<p>a</p>', '<p>a b</p>']
  const pages = bodies.map((contentHtml, at) => page({ path: `/api/00${at + 1}`, contentHtml }))
  expect(indexWords(allTexts(lookUp(pages)))).toEqual([
    [
      ['a', [0, 2, 1]],
      ['b', [0, 3]],
      ['c', [1]],
    ],
  ])
})

test('only contentHtml is read as HTML', () => {
  const lookup = lookUp([page()], { searched: () => ['a <b>', undefined, '<p>&amp;</p>'] })
  const words = indexWords(allTexts(lookup)).flat()
  expect(words.map(([word]) => word)).toEqual(['a', 'amp', 'b', 'p', 'text'])
})

const word = fc.string({ unit: fc.constantFrom('x', 'y', 'ž'), minLength: 1, maxLength: 3 })
const someWords = fc.array(word, { minLength: 1, maxLength: 9 }).map((all) => all.join(' '))

property([
  fc.array(someWords, { minLength: 1 }),
  fc.array(word, { minLength: 1, maxLength: 2 }),
  fc.integer({ min: 1, max: 5 }),
])(
  'a text finds the same in the parts that it needs as in the whole index',
  (bodies, typed, most) => {
    const text = typed.join(' ')
    const pages = bodies.map((body, at) =>
      page({ path: `/api/00${at}`, contentHtml: `<p>${body}</p>` }),
    )
    const lookup = lookUp(pages)
    const parts = indexWords(allTexts(lookup), most)
    const named = parts.map((part, at) => [part[0]?.[0] ?? '', String(at)] as const)
    const rows = partsFor(text, named).flatMap((name) => parts[Number(name)] ?? [])
    const among = (index: WordIndex) => searchEntries(lookup.entries, text, index).entries
    expect(among(rows)).toEqual(among(parts.flat()))
    // A word that another follows is whole, and so in one part.
    expect(partsFor(`${text} 0`, named).length).toBeLessThanOrEqual(new Set(wordsOf(text)).size + 1)
  },
)
