/** What .github/workflows/ci.yml names is there: Vitest ignores a name that matches no test. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fg from 'fast-glob'
import { expect, test } from 'vitest'
import { scripts } from '../package.json'

const ROOT = join(import.meta.dirname, '..')
const workflow = readFileSync(join(ROOT, '.github/workflows/ci.yml'), 'utf8')

/** The names of tests that Vitest runs, on one line or more. */
const VITEST = /npx vitest run -c tests\/vitest\.config\.ts((?:\s+[a-z-]+(?:\/[a-z-]*)+)+)/

test('every name of tests that the workflow runs matches a test', () => {
  const [, filters = ''] = VITEST.exec(workflow) ?? []
  const names = filters.trim().split(/\s+/)
  expect(names.length).toBeGreaterThan(5)

  const tests = fg.globSync('tests/**/*.test.ts', { cwd: ROOT })
  const unmatched = names.filter((name) => !tests.some((file) => file.includes(name)))
  expect(unmatched).toEqual([])
})

test('every npm script that the workflow runs exists', () => {
  const names = Array.from(workflow.matchAll(/npm run ([\w:-]+)/g), ([, name = '']) => name)
  expect(names.length).toBeGreaterThan(3)
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(names))
})
