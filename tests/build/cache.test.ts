import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Cache } from '../../src/build/disk/cache.ts'
import { isLong } from '../helpers/long.ts'
import { page } from '../helpers/page.ts'
import { property } from '../helpers/property.ts'
import { createWorkspace, isWhole, runBuildData } from '../helpers/workspace.ts'

/** A disk of its own on Linux. */
const MEMORY = '/dev/shm'
const hasTwoDisks = existsSync(MEMORY) && statSync(MEMORY).dev !== statSync(tmpdir()).dev

const text = { type: 'string' }
/** Records that may refer to another one. */
const LINKED = {
  type: 'array',
  items: {
    type: 'object',
    required: ['path', 'title'],
    additionalProperties: false,
    properties: { path: text, title: text, up: { type: 'string', pagePath: true } },
  },
}

/** A workspace whose deliveries all count as large. */
function createLarge(schema?: object) {
  const workspace = createWorkspace()
  const { folder, batches, out } = workspace
  const file = join(folder, 'schema.json')
  if (schema) writeFileSync(file, JSON.stringify(schema))
  const build = (args: string[] = [], to = out) => {
    const all = ['--batches', batches, '--out', to, ...(schema ? ['--schema', file] : []), ...args]
    return runBuildData(all, {}, 0)
  }
  const cache = join(out, '.cache')
  const entries = () => readdirSync(cache).filter((name) => name.startsWith('batch-'))
  return { ...workspace, build, cache, entries }
}

type Large = ReturnType<typeof createLarge>

/** A change of a delivery; `{}` is none. */
type Step =
  | { add: string; records: object[] }
  | { remove: string }
  | { from: string; to: string }
  | object

/** Adds, removes or renames a batch. */
function apply(step: Step, { batches, batch }: Large) {
  if ('add' in step) batch(step.add, step.records)
  if ('remove' in step) rmSync(join(batches, step.remove), { force: true })

  const isRenamed = 'from' in step && existsSync(join(batches, step.from))
  if (isRenamed) {
    mkdirSync(join(batches, step.to, '..'), { recursive: true })
    renameSync(join(batches, step.from), join(batches, step.to))
  }
}

/** What the cache remembers of a delivery. It keeps the compiled schema, which takes longer to make. */
const REMEMBERED = /^(?:batch|build)-/

/** Copies a dataset without what is remembered of its delivery. */
function copyWithoutBatches(out: string, copy: string): string {
  rmSync(copy, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  cpSync(out, copy, { recursive: true })

  const cache = join(copy, '.cache')
  const entries = existsSync(cache) ? readdirSync(cache) : []
  for (const name of entries.filter((entry) => REMEMBERED.test(entry))) rmSync(join(cache, name))
  return copy
}

/** Builds, and returns all that a user sees: what is printed, the files, and the report. */
async function resultOf({ folder, build }: Large, options: string[], out: string) {
  const report = join(folder, 'report.html')
  rmSync(report, { force: true })
  const isReported = options[0] === '--report'
  const { status, stdout, stderr } = await build(isReported ? ['--report', report] : options, out)

  const files = readdirSync(out).filter((name) => !name.startsWith('.'))
  return {
    status,
    stdout: withoutPlaceAndTime(stdout, out),
    stderr: withoutPlaceAndTime(stderr, out),
    files: files.map((name) => [name, readFileSync(join(out, name), 'utf8')]),
    report: isReported && withoutPlaceAndTime(readFileSync(report, 'utf8'), out),
  }
}

function withoutPlaceAndTime(text: string, out: string): string {
  return (
    text
      .replaceAll(out, 'out')
      .replace(/^Time .*\n/gm, '')
      // The content of the report is compared itself.
      .replace(/^(The report is in .+) \(.+\)\.$/m, '$1')
  )
}

describe('what a large delivery remembers', () => {
  const anyRecord = fc.record(
    {
      path: fc.constantFrom('/a', '/b', '/c', '/d'),
      title: fc.constantFrom('x', 'x', 'y', 'é', '\ufffd', 1),
      up: fc.constantFrom('/a', '/b', '/e'),
    },
    { requiredKeys: ['path', 'title'] },
  )
  const anyName = fc.constantFrom('1.json', '2.json', '10.json', 'sub/3.json')
  const anyStep = fc.oneof(
    { weight: 3, arbitrary: fc.record({ add: anyName, records: fc.array(anyRecord) }) },
    fc.record({ remove: anyName }),
    fc.record({ from: anyName, to: anyName }),
    fc.constant({}),
  )
  const anyOptions = fc.constantFrom(
    ...[
      [],
      [],
      [],
      ['--check'],
      ['--strict'],
      ['--verbose'],
      ['--json', '--verbose'],
      ['--report'],
    ],
  )

  property([fc.array(fc.tuple(anyStep, anyOptions), { minLength: 2, maxLength: isLong ? 12 : 6 })])(
    'changes no byte and no word, whatever is added, changed, renamed or removed',
    async (steps) => {
      const workspace = createLarge(LINKED)
      workspace.batch('first.json', [{ path: '/a', title: 'x' }])

      for (const [step, options] of steps) {
        apply(step, workspace)
        const copy = copyWithoutBatches(workspace.out, join(workspace.folder, 'two'))

        const remembered = await resultOf(workspace, options, workspace.out)
        const readAgain = await resultOf(workspace, options, copy)
        expect(remembered).toEqual(readAgain)
      }
    },
  )

  it('is one entry for each batch that is there, and a build without changes needs none', async () => {
    const { batch, batches, build, entries, cache } = createLarge()
    batch('a.json', [page()])
    batch('b.json', [page({ path: '/blog/030' })])
    await build()
    expect(entries()).toHaveLength(2)
    for (const name of entries()) rmSync(join(cache, name))
    for (const args of [[], ['--check']]) expect((await build(args)).stdout).toContain('unchanged')
    expect(entries()).toEqual([])
    rmSync(join(batches, 'a.json'))
    batch('c.json', [page({ path: '/blog/031' })])
    expect((await build(['--check'])).stdout).toContain('is out of date')
    expect(entries()).toEqual([])
    await build()
    expect(entries()).toHaveLength(2)
    rmSync(cache, { recursive: true })
    expect((await build()).stdout).toContain('unchanged')
  })

  it('is not written by a build that is refused, and not used to pass --strict', async () => {
    const { batch, build, entries } = createLarge()
    batch('a.json', [page(), page({ contentHtml: '<p>Other.</p>' })])
    await build()
    const before = entries()
    expect((await build(['--strict'])).status).toBe(1)
    batch('b.json', [page({ path: '/blog/030' })])
    batch('c.json', [page({ title: 'No' })])
    expect((await build()).status).toBe(1)
    expect(entries()).toEqual(before)
  })

  it.each(['dataset.json', 'dataset.d.json.ts', 'manifest.json'])(
    'does not hide that %s was edited',
    async (name) => {
      const { batch, build, out, digests } = createLarge()
      batch('a.json', [page()])
      await build()
      const before = digests()
      const file = join(out, name)
      // The last e: the file keeps its length.
      writeFileSync(file, readFileSync(file, 'utf8').replace(/e(?=[^e]*$)/, 'E'))
      const { status, stdout } = await build()
      expect([status, stdout.includes('unchanged')]).toEqual([0, false])
      expect(digests()).toEqual(before)
    },
  )
})

it('after a large build, --strict --all shows each problem with its lines, as without a cache', async () => {
  const { batch, build, out, folder } = createLarge()
  const [first, second] = [page(), page({ contentHtml: '<p>Other.</p>' })]
  batch('a.json', [first, second])
  batch('b.json', [page({ contentHtml: '<p>Another.</p>' })])
  await build()
  const copy = copyWithoutBatches(out, join(folder, 'copy'))

  const remembered = await build(['--strict', '--all'])
  const readAgain = await build(['--strict', '--all'], copy)

  const linesOf = (text: string) => withoutPlaceAndTime(text, out).split('\n')
  expect(linesOf(remembered.stderr)).toEqual(linesOf(readAgain.stderr.replaceAll(copy, out)))
  expect(remembered.stderr).toMatch(/ > 11 \|.* > 3 \|/s)
})

describe('an entry', () => {
  const faults: Record<string, (file: string) => void> = {
    'that is cut off': (file) => truncateSync(file, 100),
    'in which a byte was changed': (file) => {
      const bytes = readFileSync(file)
      bytes[bytes.length - 10] = 0x7a
      writeFileSync(file, bytes)
    },
    'that is a folder': (file) => {
      rmSync(file)
      mkdirSync(file)
    },
    'that is gone': (file) => rmSync(file),
  }

  it.each(Object.entries(faults))('%s is read again', async (_, spoil) => {
    const { batch, build, cache, entries, digests, out } = createLarge()
    batch('a.json', [page()])
    await build()
    for (const name of entries()) spoil(join(cache, name))
    batch('b.json', [page({ path: '/blog/030' }), page({ contentHtml: '<p>Other.</p>' })])
    expect((await build()).status).toBe(0)
    const expected = digests()
    rmSync(out, { recursive: true })
    await build()
    expect(digests()).toEqual(expected)
  })

  it('is left out if the disk has no room for it and the dataset', () => {
    const { folder } = createWorkspace()
    for (const [name, room, entries] of [
      ['enough', 0, 1],
      ['too little', Number.MAX_SAFE_INTEGER, 0],
    ] as const) {
      const work = join(folder, name)
      mkdirSync(work)
      new Cache(folder, { digestContent: () => '', work, room }).add('batch', 'its bytes', {})
      expect(readdirSync(work), name).toHaveLength(entries)
    }
  })

  it('in the place of another is read again', async () => {
    const { batch, build, cache, entries, digests } = createLarge()
    batch('a.json', [page()])
    batch('b.json', [page({ path: '/blog/030' })])
    await build()
    const expected = digests()
    const [one = '', other = ''] = entries()
    cpSync(join(cache, one), join(cache, other))
    for (const name of readdirSync(cache)) if (name.startsWith('build-')) rmSync(join(cache, name))
    expect((await build()).status).toBe(0)
    expect(digests()).toEqual(expected)
  })

  it('of another schema is not used', async () => {
    const strict = structuredClone(LINKED)
    strict.items.required.push('up')
    const { batch, build, folder } = createLarge(LINKED)
    batch('a.json', [{ path: '/a', title: 'x' }])
    expect((await build()).status).toBe(0)
    writeFileSync(join(folder, 'schema.json'), JSON.stringify(strict))
    expect((await build()).stderr).toContain('The key "up" is missing.')
  })

  it('that is not used is removed, but nothing of another program that has a folder .cache', async () => {
    const { batch, build, cache, entries } = createLarge()
    batch('a.json', [page()])
    mkdirSync(join(cache, 'batch-loader'), { recursive: true })
    writeFileSync(join(cache, 'check-list.json'), '{}')
    await build()
    batch('a.json', [page({ path: '/blog/030' })])
    await build()
    expect(entries()).toHaveLength(2)
    expect(readdirSync(cache)).toEqual(expect.arrayContaining(['batch-loader', 'check-list.json']))
  })

  it.runIf(hasTwoDisks)('is copied to a folder on another disk', async () => {
    const { batch, build, cache, out, entries } = createLarge()
    const elsewhere = mkdtempSync(join(MEMORY, 'manyurls-cache-'))
    onTestFinished(() => rmSync(elsewhere, { recursive: true }))
    mkdirSync(out)
    symlinkSync(elsewhere, cache)
    batch('a.json', [page()])

    await build()

    expect(entries()).toHaveLength(1)
    expect((await build()).stdout).toContain('unchanged')
  })

  it('is left out if a file is in the place of its folder', async () => {
    const { batch, build, cache, out } = createLarge()
    mkdirSync(out)
    writeFileSync(cache, '')
    batch('a.json', [page()])
    for (let round = 0; round < 2; round++)
      expect(await build()).toMatchObject({ status: 0, stderr: '' })
    expect(readdirSync(out).filter((name) => name.startsWith('.tmp'))).toEqual([])
  })

  it('may come and go while two builds run at once', async () => {
    const { batch, build, folder, out } = createLarge()
    for (const letter of ['A', 'B'])
      batch(`../${letter}/a.json`, [page({ contentHtml: `<p>${letter}</p>` })])
    const of = (letter: string) => build(['--batches', join(folder, letter)])
    for (let round = 0; round < 5; round++) {
      const ends = await Promise.all([of('A'), of('B'), of('A')])
      for (const end of ends) expect(end).toMatchObject({ status: 0, stderr: '' })
      expect(isWhole(out)).toBe(true)
    }
  })
})
