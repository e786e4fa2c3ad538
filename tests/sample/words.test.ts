import { readFileSync } from 'node:fs'
import fg from 'fast-glob'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

/** Two words, or one that begins as a sentence does, and is no header. */
const WORDS = /^\p{Lu}\p{Ll}+(?![-\w])|\p{Ll}{2,}[,.…]* \p{Ll}{2,}/u

/** Returns the texts in a module that a visitor could read. */
function textsIn(file: string, source: string): string[] {
  const found: string[] = []
  const visit = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return
    const { type, value, name, ...inner } = Object(node)
    // Classes, and what an engineer reads.
    if (name?.name === 'className' || /^(Import|Throw|TS)/.test(type)) return
    // A regular expression is a literal, too.
    const text = type === 'TemplateElement' ? value.cooked : value
    if (type === 'JSXText' && /\p{L}/u.test(text)) found.push(text)
    const isText = typeof text === 'string' && /^(Literal|TemplateElement)$/.test(type)
    if (isText && WORDS.test(text) && !text.startsWith('<')) found.push(text)
    for (const each of [value, name, ...Object.values(inner)]) visit(each)
  }
  visit(parseSync(file, source).program)
  return found
}

test('no word that visitors read is outside of words.ts', () => {
  const escaped =
    "throw Error('No page'); <p className='a card' title='Two words'>Search {`all found`}{'Back'}</p>"
  expect(textsIn('a.tsx', escaped)).toEqual(['Two words', 'Search ', 'all found', 'Back'])
  const files = fg.sync([
    'src/site/screens/*',
    'src/site/static/render.tsx',
    'src/server/receive/{answers.ts,answer-documents.tsx,request.ts}',
  ])
  expect(files.length).toBeGreaterThan(10)
  for (const file of files) expect(textsIn(file, readFileSync(file, 'utf8')), file).toEqual([])
})
