import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fc, test } from '@fast-check/vitest'
import { afterAll, describe, expect } from 'vitest'
import schema from '../schema/batch.schema.json'
import { toGrammar } from '../src/dataset/grammar.ts'
import { RecordReader } from '../src/dataset/records.ts'
import { Background } from '../src/pipeline/background.ts'
import { compileCheck, page } from './page.ts'

const judge = { check: compileCheck(), grammar: toGrammar(schema) }
const reader = new RecordReader(judge, 20)
const background = new Background(reader)
afterAll(() => background.close())

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
/** In the memory that the thread shares. */
const inMemory = (bytes: Buffer) => {
  const block = reader.allocateBatch(bytes.length)
  bytes.copy(block)
  return block
}

describe('a digest', () => {
  // Some are made here, some in the other thread.
  const anyPieces = fc.array(fc.constantFrom(0, 1, 1_000, 262_143, 262_144, 400_000), {
    maxLength: 4,
  })

  test.prop([fc.array(anyPieces, { minLength: 1, maxLength: 4 })], { numRuns: 50 })(
    'is that of its own pieces, however those of others come between',
    async (digests) => {
      const pieces = digests.map((sizes, digest) =>
        sizes.map((size, piece) => Buffer.alloc(size, `digest ${digest} piece ${piece} `)),
      )
      const running = pieces.map(() => background.beginDigest())
      for (let piece = 0; piece < 4; piece++) {
        for (const [digest, each] of pieces.entries()) {
          const bytes = each[piece]
          if (bytes) running[digest]?.update(bytes)
        }
      }
      expect(await Promise.all(running.map((digest) => digest.end()))).toEqual(
        pieces.map((each) => sha256(Buffer.concat(each))),
      )
    },
  )

  test('may have its bytes changed again as soon as it says so', async () => {
    const block = inMemory(Buffer.alloc(1_000_000, 'a'))
    const digest = background.beginDigest()
    const expected = createHash('sha256')
    for (const letter of 'abcdef') {
      block.fill(letter)
      expected.update(block)
      await digest.update(block)
    }
    expect(await digest.end()).toBe(expected.digest('hex'))
  })
})

describe('a scan', () => {
  const pages = Array.from({ length: 2_000 }, (_, id) => page({ path: `/blog/${id % 90}` }))
  const batches = [pages, pages.slice(1), [...pages, { path: 7 }]].map((each) =>
    Buffer.from(JSON.stringify(each, null, 2)),
  )

  test('in the other thread says what a scan here does, of several batches at once', async () => {
    const here = new RecordReader(judge, 20)
    // By the first answer it has loaded what it scans with.
    await background.digest(Buffer.alloc(300_000))
    const blocks = batches.map(inMemory)
    const scans = blocks.map((block) => background.scan(block))
    const outcomes = await Promise.all(scans.map((scan) => scan?.outcome))
    expect(outcomes).toEqual([2_000, 1_999, 2_001])
    for (const [index, block] of blocks.entries()) {
      const there = reader.read('a.json', block, outcomes[index])
      const expected = here.read('a.json', batches[index] as Buffer)
      expect(there.problems).toEqual(expected.problems)
      for (;;) {
        const isThere = there.next()
        expect(isThere).toBe(expected.next())
        if (!isThere) break
        const [one, other] = [Buffer.alloc(there.size), Buffer.alloc(expected.size)]
        there.write(one, 0)
        expected.write(other, 0)
        expect(one.equals(other)).toBe(true)
      }
      reader.allocator.free(block)
    }
  })

  test('is taken back if it has not begun, and is not done there then', async () => {
    await background.digest(Buffer.alloc(300_000))
    const [first, second] = batches.slice(0, 2).map(inMemory) as [Buffer, Buffer]
    const done = background.scan(first)
    await done?.outcome
    expect(done?.takeBack()).toBe(false)
    // The thread is busy for as long as it takes to see that nothing is done after it.
    const digest = background.digest(Buffer.alloc(100_000_000))
    const scan = background.scan(second)
    expect(scan?.takeBack()).toBe(true)
    const spans = () => Buffer.from(second.buffer, second.byteOffset + second.length, 10_000)
    const before = sha256(spans())
    await digest
    expect(await scan?.outcome).toBeUndefined()
    expect(sha256(spans())).toBe(before)
    for (const block of [first, second]) reader.allocator.free(block)
  })

  test('of few bytes, or of some that the thread does not see, is left to the reader', async () => {
    await background.digest(Buffer.alloc(300_000))
    expect(background.scan(inMemory(Buffer.from('[]')))).toBeUndefined()
    expect(background.scan(Buffer.from(batches[0] as Buffer))).toBeUndefined()
  })
})

test('a thread that fails is told to all who wait for it, and to all who ask it later', async () => {
  const task = { start: 2 ** 31, end: 2 ** 31, span: 0, spansEnd: 0 }
  const lost = new Background({ program: reader.program, toScanTask: () => task })
  await lost.digest(Buffer.alloc(300_000))
  const [scan, digest] = [lost.scan(Buffer.alloc(300_000)), lost.digest(Buffer.alloc(300_000))]
  await expect(scan?.outcome).rejects.toThrow('out of bounds')
  await expect(digest).rejects.toThrow('out of bounds')
  await expect(lost.digest(Buffer.alloc(300_000))).rejects.toThrow('out of bounds')
  await lost.close()
})

test('nothing waits for a thread that has been ended, and none is started any more', async () => {
  const ended = new Background(reader)
  await ended.digest(Buffer.alloc(300_000))
  const running = ended.beginDigest()
  running.update(Buffer.alloc(300_000))
  await ended.close()
  await expect(running.end()).rejects.toThrow('ended')
  const never = new Background(reader)
  await never.close()
  expect(never.digest(Buffer.alloc(300_000))).toBe(sha256(Buffer.alloc(300_000)))
})

test('a build ends with its thread even where its folder is taken from it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-'))
  // What a build has made it removes, if it can.
  const out = join(folder, 'out')
  const root = join(import.meta.dirname, '..')
  const script = `
    import { rmSync } from 'node:fs'
    import { build } from ${JSON.stringify(join(root, 'src/pipeline/build.ts'))}
    const source = {
      list: async () => ['1.json', '2.json', '3.json', '4.json', '5.json', '6.json'],
      read: async (name) => {
        if (name === '5.json') rmSync(${JSON.stringify(out)}, { recursive: true })
        return Buffer.from('[' + ' '.repeat(300_000) + ']')
      },
    }
    const schema = ${JSON.stringify(join(root, 'schema/batch.schema.json'))}
    await build({ source, schema, out: ${JSON.stringify(out)} }).catch(() => console.log('failed'))
  `
  const { stdout, signal } = spawnSync(
    process.execPath,
    ['--import', 'tsx/esm', '--input-type=module', '-e', script],
    { cwd: root, encoding: 'utf8', timeout: 30_000 },
  )
  rmSync(folder, { recursive: true, force: true })
  expect({ stdout, signal }).toEqual({ stdout: 'failed\n', signal: null })
}, 60_000)
