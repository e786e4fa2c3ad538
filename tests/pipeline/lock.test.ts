import fs from 'node:fs'
import os from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { takeTurn } from '../../src/pipeline/disk/lock.ts'
import { times } from '../helpers/long.ts'
import { createWorkspace, run } from '../helpers/workspace.ts'

// No process has the ID 2^22, because Linux allows only smaller ones.
const GONE = 2 ** 22

function lockOf(holder: object) {
  const { folder } = createWorkspace()
  const lock = join(folder, '.lock')
  makeLock(lock, holder)
  return { folder, lock }
}

function makeLock(lock: string, holder: object) {
  fs.mkdirSync(lock)
  const content = JSON.stringify({ host: os.hostname(), id: 'x', ...holder })
  fs.writeFileSync(join(lock, 'holder.json'), content)
}

/** Runs a process that takes turns, and every other time leaves a lock of a process that is gone. */
function runTurns(folder: string, inside: string) {
  const module = new URL('../../src/pipeline/disk/lock.ts', import.meta.url)
  return run([
    ...['--import', 'tsx', '--input-type=module', '-e'],
    `import fs from 'node:fs'
    import { takeTurn } from ${JSON.stringify(module)}
    const [folder, inside] = ${JSON.stringify([folder, inside])}
    const holder = folder + '/.lock/holder.json'
    for (let round = 0; round < ${times(100)}; ) {
      // Looks without a pause, so that several often find the same process gone.
      const end = await takeTurn(folder, { wait: 0 }).catch(({ message }) => {
        if (!message.includes('has been writing')) throw message
      })
      if (!end) continue
      fs.mkdirSync(inside) // Fails if another process is inside.
      fs.rmdirSync(inside)
      if (round++ % 2) await end()
      else {
        const draft = folder + '/draft' // A lock never changes while others read it.
        fs.writeFileSync(draft, fs.readFileSync(holder, 'utf8').replace(process.pid, ${GONE}))
        fs.renameSync(draft, holder)
      }
    }`,
  ])
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

  it('that someone removed by hand ends like any other', async () => {
    const { folder } = createWorkspace()
    const end = await takeTurn(folder)
    fs.rmSync(join(folder, '.lock'), { recursive: true })
    await end()
    expect(fs.readdirSync(folder)).toEqual(['batches'])
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

  it('of a process that is gone is left to the process that is taking it over', async () => {
    const { folder, lock } = lockOf({ pid: GONE })
    makeLock(`${lock}-x`, { pid: process.ppid, id: 'y' })
    const waited = takeTurn(folder, { wait: 0 })
    await expect(waited).rejects.toThrow(`or remove ${lock} and ${lock}-x if it is gone`)
    expect(holderOf(folder).pid).toBe(GONE)
  })

  it.each<[string, (lock: string) => void]>([
    ['died', (lock) => makeLock(`${lock}-x`, { pid: GONE, id: 'y' })],
    [
      'died, as did another one after it',
      (lock) => {
        makeLock(`${lock}-x`, { pid: GONE, id: 'y' })
        makeLock(`${lock}-x-y`, { pid: GONE, id: 'z' })
      },
    ],
  ])('is taken over at once if the process that was taking it over %s', async (_, leave) => {
    const { folder, lock } = lockOf({ pid: GONE })
    leave(lock)
    const end = await takeTurn(folder, { wait: 0 })
    expect(holderOf(folder).pid).toBe(process.pid)
    await end()
    expect(fs.readdirSync(folder)).toEqual(['batches'])
  })

  // Windows cannot rename a folder onto an empty one.
  it.runIf(process.platform !== 'win32')(
    'is taken over at once if the process that was taking it over left an empty folder',
    async () => {
      const { folder, lock } = lockOf({ pid: GONE })
      fs.mkdirSync(`${lock}-x`)
      const end = await takeTurn(folder, { wait: 0 })
      await end()
      expect(fs.readdirSync(folder)).toEqual(['batches'])
    },
  )

  it.each(['', '{"pid":', '\0\0\0'])(
    'is taken over at once if its holder reads %j, as after a power cut',
    async (content) => {
      const { folder, lock } = lockOf({})
      fs.writeFileSync(join(lock, 'holder.json'), content)
      const end = await takeTurn(folder, { wait: 0 })
      expect(holderOf(folder).pid).toBe(process.pid)
      await end()
      expect(fs.readdirSync(folder)).toEqual(['batches'])
    },
  )

  it.each<[string, (lock: string) => void]>([
    ['a file', (lock) => fs.writeFileSync(lock, '')],
    ['of another format', (lock) => makeLock(lock, { id: '../..' })],
    [
      'a folder of other files',
      (lock) => {
        fs.mkdirSync(lock)
        fs.writeFileSync(join(lock, 'notes'), '')
      },
    ],
  ])('that is %s is waited for, then named', async (_, make) => {
    const { folder } = createWorkspace()
    const lock = join(folder, '.lock')
    make(lock)
    await expect(takeTurn(folder, { wait: 0 })).rejects.toThrow(
      `another process has been writing ${folder} for 0 seconds; try again when it is done, or remove ${lock} if it is gone`,
    )
    expect(fs.existsSync(lock)).toBe(true)
  })

  it('is held by one process at a time, even if many die with it', async () => {
    const { folder } = createWorkspace()
    const inside = join(folder, 'inside')
    const runs = await Promise.all([1, 2, 3].map(() => runTurns(folder, inside)))
    expect(runs.map(({ stderr }) => stderr)).toEqual(['', '', ''])
    expect(runs.map(({ status }) => status)).toEqual([0, 0, 0])
    expect(fs.readdirSync(folder).filter((name) => name.startsWith('.lock-'))).toEqual([])
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
