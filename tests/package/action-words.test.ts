/** How the action splits its input `args`: as a shell splits a line. */
import { expect, test } from 'vitest'
import { wordsOf } from '../../src/package/action-words.ts'

test.each([
  ['', []],
  [' --strict\n  --all ', ['--strict', '--all']],
  [`--report 'my report.html'`, ['--report', 'my report.html']],
  ['--report="my report.html" --all', ['--report=my report.html', '--all']],
  [`data/'1 2'/"3 4".json`, ['data/1 2/3 4.json']],
  [`"it's" 'say "no"'`, [`it's`, 'say "no"']],
  [`"" x=''`, ['', 'x=']],
  ['data\\a.json', ['data\\a.json']],
])('%s is split as by a shell', (text, words) => {
  expect(wordsOf(text)).toEqual(words)
})

test.each(['"', `--report="my report.html`, `it's`, `"a" 'b`])(
  '%s is refused: a quote is open',
  (text) => {
    expect(wordsOf(text)).toBeUndefined()
  },
)
