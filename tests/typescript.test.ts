import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

const MAIN = `import { basename } from 'node:path'
import fastGlob, { type Options } from 'fast-glob'
import { greet } from './greet.ts'

const options: Options = { cwd: import.meta.dirname }
console.log(greet('world'), basename(import.meta.url), basename(import.meta.filename))
console.log(fastGlob.sync('*.ts', options).sort())
`
const GREET = `export interface Named { name: string }

export const greet = (name: string): string => \`hello, \${name}\`
`
const SAID = "hello, world main.ts main.ts\n[ 'greet.ts', 'main.ts' ]\n"

/** A project of its own, which has typescript.cjs where this one has it. */
function createProject() {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-typescript-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of ['scripts', 'node_modules']) mkdirSync(join(folder, name))
  copyFileSync(join(ROOT, 'scripts/typescript.cjs'), join(folder, 'scripts/typescript.cjs'))
  for (const name of ['esbuild', 'fast-glob']) {
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  }
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text)
  write('package.json', '{ "type": "module" }')
  write('main.ts', MAIN)
  write('greet.ts', GREET)
  write('start.cjs', "require('./scripts/typescript.cjs')\nrequire('./main.ts')\n")
  const cache = join(folder, 'node_modules/.cache/manyurls/typescript')

  return {
    folder,
    cache,
    write,
    /** What it says, or what is said instead. */
    start(...args: string[]): string {
      const { stdout, stderr } = spawnSync(process.execPath, [...args, join(folder, 'start.cjs')], {
        encoding: 'utf8',
      })
      return stdout + stderr
    },
    /** Whether it starts without compiling anything; as by another esbuild where a version is given. */
    isKept(version?: string): boolean {
      const esbuild = join(folder, 'node_modules/esbuild')
      const file = readFileSync(join(ROOT, 'node_modules/esbuild/package.json'), 'utf8')
      const its = JSON.parse(file)
      rmSync(esbuild)
      mkdirSync(esbuild)
      write(
        'node_modules/esbuild/package.json',
        JSON.stringify({ ...its, version: version ?? its.version }),
      )
      const isKept = this.start() === SAID
      rmSync(esbuild, { recursive: true })
      symlinkSync(join(ROOT, 'node_modules/esbuild'), esbuild)
      return isKept
    },
  }
}

describe('TypeScript that is required', () => {
  it('does what it does with tsx', () => {
    const project = createProject()
    expect(project.start()).toBe(SAID)
    project.write('start.cjs', "require('./main.ts')\n")
    const tsx = pathToFileURL(join(ROOT, 'node_modules/tsx/dist/cjs/index.cjs'))
    expect(project.start('--import', tsx.href)).toBe(SAID)
  })

  it('is compiled once, and again when its source has changed', () => {
    const project = createProject()
    expect(project.isKept()).toBe(false)
    project.start()
    const { ino } = statSync(project.cache)
    expect(project.isKept()).toBe(true)
    expect(project.isKept('0.0.0')).toBe(false)
    expect(statSync(project.cache).ino).toBe(ino)
    project.write('greet.ts', GREET.replace('hello', 'good morning'))
    expect(project.isKept()).toBe(false)
    expect(project.start()).toBe(SAID.replace('hello', 'good morning'))
    // Put in the place of what was there, which another process may be reading.
    expect(statSync(project.cache).ino).not.toBe(ino)
    project.write('greet.ts', GREET)
    expect(project.isKept()).toBe(true)
  })

  it('is kept of a hundred files at most', () => {
    const project = createProject()
    project.start()
    const [, kept = ''] = readFileSync(project.cache, 'utf8').split('\n')
    const one = Object.values(JSON.parse(kept))[0]
    const fill = (count: number) => {
      const others = Array.from({ length: count }, (_, index) => [`${index}`, one])
      const content = JSON.stringify(Object.fromEntries(others))
      const seal = createHash('sha256').update(content).digest('base64')
      writeFileSync(project.cache, `${seal}\n${content}`)
      expect(project.start()).toBe(SAID)
      return Object.keys(JSON.parse(readFileSync(project.cache, 'utf8').split('\n')[1] as string))
    }
    expect(fill(98)).toHaveLength(100)
    expect(fill(99)).toHaveLength(2)
  })

  it.each<[string, (kept: string) => string]>([
    ['torn', (kept) => kept.slice(0, -20)],
    ['changed', (kept) => kept.replaceAll('hello', 'HELLO')],
    ['foreign', () => 'something else\n{}'],
    ['empty', () => ''],
  ])('is compiled anew where what was kept is %s', (_, damage) => {
    const project = createProject()
    project.start()
    const kept = readFileSync(project.cache, 'utf8')
    expect(damage(kept)).not.toBe(kept)
    writeFileSync(project.cache, damage(kept))
    expect(project.start()).toBe(SAID)
    expect(project.isKept()).toBe(true)
  })

  it('is run where nothing can be kept', () => {
    const project = createProject()
    project.write('node_modules/.cache', 'no folder')
    expect(project.start()).toBe(SAID)
    rmSync(join(project.folder, 'node_modules/.cache'))
    mkdirSync(project.cache, { recursive: true })
    expect(project.start()).toBe(SAID)
    expect(readdirSync(join(project.cache, '..'))).toEqual(['typescript'])
  })

  it('is kept whole by several processes at once', async () => {
    const project = createProject()
    const starts = Array.from({ length: 5 }, () =>
      spawn(process.execPath, [join(project.folder, 'start.cjs')], { stdio: 'ignore' }),
    )
    const ends = await Promise.all(starts.map((start) => once(start, 'close')))
    expect(ends.map(([status]) => status)).toEqual([0, 0, 0, 0, 0])
    expect(readdirSync(join(project.cache, '..'))).toEqual(['typescript'])
    expect(project.isKept()).toBe(true)
  })

  it('is named where it is no TypeScript, and what was kept is kept', () => {
    const project = createProject()
    project.start()
    project.write('greet.ts', `${GREET}\nconst x: = 3\n`)
    expect(project.start()).toContain(`${join(project.folder, 'greet.ts')}:5:9: ERROR:`)
    project.write('greet.ts', GREET)
    expect(project.isKept()).toBe(true)
  })

  it('is strict, as modules are', () => {
    const project = createProject()
    project.write('main.ts', 'export const self = (function () { return this })()\nself.x')
    expect(project.start()).toContain('TypeError: Cannot read properties of undefined')
  })

  it('has the lines of its source in the stack of an error', () => {
    const project = createProject()
    const lines = ['interface Named { name: string }', '', 'export function greet(name: string) {']
    project.write('greet.ts', [...lines, "  throw new Error('no ' + name)", '}', ''].join('\n'))
    for (const _ of ['compiled', 'kept']) {
      const said = project.start()
      expect(said).toContain(
        `Error: no world\n    at greet (${join(project.folder, 'greet.ts')}:4:9)\n`,
      )
      expect(said).toContain(`${join(project.folder, 'main.ts')}:6:13)\n`)
    }
    project.write('greet.ts', 'export const greet = () => Buffer.from(0 as never)')
    expect(project.start()).toContain('TypeError [ERR_INVALID_ARG_TYPE]: The first argument')
    project.write('greet.ts', "export const greet = () => { throw new Error('no world') }")
    const removal = "require('node:fs').rmSync(require('node:path').join(__dirname, 'greet.ts'))"
    project.write(
      'start.cjs',
      `require('./scripts/typescript.cjs')
       try { require('./main.ts') } catch (error) { ${removal}; console.log(error.stack) }`,
    )
    expect(project.start()).toContain(`Error: no world\n    at greet (${project.folder}`)
  })
})
