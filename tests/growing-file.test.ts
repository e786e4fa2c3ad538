import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fc, test } from '@fast-check/vitest'
import { afterAll, expect } from 'vitest'
import { Allocator } from '../src/dataset/allocator.ts'
import { Background } from '../src/pipeline/background.ts'
import { GrowingFile } from '../src/pipeline/growing-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'manyurls-'))
const background = new Background()
const allocator = new Allocator()
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await background.close()
})
let files = 0

const anySize = fc.oneof(fc.nat(50), fc.nat(400_000), fc.constantFrom(2 ** 20, 3_000_000))

test.prop(
  [fc.array(fc.record({ size: anySize, back: fc.nat(), waits: fc.boolean() })), fc.nat(9e5)],
  {
    numRuns: 60,
  },
)(
  'what was added can be read again at any time, and stands in the file at the end',
  async (steps, window) => {
    const name = join(folder, String(files++))
    const file = await GrowingFile.create(name, background, allocator)
    const pieces: { start: number; bytes: Buffer }[] = []
    for (const [step, { size, back, waits }] of steps.entries()) {
      const bytes = Buffer.alloc(size, `piece ${step} `)
      pieces.push({ start: file.size, bytes })
      file.add(bytes)
      if (waits) await new Promise((resolve) => setTimeout(resolve, 1))
      await file.ready()
      const piece = pieces[back % pieces.length] as (typeof pieces)[number]
      const { bytes: found, from } = file.read(piece.start, piece.bytes.length, window)
      expect(piece.bytes.equals(found.subarray(from, from + piece.bytes.length))).toBe(true)
    }
    const digest = await file.seal()
    await file.sync()
    await file.close()
    const whole = Buffer.concat(pieces.map(({ bytes }) => bytes))
    expect(whole.equals(readFileSync(name))).toBe(true)
    expect(digest).toEqual({
      sha256: createHash('sha256').update(whole).digest('hex'),
      bytes: whole.length,
    })
  },
  60_000,
)

test('a file that is there already is not written over', async () => {
  const name = join(folder, 'taken')
  await (await GrowingFile.create(name, background, allocator)).close()
  await expect(GrowingFile.create(name, background, allocator)).rejects.toThrow('EEXIST')
})
