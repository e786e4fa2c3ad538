import fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { takeTurn } from '../../src/build/disk/lock.ts'
import { temporaryName } from '../../src/machine/files.ts'
import { times } from '../helpers/long.ts'
import { canMount, createWorkspace, run } from '../helpers/workspace.ts'

// No process has the ID 2^22, because Linux allows only smaller ones.
const GONE = 2 ** 22

const ofProcess = (pid: number) => temporaryName('lock').replace(`-${process.pid}-`, `-${pid}-`)

function createMarked(...marks: string[]) {
  const { folder } = createWorkspace()
  for (const mark of marks) fs.writeFileSync(join(folder, mark), '')
  return folder
}

/** The arguments of Node for a program that takes turns. */
const program = (text: string) => [
  ...['--require', 'tsx/cjs', '-e'],
  `const { takeTurn } = require('./src/build/disk/lock.ts'); (async () => { ${text} })()`,
]

/** Runs a process that takes turns, and every other time leaves a mark of a process that is gone. */
function runTurns(folder: string, inside: string) {
  return run(
    program(`const fs = require('node:fs')
    const [folder, inside] = ${JSON.stringify([folder, inside])}
    for (let round = 0; round < ${times(100)}; ) {
      const end = await takeTurn(folder, { wait: 0 }).catch(({ message }) => {
        if (!message.includes('has been writing')) throw message
      })
      if (!end) continue
      fs.mkdirSync(inside) // Fails if another process is inside.
      fs.rmdirSync(inside)
      if (round++ % 2) {
        const mark = fs.readdirSync(folder).find((name) => name.includes('-' + process.pid + '-'))
        fs.writeFileSync(folder + '/' + mark.replace(process.pid, ${GONE}), '')
      }
      end()
    }`),
  )
}

describe('a turn', () => {
  it('leaves nothing behind, also if someone removed its mark by hand', async () => {
    const folder = createMarked()
    for (const isRemoved of [false, true]) {
      const end = await takeTurn(folder)
      const [mark = ''] = fs.readdirSync(folder)
      expect(mark).toContain(`-${process.pid}-`)
      if (isRemoved) fs.rmSync(join(folder, mark))
      end()
      expect(fs.readdirSync(folder)).toEqual(['batches'])
    }
  })

  it('is exclusive within one process, too', async () => {
    const folder = createMarked()
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

  it('is taken at once after processes that are gone, also one with the same ID', async () => {
    const earlier = temporaryName('lock').replace(/-[0-9a-f]{8}-(?=\d+$)/, '-01234567-')
    const folder = createMarked(ofProcess(GONE), ofProcess(GONE), earlier)
    const end = await takeTurn(folder, { wait: 0 })
    end()
    expect(fs.readdirSync(folder)).toEqual(['batches'])
  })

  it('is held by one process at a time, even if many die with it', async () => {
    const folder = createMarked()
    const inside = join(folder, 'inside')
    const runs = await Promise.all([1, 2, 3].map(() => runTurns(folder, inside)))
    expect(runs.map(({ stderr }) => stderr)).toEqual(['', '', ''])
    expect(runs.map(({ status }) => status)).toEqual([0, 0, 0])
  })

  it.each([
    ['a running process', ofProcess(process.ppid)],
    ['a process on another machine', `.lock-00000000-${GONE}-01234567-0`],
    ['a stranger', '.lock-mine'],
  ])('of %s is waited for, then named with what to do', async (_, mark) => {
    const folder = createMarked(mark)
    await expect(takeTurn(folder, { wait: 50 })).rejects.toThrow(
      `another build has been writing ${folder} for 0.05 seconds; try again when it is done, or remove ${join(folder, mark)} if it is gone`,
    )
    expect(fs.readdirSync(folder)).toEqual([mark, 'batches'])
  })

  it.runIf(canMount)('of a process in another container of this host is waited for', async () => {
    const folder = createMarked()
    const end = await takeTurn(folder)
    const marks = fs.readdirSync(folder)
    const args = program(`await takeTurn(${JSON.stringify(folder)}, { wait: 50 })`)
    const { stderr } = await run(args, { tracer: 'unshare --map-root-user --pid --fork' })
    expect(stderr).toContain('another build has been writing')
    expect(fs.readdirSync(folder)).toEqual(marks)
    end()
  })
})
