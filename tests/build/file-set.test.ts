import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { FileSet } from '../../src/build/disk/file-set.ts'
import { takeTurn } from '../../src/build/disk/lock.ts'
import { temporaryName } from '../../src/machine/files.ts'
import { times } from '../helpers/long.ts'
import { createWorkspace, isWhole } from '../helpers/workspace.ts'

const NAMES = ['dataset.json', 'dataset.d.ts', 'dataset.d.json.ts', 'manifest.json']

const manifestOf = (pages: object) => {
  return JSON.stringify({ collections: { pages }, refused: {}, duplicates: {} })
}

/** Creates a set of four files; the manifest contains the digests of the others. */
async function makeSet(folder: string, content: string): Promise<FileSet> {
  const set = new FileSet(folder, false)
  const dataset = await set.write('dataset.json', [content])
  const types = await set.write('dataset.d.ts', [content])
  const importTypes = await set.write('dataset.d.json.ts', [content])
  await set.write('manifest.json', [manifestOf({ dataset, types, importTypes })])
  return set
}

async function publish(folder: string, content: string): Promise<boolean> {
  const set = await makeSet(folder, content)
  const hasChanged = (await set.commit()).length > 0
  set.discard()
  return hasChanged
}

function read(folder: string): string[] {
  return NAMES.slice(0, 3).map((name) => fs.readFileSync(join(folder, name), 'utf8'))
}

describe('a set of files', () => {
  it('replaces the previous one with plain files and nothing else', async () => {
    const { out } = createWorkspace()
    expect(await publish(out, 'one')).toBe(true)
    expect(read(out)).toEqual(['one', 'one', 'one'])
    expect(await publish(out, 'two')).toBe(true)
    expect(read(out)).toEqual(['two', 'two', 'two'])
    expect(fs.readdirSync(out).sort()).toEqual([...NAMES].sort())
    expect(NAMES.every((name) => fs.lstatSync(join(out, name)).isFile())).toBe(true)
  })

  it('leaves files with the same bytes alone', async () => {
    const { out } = createWorkspace()
    await publish(out, 'one')
    for (const name of NAMES) fs.utimesSync(join(out, name), 0, 0)
    const written = () => NAMES.filter((name) => fs.statSync(join(out, name)).mtimeMs > 0)
    expect(await publish(out, 'one')).toBe(false)
    expect(written()).toEqual([])
    fs.writeFileSync(join(out, 'dataset.json'), 'eno')
    expect(await publish(out, 'one')).toBe(true)
    expect(written()).toEqual(['dataset.json'])
    expect(read(out)).toEqual(['one', 'one', 'one'])
  })

  it('that is discarded leaves no trace, not even the folder created for it', async () => {
    const { out, folder } = createWorkspace()
    const one = await makeSet(join(folder, 'new'), 'one')
    one.discard()
    expect(fs.existsSync(join(folder, 'new'))).toBe(false)
    await publish(out, 'one')
    const before = fs.readdirSync(out)
    const two = await makeSet(out, 'two')
    two.discard()
    expect(fs.readdirSync(out)).toEqual(before)
    expect(read(out)).toEqual(['one', 'one', 'one'])
  })

  it('that is discarded leaves a folder that another build uses', async () => {
    const { folder } = createWorkspace()
    const one = await makeSet(join(folder, 'new'), 'one')
    const other = await makeSet(join(folder, 'new'), 'other')
    one.discard()
    expect(fs.readdirSync(join(folder, 'new'))).toHaveLength(1)
    other.discard()
  })

  it('removes what killed processes left', async () => {
    const { out } = createWorkspace()
    // No process has the ID 2^22, because Linux allows only smaller ones.
    const gone = temporaryName().replace(`-${process.pid}-`, `-${2 ** 22}-`)
    fs.mkdirSync(join(out, gone), { recursive: true })
    await publish(out, 'one')
    expect(fs.readdirSync(out).sort()).toEqual([...NAMES].sort())
  })

  it('leaves a folder of another user, and removes the lock of one', async () => {
    const { out } = createWorkspace()
    const gone = temporaryName().replace(`-${process.pid}-`, `-${2 ** 22}-`)
    const lock = gone.replace('.tmp-', '.lock-')
    fs.mkdirSync(join(out, gone), { recursive: true })
    fs.writeFileSync(join(out, lock), '')
    // Only root could give the folder to someone else.
    const { uid } = fs.statSync(out)
    vi.spyOn(process, 'getuid').mockReturnValue(uid + 1)
    onTestFinished(() => void vi.restoreAllMocks())
    await publish(out, 'one')
    expect(fs.readdirSync(out).sort()).toEqual([...NAMES, gone].sort())
  })

  it('leaves other files in the folder alone', async () => {
    const { out } = createWorkspace()
    const ofAnotherMachine = `.tmp-00000000-${2 ** 22}-0123abcd-0`
    const others = [ofAnotherMachine, '.tmp-cache', '.set-mine', '.set-0123456789abcdef', 'notes']
    for (const name of others) fs.mkdirSync(join(out, name), { recursive: true })
    await publish(out, 'one')
    await publish(out, 'two')
    expect(fs.readdirSync(out)).toEqual(expect.arrayContaining(others))
  })

  it('is put into place only when no other build is doing the same', async () => {
    const { out } = createWorkspace()
    await publish(out, 'one')
    const endTurn = await takeTurn(out)
    const published = publish(out, 'two')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(read(out)).toEqual(['one', 'one', 'one'])
    endTurn()
    expect(await published).toBe(true)
    expect(read(out)).toEqual(['two', 'two', 'two'])
  })

  it('that another build is writing is left alone', async () => {
    const { out } = createWorkspace()
    await publish(out, 'one')
    const other = await makeSet(out, 'other')
    await publish(out, 'two')
    await other.commit()
    other.discard()
    expect(read(out)).toEqual(['other', 'other', 'other'])
    expect(isWhole(out)).toBe(true)
  })
})

describe('a set that is only compared', () => {
  /** Creates an empty temporary folder for this process and the ones that it starts. */
  function newTemporaryFolder(): string {
    const folder = join(createWorkspace().folder, 'temporary')
    fs.mkdirSync(folder)
    vi.stubEnv('TMPDIR', folder)
    onTestFinished(() => void vi.unstubAllEnvs())
    return folder
  }

  it('is in a temporary folder that only its user can read', () => {
    const temporary = newTemporaryFolder()
    const set = new FileSet('out', true)
    expect(dirname(set.work)).toBe(temporary)
    expect(fs.statSync(set.work).mode & 0o777).toBe(0o700)
    set.discard()
    expect(fs.readdirSync(temporary)).toEqual([])
  })

  it('and whose process is killed is removed by the next one', async () => {
    const temporary = newTemporaryFolder()
    const script = `
      const { FileSet } = require('./src/build/disk/file-set.ts')
      console.log(new FileSet('out', true).work)
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--require', 'tsx/cjs', '-e', script])
    const [work] = await once(child.stdout.setEncoding('utf8'), 'data')
    child.kill('SIGKILL')
    await once(child, 'close')
    expect(fs.existsSync(work.trim())).toBe(true)

    new FileSet('out', true).discard()
    expect(fs.existsSync(work.trim())).toBe(false)
    expect(fs.readdirSync(temporary).filter((name) => !name.startsWith('tsx-'))).toEqual([])
  })
})

it('killed at any instant, every file is whole, and the next build repairs a torn set', async () => {
  const { out } = createWorkspace()
  await publish(out, 'B'.repeat(5e4))
  const script = `
    const { FileSet } = require('./src/build/disk/file-set.ts')
    const publish = async (round) => {
      const set = new FileSet(${JSON.stringify(out)}, false)
      const content = 'AB'[round % 2].repeat(5e4)
      const dataset = await set.write('dataset.json', [content])
      const types = await set.write('dataset.d.ts', [content])
      const importTypes = await set.write('dataset.d.json.ts', [content])
      const collections = { pages: { dataset, types, importTypes } }
      await set.write('manifest.json', [JSON.stringify({ collections, refused: {}, duplicates: {} })])
      await set.commit()
      set.discard()
      if (round === 0) console.log('started')
      publish(round + 1)
    }
    publish(0)`
  for (let round = 0; round < times(10); round++) {
    const child = spawn(process.execPath, ['--require', 'tsx/cjs', '-e', script])
    await once(child.stdout, 'data')
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 50))
    child.kill('SIGKILL')
    await once(child, 'close')
    for (const content of read(out)) {
      expect(content).toMatch(/^(A{50000}|B{50000})$/)
    }
    const [content = ''] = read(out)
    await publish(out, content)
    expect(isWhole(out)).toBe(true)
    expect(read(out)).toEqual([content, content, content])
    expect(fs.readdirSync(out).sort()).toEqual([...NAMES].sort())
  }
})
