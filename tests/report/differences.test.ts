import { expect, test } from 'vitest'
import { compareValues, type Part } from '../../src/report/html/differences.ts'
import { anyText, property } from '../helpers/property.ts'

/** Returns parts as one text, with the marked ones in brackets. */
function written(parts: readonly Part[]): string {
  return parts.map(({ text, isMarked }) => (isMarked ? `[${text}]` : text)).join('')
}

/** Returns the excerpts of two values. */
function compared(kept: unknown, dropped: unknown): [kept: string, dropped: string] {
  const difference = compareValues('key', kept, dropped)
  return [written(difference.kept.excerpt), written(difference.dropped.excerpt)]
}

test.each<[kept: unknown, dropped: unknown, shown: [string, string]]>([
  ['One two three.', 'One TWO three.', ['One [two] three.', 'One [TWO] three.']],
  ['One two.', 'One two three.', ['One two.', 'One two[ three].']],
  ['2025-08-28', '2025-08-29', ['2025-08-[28]', '2025-08-[29]']],
  [
    'до девяти часов утра',
    'до десяти часов утра',
    ['до [девяти] часов утра', 'до [десяти] часов утра'],
  ],
  [
    'ως τις εννέα το πρωί',
    'ως τις δέκα το πρωί',
    ['ως τις [εννέα] το πρωί', 'ως τις [δέκα] το πρωί'],
  ],
  [
    'パンの店は月曜日が休みです',
    'パンの店は火曜日が休みです',
    ['パンの店は[月曜日]が休みです', 'パンの店は[火曜日]が休みです'],
  ],
  [5, 6, ['[5]', '[6]']],
  [5, '5', ['[5]', '["5"]']],
  [null, { a: 1 }, ['[null]', '[{"a":1}]']],
  [undefined, 'One', ['', '[One]']],
  ['', 'One', ['[""]', '[One]']],
])('of %j and %j, the words that differ are marked', (kept, dropped, shown) => {
  expect(compared(kept, dropped)).toEqual(shown)
})

test('a word that two sentences share by chance does not divide what differs', () => {
  const [kept, dropped] = compared('The red car can turn to the left.', 'My cat can eat the soup.')
  expect(kept).toBe('[The red car can turn to the left].')
  expect(dropped).toBe('[My cat can eat the soup].')
})

test('a word that two Russian sentences share by chance does not divide what differs', () => {
  const [kept, dropped] = compared(
    'Красная машина может ехать домой.',
    'Моя кошка может спать весь день.',
  )
  expect(kept).toBe('[Красная машина может ехать домой].')
  expect(dropped).toBe('[Моя кошка может спать весь день].')
})

test('a long value is cut before the first difference, and folded after it', () => {
  const start = 'same '.repeat(100)
  const end = ' and more'.repeat(100)
  const { kept, dropped } = compareValues('key', `${start}one${end}`, `${start}two${end}`)
  expect(written(kept.excerpt)).toMatch(/^…(same )+\[one\]( and more)+( and)?$/)
  expect(written(dropped.excerpt)).toMatch(/^…(same )+\[two\]( and more)+( and)?$/)
  expect(written(kept.excerpt).length).toBeLessThan(400)
  expect(written(kept.excerpt) + written(kept.rest)).toMatch(/and more$/)
})

test('a value of megabytes is compared in its first thousands of characters', () => {
  const long = (word: string) => `${word} `.repeat(1_000_000)
  const { kept } = compareValues('key', long('one'), long('two'))
  const text = written([...kept.excerpt, ...kept.rest])
  expect(text.length).toBeLessThan(4_000)
  expect(text).toMatch(/…\]?$/)
})

test('two long texts that have little in common are marked from the first difference to the end', () => {
  const textOf = (word: string) => Array.from({ length: 150 }, (_, at) => `${word}${at}`).join(' ')
  const end = 'and an end that both have'
  const { kept } = compareValues('key', `<p>${textOf('a')} ${end}`, `<p>${textOf('b')} ${end}`)
  const text = written([...kept.excerpt, ...kept.rest])
  expect(text).toMatch(/^<p>\[a0 a1 /)
  expect(text).toMatch(/ a149 and an end that both have\]$/)
})

property([anyText, anyText, anyText])(
  'what is shown of short values is the values, well-formed, with at least one mark',
  (start, one, other) => {
    const [kept, dropped] = [`${start}${one}`, `${start}${other}`]
    if (kept === dropped || kept === '' || dropped === '') return
    const difference = compareValues('key', kept, dropped)
    const parts = (value: typeof difference.kept) => [...value.excerpt, ...value.rest]
    const texts = (value: typeof difference.kept) =>
      parts(value)
        .map(({ text }) => text)
        .join('')
    expect(texts(difference.kept)).toBe(kept)
    expect(texts(difference.dropped)).toBe(dropped)
    const all = [...parts(difference.kept), ...parts(difference.dropped)]
    expect(all.some(({ isMarked }) => isMarked)).toBe(true)
    for (const { text } of all) expect(text.isWellFormed()).toBe(true)
  },
)
