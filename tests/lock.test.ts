import fs from 'node:fs'
import os from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { takeTurn } from '../src/pipeline/lock.ts'
import { createWorkspace } from './workspace.ts'

// No process has the ID 2^22, because Linux allows only smaller ones.
const GONE = 2 ** 22

function lockOf(holder: object) {
  const { folder } = createWorkspace()
  const lock = join(folder, '.lock')
  fs.mkdirSync(lock)
  const content = JSON.stringify({ host: os.hostname(), id: 'x', ...holder })
  fs.writeFileSync(join(lock, 'holder.json'), content)
  return { folder, lock }
}

function holderOf(folder: string) {
  return JSON.parse(fs.readFileSync(join(folder, '.lock/holder.json'), 'utf8'))
}

describe('a turn', () => {
  it('names its process and machine, and leaves nothing behind', async () => {
    const { folder } = createWorkspace()
    const before = fs.readdirSync(folder)
    const end = await takeTurn(folder)
    expect(holderOf(folder)).toMatchObject({ pid: process.pid, host: os.hostname() })
    end()
    expect(fs.readdirSync(folder)).toEqual(before)
  })

  it('is exclusive within one process, too', async () => {
    const { folder } = createWorkspace()
    let holders = 0
    let most = 0
    const work = async () => {
      const end = await takeTurn(folder)
      most = Math.max(most, ++holders)
      await new Promise((resolve) => setTimeout(resolve, 5))
      holders--
      end()
    }
    await Promise.all(Array.from({ length: 8 }, work))
    expect(most).toBe(1)
  })

  it('is taken over at once from a process that is gone', async () => {
    const { folder } = lockOf({ pid: GONE })
    const end = await takeTurn(folder, { wait: 0 })
    expect(holderOf(folder).pid).toBe(process.pid)
    end()
  })

  it('is taken over from an earlier process with the same ID', async () => {
    const { folder } = lockOf({ pid: process.pid })
    const end = await takeTurn(folder, { wait: 0 })
    end()
  })

  it('of a process that is gone is taken over by only one other process', async () => {
    const { folder, lock } = lockOf({ pid: GONE })
    // Another process is about to take it over.
    fs.mkdirSync(`${lock}-x`)
    await expect(takeTurn(folder, { wait: 0 })).rejects.toThrow('has been writing')
    expect(holderOf(folder).pid).toBe(GONE)
  })

  it.each([
    ['a running process', { pid: process.ppid }, `process ${process.ppid} on`],
    ['a process on another machine', { pid: GONE, host: 'elsewhere' }, `${GONE} on elsewhere has`],
  ])('of %s is waited for, then reported with what to do', async (_, holder, words) => {
    const { folder, lock } = lockOf(holder)
    const waited = takeTurn(folder, { wait: 50 })
    await expect(waited).rejects.toThrow(words)
    await expect(waited).rejects.toThrow(`or remove ${lock} if it is gone`)
  })

  it('is no longer waited for once the build is interrupted', async () => {
    const { folder } = lockOf({ pid: process.ppid })
    const signal = AbortSignal.abort(new Error('stopped'))
    await expect(takeTurn(folder, { signal })).rejects.toThrow('stopped')
  })
})
