import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { findNamedPlace } from '../../src/build/place.ts'
import { batchSource } from '../../src/build/source.ts'
import { createFixer, fixBatches } from '../../src/command/fix-files.ts'
import * as explainRoom from '../../src/explain/explain.ts'
import { PAGE_WORDS } from '../../src/explain/words.ts'
import { temporaryName } from '../../src/machine/files.ts'
import { print } from '../../src/machine/print.ts'
import { siteOf } from '../helpers/build-site.ts'
import { content } from '../helpers/content.ts'
import { compileCheck, page, readingOf } from '../helpers/page.ts'
import { createWorkspace, importing, SCHEMA } from '../helpers/workspace.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const RIGHT = JSON.stringify([page()], null, 2)
const WRONG = RIGHT.replace('\n  }', ',\n  }').replace('"title"', '"Title"')

it('writes every fix, says each at its place, then builds', async () => {
  const workspace = createWorkspace()
  const file = workspace.batch('sub/a.json', WRONG)
  chmodSync(file, 0o640)
  const { status, stdout } = await workspace.build(['--fix'])
  expect(status).toBe(0)
  const places = stdout
    .match(/^\S+a\.json:\S+ .*$/gm)
    ?.map((line) => line.replace(/^.*a\.json:/, ''))
  expect(places).toEqual(['8:44  ,  ->  (removed)', '4:5  "Title"  ->  "title"'])
  expect(stdout).toContain('2 places fixed in 1 batch of 1.')
  expect(readFileSync(file, 'utf8')).toBe(RIGHT)
  expect(statSync(file).mode & 0o777).toBe(0o640)
  expect(readdirSync(path.dirname(file))).toEqual(['a.json'])
})

it('with --check shows the lines before and after, then what is left, and writes nothing', async () => {
  const workspace = createWorkspace()
  const tabbed = WRONG.replaceAll('  ', '\t')
  const file = workspace.batch('a.json', tabbed)
  const other = workspace.batch('b.json', '[{"path": 1}]')
  const { status, stdout, stderr } = await workspace.build(['--fix', '--check'])
  expect(status).toBe(1)
  expect(stderr.split('\n')[0]).toBe(`${other}: 2 problems`)
  expect(stderr).not.toContain('a.json')
  expect(stdout).toContain('\n  -   "Title": "Blog Page 029",\n  +   "title": "Blog Page 029",\n')
  expect(readFileSync(file, 'utf8')).toBe(tabbed)
  workspace.batch('b.json', '[]')
  expect(await workspace.build(['--fix', '--check'])).toMatchObject({ status: 1, stderr: '' })
})

it('writes fixes also if other problems are left, and leaves the others as they are', async () => {
  const workspace = createWorkspace()
  const file = workspace.batch('a.json', WRONG)
  const other = workspace.batch('b.json', '[{"path": 1}]')
  const { status, stdout, stderr } = await workspace.build(['--fix', '--json'])
  expect([status, JSON.parse(stdout).ok]).toEqual([1, false])
  expect(stderr).toContain('2 places fixed in 1 batch of 2.')
  expect(stderr).toContain(`No dataset was written.\n${other}: 2 problems\n`)
  expect(readFileSync(file, 'utf8')).toBe(RIGHT)
  expect(readFileSync(other, 'utf8')).toBe('[{"path": 1}]')
})

it('fixes the target of a link, and leaves the link', async () => {
  const workspace = createWorkspace()
  const target = path.join(workspace.folder, 'elsewhere.json')
  writeFileSync(target, WRONG)
  const other = workspace.batch('a.json', RIGHT)
  const link = path.join(path.dirname(other), 'b.json')
  symlinkSync(target, link)
  await workspace.build(['--fix'])
  expect(readFileSync(target, 'utf8')).toBe(RIGHT)
  expect(readFileSync(link, 'utf8')).toBe(RIGHT)
  expect(readdirSync(path.dirname(other), { withFileTypes: true })[1]?.isSymbolicLink()).toBe(true)
})

it('a file that is read-only is left and named, and the exit status is 1', async () => {
  const workspace = createWorkspace()
  const file = workspace.batch('a.json', WRONG)
  chmodSync(file, 0o444)
  const { status, stderr } = await workspace.build(['--fix'])
  expect(status).toBe(1)
  expect(stderr).toMatch(/^build-data: \S+a\.json is not fixed: it is read-only$/m)
  expect(readFileSync(file, 'utf8')).toBe(WRONG)
})

const isRoot = process.getuid?.() === 0

it.runIf(process.getuid)('a file keeps its owner and group', async () => {
  const workspace = createWorkspace()
  const file = workspace.batch('a.json', WRONG)
  // Only root may give a file away; others may choose among their groups.
  const uid = isRoot ? 1234 : Number(process.getuid?.())
  const gid = isRoot ? 1235 : Number(process.getgroups?.().at(-1))
  chownSync(file, uid, gid)
  chmodSync(file, 0o640)
  await workspace.build(['--fix'])
  expect(readFileSync(file, 'utf8')).toBe(RIGHT)
  expect(statSync(file)).toMatchObject({ uid, gid, mode: 0o100640 })
})

it.runIf(isRoot)('a file of another user is written in place, if it may be written', () => {
  const { folder, batch } = createWorkspace()
  const file = batch('a.json', 'before, which is longer')
  chmodSync(folder, 0o777)
  chmodSync(path.dirname(file), 0o777)
  chmodSync(file, 0o666)
  const { ino } = statSync(file)
  const { status, stderr } = changeAs(1234, file, 'before, which is longer', 'after')
  expect([status, stderr]).toEqual([0, ''])
  expect(readFileSync(file, 'utf8')).toBe('after')
  expect(statSync(file)).toMatchObject({ ino, uid: 0, gid: 0 })
  expect(readdirSync(path.dirname(file))).toEqual(['a.json'])
})

/** Changes a file as another user, who may not be able to read this clone: it's loaded before. */
function changeAs(id: number, file: string, before: string, after: string) {
  const script = `
    const { changeFile } = require('./src/machine/files.ts')
    const [id, file, before, after] = ${JSON.stringify([id, file, before, after])}
    // tsx loads a last file of its own in the meantime.
    setImmediate(() => {
      process.setgroups([])
      process.setgid(id)
      process.setuid(id)
      changeFile(file, Buffer.from(before), Buffer.from(after))
    })`
  const args = ['--require', 'tsx/cjs', '-e', script]
  return spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' })
}

it('what a fix that was killed has left beside a file is removed by the next one', async () => {
  const workspace = createWorkspace()
  const file = workspace.batch('sub/a.json', WRONG)
  // No process has the ID 2^22, because Linux allows only smaller ones.
  const left = temporaryName().replace(`-${process.pid}-`, `-${2 ** 22}-`)
  writeFileSync(path.join(path.dirname(file), left), RIGHT.slice(0, 9))
  expect((await workspace.build(['--fix'])).status).toBe(0)
  expect(readdirSync(path.dirname(file))).toEqual(['a.json'])
})

it.runIf(isRoot)('what an interrupted fix has left of a file of another user is kept', () => {
  const { folder, batch } = createWorkspace()
  const file = batch('a.json', WRONG)
  const copy = `${file}.before-fix`
  writeFileSync(copy, 'before')
  chmodSync(folder, 0o777)
  chmodSync(path.dirname(file), 0o777)
  chmodSync(file, 0o666)
  const { status, stderr } = changeAs(1234, file, WRONG, RIGHT)
  expect(status).not.toBe(0)
  expect(stderr).toContain('an earlier fix was interrupted. ')
  expect(stderr).toContain('a.json.before-fix is the file as it was before; ')
  expect([readFileSync(file, 'utf8'), readFileSync(copy, 'utf8')]).toEqual([WRONG, 'before'])
})

it('a file that has changed since it was read is left and named', async () => {
  const workspace = createWorkspace()
  const file = workspace.batch('a.json', WRONG)
  const folder = batchSource(findNamedPlace([workspace.batches]))
  const source = {
    ...folder,
    async read(name: string) {
      const bytes = await folder.read(name)
      writeFileSync(file, `${WRONG}\n`)
      return bytes
    },
  }
  const fixer = createFixer(explainRoom, {
    ...readingOf(compileCheck(), content),
    words: PAGE_WORDS,
    frames: 0,
  })
  const settings = { folder: 'batches', isPreview: false, json: false, isWanted: () => true }
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const terminal = { stdout, stderr, env: {}, ...importing() }
  const fixable = { ...siteOf(source, SCHEMA, content), fixer }
  expect(await fixBatches([fixable], settings, terminal)).toBe(1)
  expect(String(stderr.read())).toContain('a.json is not fixed: it has changed since it was read')
  expect(String(stdout.read())).toContain('0 places fixed')
  expect(readFileSync(file, 'utf8')).toBe(`${WRONG}\n`)
})

it('leaves no listener at a stream, however often it prints', async () => {
  const stream = new Writable({ write: (_chunk, _encoding, done) => done() })
  for (let time = 0; time < 12; time++) await print(stream, ['a'])
  expect(stream.listenerCount('error')).toBe(0)
})
