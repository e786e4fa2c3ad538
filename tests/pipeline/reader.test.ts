import { expect, test } from 'vitest'
import { compileSchema } from '../../src/batch/schema/schema.ts'
import { LARGE, readBatches } from '../../src/pipeline/reader.ts'
import sample from '../helpers/batch.schema.json'
import { page } from '../helpers/page.ts'

const CODE = compileSchema(sample)

/** Reads a large delivery of three batches. @param check the code of the schema check */
async function readLarge(check: string) {
  const batches = ['a', 'b', 'c'].map((name) => ({ name, size: LARGE }))
  const source = {
    list: async () => batches,
    read: async (name: string) => {
      if (name === 'b') throw new Error('it is gone')
      return Buffer.from(JSON.stringify([page({ path: `/docs/00${name === 'a' ? 1 : 2}` })]))
    },
  }
  const schema = { check, marked: undefined }
  const read = []
  for await (const { name, problems, pages } of readBatches(source, batches, schema, 0)) {
    read.push([name, problems.map(({ message }) => message), pages.paths])
  }
  return read
}

test('a large delivery is read in order, and a batch that is gone is a problem', async () => {
  expect(await readLarge(CODE)).toEqual([
    ['a', [], ['/docs/001']],
    ['b', ['the file cannot be read: it is gone'], []],
    ['c', [], ['/docs/002']],
  ])
})

test.each([
  ['an error of a thread', 'throw new TypeError("broken")', 'broken'],
  [
    'a thread that ends',
    // With one core there are no threads.
    'if (require("node:worker_threads").isMainThread) throw new Error("exit"); process.exit(3)',
    /exit/,
  ],
])('%s ends the build with an error', async (_, code, message) => {
  await expect(readLarge(code)).rejects.toThrow(message)
})
