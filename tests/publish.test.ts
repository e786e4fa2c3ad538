import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Allocator } from '../src/dataset/allocator.ts'
import { Background } from '../src/pipeline/background.ts'
import { FileSet } from '../src/pipeline/publish.ts'
import { createWorkspace } from './workspace.ts'

const NAMES = ['dataset.json', 'manifest.json']

function publish(folder: string, content: string, names = NAMES): boolean {
  const set = new FileSet(folder, false)
  for (const name of names) set.write(name, [content])
  return set.commit()
}

function read(folder: string): string[] {
  return NAMES.map((name) => fs.readFileSync(join(folder, name), 'utf8'))
}

function hidden(folder: string): string[] {
  return fs.readdirSync(folder).filter((name) => name.startsWith('.'))
}

describe('a set of files', () => {
  it('becomes current whole, and replaces the one before', () => {
    const { out } = createWorkspace()
    expect(publish(out, 'one')).toBe(true)
    expect(read(out)).toEqual(['one', 'one'])
    expect(publish(out, 'two')).toBe(true)
    expect(read(out)).toEqual(['two', 'two'])
    expect(hidden(out)).toHaveLength(2)
  })

  it('that is current already is not published again', () => {
    const { out } = createWorkspace()
    publish(out, 'one')
    const before = fs.readlinkSync(join(out, '.data'))
    expect(publish(out, 'one')).toBe(false)
    expect(fs.readlinkSync(join(out, '.data'))).toBe(before)
    expect(hidden(out)).toHaveLength(2)
  })

  it('changed by hand is written anew', () => {
    const { out } = createWorkspace()
    publish(out, 'one')
    fs.writeFileSync(join(out, 'dataset.json'), 'eno')
    expect(publish(out, 'one')).toBe(true)
    expect(read(out)).toEqual(['one', 'one'])
    expect(hidden(out)).toHaveLength(2)
  })

  it('has the same name for the same content, and another for another', () => {
    const [here, there] = [createWorkspace().out, createWorkspace().out]
    publish(here, 'one')
    publish(there, 'one')
    expect(hidden(here)).toEqual(hidden(there))
    publish(there, 'two')
    expect(hidden(here)).not.toEqual(hidden(there))
  })

  it('that is discarded leaves no trace', () => {
    const { out } = createWorkspace()
    publish(out, 'one')
    const before = fs.readdirSync(out)
    const set = new FileSet(out, false)
    set.write('dataset.json', ['two'])
    set.discard()
    expect(fs.readdirSync(out)).toEqual(before)
    expect(read(out)).toEqual(['one', 'one'])
  })

  it('that is dry writes nothing, not even the folder, but tells whether it is current', () => {
    const { out } = createWorkspace()
    const isCurrent = (content: string) => {
      const set = new FileSet(out, true)
      for (const name of NAMES) set.write(name, [content])
      return set.isCurrent()
    }
    expect(isCurrent('one')).toBe(false)
    expect(fs.existsSync(out)).toBe(false)
    publish(out, 'one')
    expect(isCurrent('one')).toBe(true)
    expect(isCurrent('two')).toBe(false)
  })

  it('that is dry leaves nothing when the process is killed: what it writes has no name', async () => {
    const { folder, out } = createWorkspace()
    for (const name of ['TMPDIR', 'TEMP']) vi.stubEnv(name, folder)
    onTestFinished(() => {
      vi.unstubAllEnvs()
    })
    const background = new Background()
    const before = fs.readdirSync(folder)
    const set = new FileSet(out, true)
    const file = await set.grow('dataset.json', background, new Allocator())
    expect(fs.readdirSync(folder)).toEqual(before)
    file.add(Buffer.from('one'))
    expect((await file.seal()).bytes).toBe(3)
    await file.close()
    set.discard()
    await background.close()
  })

  it('replaces plain files, such as a copy that followed the links', () => {
    const { out } = createWorkspace()
    fs.mkdirSync(out)
    for (const name of [...NAMES, 'notes.txt']) fs.writeFileSync(join(out, name), 'copied')
    expect(publish(out, 'one')).toBe(true)
    expect(read(out)).toEqual(['one', 'one'])
    expect(fs.readFileSync(join(out, 'notes.txt'), 'utf8')).toBe('copied')
    expect(hidden(out)).toHaveLength(2)
  })

  it('gives the digest of what was written, in pieces or at once', () => {
    const { out } = createWorkspace()
    const set = new FileSet(out, false)
    const whole = 'é'.repeat(3e6)
    const pieces = Array.from({ length: 3e4 }, () => 'é'.repeat(100))
    expect(set.write('a', [whole])).toEqual(set.write('b', pieces))
    expect(set.write('c', [whole]).bytes).toBe(6e6)
    expect(set.write('d', ['é'])).not.toEqual(set.write('e', ['e']))
    set.discard()
  })

  it('has what killed processes left cleared away by the next one', () => {
    const { out } = createWorkspace()
    publish(out, 'one')
    // No process has the number 2^22, the most that Linux allows.
    for (const name of [`.tmp-${2 ** 22}-0123abcd`, '.set-0123456789abcdef']) {
      fs.mkdirSync(join(out, name))
      fs.writeFileSync(join(out, name, 'dataset.json'), 'half')
    }
    publish(out, 'one')
    expect(hidden(out)).toHaveLength(2)
  })

  it('leaves alone what others keep in the folder', () => {
    const { out } = createWorkspace()
    for (const name of ['.tmp-cache', '.set-mine', 'notes']) {
      fs.mkdirSync(join(out, name), { recursive: true })
    }
    publish(out, 'one')
    publish(out, 'two')
    expect(fs.readdirSync(out)).toEqual(
      expect.arrayContaining(['.tmp-cache', '.set-mine', 'notes']),
    )
  })

  it('in the making elsewhere is left alone', () => {
    const { out } = createWorkspace()
    publish(out, 'one')
    const other = new FileSet(out, false)
    for (const name of NAMES) other.write(name, ['other'])
    publish(out, 'two')
    other.commit()
    expect(read(out)).toEqual(['other', 'other'])
  })
})

it('killed at any instant, the folder holds one set or the other, never a mixture', async () => {
  const { out } = createWorkspace()
  publish(out, 'B'.repeat(5e4))
  const script = `
    import { FileSet } from ${JSON.stringify(new URL('../src/pipeline/publish.ts', import.meta.url))}
    console.log('started')
    for (let round = 0; round < 500; round++) {
      const set = new FileSet(${JSON.stringify(out)}, false)
      for (const name of ${JSON.stringify(NAMES)}) set.write(name, ['AB'[round % 2].repeat(5e4)])
      set.commit()
    }`
  const seen = new Set<string>()
  for (let round = 0; round < 60; round++) {
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script])
    await new Promise((resolve) => child.stdout.once('data', resolve))
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 50))
    child.kill('SIGKILL')
    await new Promise((resolve) => child.once('close', resolve))
    const [dataset = '', manifest] = read(out)
    expect(manifest).toBe(dataset)
    expect(dataset).toMatch(/^(A{50000}|B{50000})$/)
    seen.add(dataset)
  }
  expect(seen.size).toBe(2)
})
