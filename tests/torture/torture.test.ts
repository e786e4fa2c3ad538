import { describe, expect, it } from 'vitest'
import { isLong } from '../helpers/long.ts'
import { newDatabase } from '../helpers/postgres.ts'
import { newProject } from '../helpers/serve.ts'
import { Disk } from './disk.ts'
import { killReceiver } from './kill.ts'

const nothing = () => false
const everything = () => true

/** A disk with a file whose name and content are flushed. */
function diskWith(content: string): Disk {
  const disk = new Disk('/disk')
  disk.apply({ kind: 'make file', path: '/disk/a' })
  disk.apply({ kind: 'write', path: '/disk/a', at: 0, bytes: Buffer.from(content) })
  disk.apply({ kind: 'flush', path: '/disk/a' })
  disk.apply({ kind: 'flush', path: '/disk' })
  return disk
}

const texts = (files: ReadonlyMap<string, Buffer>) =>
  Object.fromEntries([...files].map(([path, bytes]) => [path, bytes.toString('latin1')]))

it('unflushed data may or may not survive a power cut', () => {
  const disk = diskWith('old')
  disk.apply({ kind: 'write', path: '/disk/a', at: 0, bytes: Buffer.from('new!') })
  expect(texts(disk.afterPowerCut(nothing))).toEqual({ a: 'old' })
  expect(texts(disk.afterPowerCut(everything))).toEqual({ a: 'new!' })
  disk.apply({ kind: 'flush', path: '/disk/a' })
  expect(texts(disk.afterPowerCut(nothing))).toEqual({ a: 'new!' })
})

it('an unflushed truncation or removal may be undone by a power cut', () => {
  const disk = diskWith('old')
  disk.apply({ kind: 'truncate', path: '/disk/a', size: 0 })
  expect(texts(disk.afterPowerCut(nothing))).toEqual({ a: 'old' })
  expect(texts(disk.afterPowerCut(everything))).toEqual({ a: '' })
  disk.apply({ kind: 'remove', path: '/disk/a' })
  expect(texts(disk.afterPowerCut(nothing))).toEqual({ a: 'old' })
  expect(texts(disk.afterPowerCut(everything))).toEqual({})
  disk.apply({ kind: 'flush', path: '/disk' })
  expect(texts(disk.afterPowerCut(nothing))).toEqual({})
})

it('a power cut removes a flushed file if its folder or the parent folder was not flushed', () => {
  const disk = new Disk('/disk')
  disk.apply({ kind: 'make folder', path: '/disk/data' })
  disk.apply({ kind: 'make file', path: '/disk/data/a' })
  disk.apply({ kind: 'write', path: '/disk/data/a', at: 0, bytes: Buffer.from('a') })
  disk.apply({ kind: 'flush', path: '/disk/data/a' })
  expect(texts(disk.afterPowerCut(nothing))).toEqual({})
  disk.apply({ kind: 'flush', path: '/disk/data' })
  expect(texts(disk.afterPowerCut(nothing))).toEqual({})
  disk.apply({ kind: 'flush', path: '/disk' })
  expect(texts(disk.afterPowerCut(nothing))).toEqual({ 'data/a': 'a' })
})

it('a power cut tears a write at sector boundaries', () => {
  const disk = diskWith('.'.repeat(1500))
  disk.apply({ kind: 'write', path: '/disk/a', at: 500, bytes: Buffer.from('x'.repeat(800)) })
  const parts = [true, false, true]
  const { a } = texts(disk.afterPowerCut(() => parts.shift() as boolean))
  const torn = ['.'.repeat(500), 'x'.repeat(12), '.'.repeat(512), 'x'.repeat(276), '.'.repeat(200)]
  expect(a).toBe(torn.join(''))
  expect(parts).toEqual([])
})

describe.runIf(isLong).each(['SQLite', 'Postgres'])('with a store in %s', (place) => {
  it('a receiver that is killed has stored and announced every post that it acknowledged', async () => {
    const databaseUrl = place === 'SQLite' ? undefined : await newDatabase()
    const [rounds, posts] = [20, 200]
    const options = { rounds, posts, databaseUrl, root: newProject() }
    const { acknowledged, announced, counted, lost, faults } = await killReceiver(options)
    expect(acknowledged).toBeGreaterThanOrEqual(rounds * posts)
    // A slow machine leaves more for lists, and a long list counts those that it does not name.
    expect(announced.size + counted).toBeGreaterThanOrEqual(rounds * posts)
    expect({ lost, faults }).toEqual({ lost: [], faults: [] })
  })
})
