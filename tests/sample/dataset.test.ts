/** The committed batches, and the dataset that `npm run build` makes of them. */
import { readFileSync } from 'node:fs'
import glob from 'fast-glob'
import { expect, test } from 'vitest'
import type { Page } from '../../scripts/samples/batches.ts'
import { lookUp } from '../../src/site/content/lookup.ts'

const read = (file: string): Page[] => JSON.parse(readFileSync(file, 'utf8'))
const { find } = lookUp(read('src/generated/dataset.json'))

test('a path that several batches claim shows the body of the first batch', async () => {
  const files = (await glob('raw-batches/*.json')).sort()
  const bodies = new Map<string, string[]>()
  for (const file of files) {
    for (const { path, contentHtml } of read(file)) {
      bodies.set(path, [...(bodies.get(path) ?? []), contentHtml])
    }
  }
  const contested = [...bodies.values()].filter((all) => new Set(all).size > 1)
  expect(contested.length).toBeGreaterThan(0)
  for (const [path, [first]] of bodies) expect(find(path)?.page.contentHtml, path).toBe(first)
})
