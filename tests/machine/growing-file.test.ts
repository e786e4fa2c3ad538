import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { GrowingFile } from '../../src/machine/growing-file.ts'
import { times } from '../helpers/long.ts'
import { property } from '../helpers/property.ts'

const folder = mkdtempSync(join(tmpdir(), 'manyurls-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let files = 0

const anySize = fc.oneof(fc.nat(50), fc.nat(400_000), fc.constantFrom(2 ** 20, 3_000_000))

property([fc.array(fc.record({ size: anySize, back: fc.nat() }))], { numRuns: times(10) })(
  'added bytes can be read at any time, and are in the file at the end',
  (steps) => {
    const name = join(folder, String(files++))
    const file = new GrowingFile(name)
    const pieces: { start: number; bytes: Buffer }[] = []
    for (const [step, { size, back }] of steps.entries()) {
      const bytes = Buffer.alloc(size, `piece ${step} `)
      pieces.push({ start: file.size, bytes })
      file.add(bytes)
      const piece = pieces[back % pieces.length] as (typeof pieces)[number]
      expect(file.read(piece.start, piece.bytes.length).equals(piece.bytes)).toBe(true)
    }
    const digest = file.seal()
    file.close()
    const whole = Buffer.concat(pieces.map(({ bytes }) => bytes))
    expect(whole.equals(readFileSync(name))).toBe(true)
    expect(digest).toEqual({
      sha256: createHash('sha256').update(whole).digest('hex'),
      bytes: whole.length,
    })
    rmSync(name)
  },
)

test('an existing file is not overwritten', () => {
  const name = join(folder, 'taken')
  new GrowingFile(name).close()
  expect(() => new GrowingFile(name)).toThrow('EEXIST')
})
