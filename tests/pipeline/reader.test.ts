import { expect, test } from 'vitest'
import { compileSchema } from '../../src/batch/schema/schema.ts'
import { readBatches } from '../../src/pipeline/reader.ts'
import schema from '../helpers/batch.schema.json'
import { page } from '../helpers/page.ts'

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
  const code = { sha256: '', check: compileSchema(schema) }
  const read = []
  for await (const { name, problems, pages } of readBatches(source, batches, code, 0)) {
    read.push([name, problems.map(({ message }) => message), pages.paths.length, begun.join('')])
  }
  expect(read).toEqual([
    ['a', [], 1, 'ab'],
    ['b', ['the file cannot be read: it is gone'], 0, 'abc'],
    ['c', [], 1, 'abcd'],
    ['d', [], 1, 'abcd'],
  ])
})
