import { expect, test } from 'vitest'
import { readBatches } from '../../src/pipeline/reader.ts'
import { content } from '../helpers/content.ts'
import { compileCheck, page } from '../helpers/page.ts'

test('the disk reads the next batch while one is checked; one that is gone is a problem', async () => {
  const batches = ['a', 'b', 'c', 'd'].map((name) => ({ name, size: 0 }))
  const begun: string[] = []
  const source = {
    list: async () => batches,
    read: async (name: string) => {
      begun.push(name)
      if (name === 'b') throw new Error('it is gone')
      return Buffer.from(JSON.stringify([page()]))
    },
  }
  const reading = { check: compileCheck(), content }
  const read = []
  for await (const { name, problems, pages } of readBatches(
    source,
    batches,
    { sha256: '' },
    reading,
    0,
  )) {
    read.push([name, problems.map(({ message }) => message), pages.paths.length, begun.join('')])
  }
  expect(read).toEqual([
    ['a', [], 1, 'ab'],
    ['b', ['the file cannot be read: it is gone'], 0, 'abc'],
    ['c', [], 1, 'abcd'],
    ['d', [], 1, 'abcd'],
  ])
})
