import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isLong } from '../helpers/long.ts'
import { page } from '../helpers/page.ts'
import { createWorkspace, pagesOf, runBuildData, spawnBuildData } from '../helpers/workspace.ts'

/** Returns the content of each file in a folder. */
const filesIn = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )

const linesIn = (folder: string) =>
  Object.values(filesIn(folder)).flatMap((text) =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
  )

const TAKEN = /^build-data: .+ exists; name a new folder\n$/

/** Twelve batches of two records; one path is in all of them, the other is unique. */
function withBatches() {
  const workspace = createWorkspace()
  const { folder, batches, batch } = workspace
  for (let number = 1; number <= 12; number++) {
    const path = `/news/${String(number).padStart(3, '0')}`
    batch(`batch-${number}.json`, [page({ path }), page({ title: 'Blog Page 029' })])
  }
  const to = join(folder, 'records')
  const write = (...args: string[]) =>
    runBuildData(['--batches', batches, '--records', to, ...args])
  return { ...workspace, to, write }
}

describe('--records', () => {
  it('writes each record on a line, with its position in the order of precedence', async () => {
    const { folder, batches, batch } = createWorkspace()
    batch('batch-10.json', [page({ path: '/blog/001' })])
    batch('sub/batch-9.json', [page(), page({ path: '/blog/002' })])
    batch('batch-2.json', `[ ${JSON.stringify(page(), null, 9).replace('Text', '\\u0054ext')} ]`)
    batch('batch-3.json', [])
    const to = join(folder, 'new/records')
    const { status, stdout, stderr } = await runBuildData(['--batches', batches, '--records', to])
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^pages: 4 records in .*records \(4 files of 4, \d+ B\)\n/)
    expect(stdout).toMatch(/\nNames +SHA-256 [0-9a-f]{64} of the names of all files;/)
    expect(stdout).toMatch(/\nNot checked +links, references, "unique" and identity: only/)

    const line = (rank: number, batch: string, position: number, id = '/blog/029') =>
      `${JSON.stringify({ rank, batch, position, id, record: page({ path: id }) })}\n`
    expect(filesIn(to)).toEqual({
      'records-000000.jsonl': line(0, 'batch-2.json', 0),
      'records-000001.jsonl': '',
      'records-000002.jsonl': line(2, 'batch-10.json', 0, '/blog/001'),
      'records-000003.jsonl':
        line(3, 'sub/batch-9.json', 0) + line(3, 'sub/batch-9.json', 1, '/blog/002'),
    })
    expect(readdirSync(join(folder, 'new'))).toEqual(['records'])
  })

  it.each([2, 13])('writes the same files in %i shards as in one run', async (of) => {
    const { folder, to, batches, write } = withBatches()
    expect((await write()).status).toBe(0)
    const together = {}
    for (let number = 1; number <= of; number++) {
      const shard = join(folder, `shard${number}`)
      const args = ['--batches', batches, '--records', shard, '--shard', `${number}/${of}`]
      expect((await runBuildData(args)).status).toBe(0)
      const files = filesIn(shard)
      for (const name of Object.keys(files)) expect(together).not.toHaveProperty([name])
      Object.assign(together, files)
    }
    expect(together).toEqual(filesIn(to))
  })

  it('reads only the batches of its own shard', async () => {
    const { batch, to, write } = withBatches()
    batch('batch-1.json', '')
    const { stdout } = await write('--shard', '2/3', '--json')
    expect(JSON.parse(stdout)).toEqual({
      ok: true,
      shard: { number: 2, of: 3 },
      batches: 4,
      of: 12,
      warnings: [],
      records: 8,
      bytes: expect.any(Number),
      names: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(new Set(linesIn(to).map(({ batch }) => batch))).toEqual(
      new Set([2, 5, 8, 11].map((number) => `batch-${number}.json`)),
    )
  })

  it('reports that a shard has no batches', async () => {
    const { to, write } = withBatches()
    const { status, stdout } = await write('--shard', '13/13')
    expect(stdout).toMatch(/^pages: 0 records in .* \(0 files of 12, 0 B\)\n/)
    expect(status).toBe(0)
    expect(readdirSync(to)).toEqual([])
  })

  it('reports every problem of every batch, and writes nothing', async () => {
    const { folder, batch, to, write } = withBatches()
    for (let number = 3; number <= 12; number++) {
      batch(`batch-${number}.json`, [page(), page({ title: 'Another' })])
    }
    const nothing = readdirSync(folder)
    const { status, stderr } = await write()
    expect(status).toBe(1)
    expect(stderr).toMatch(/^Nothing was written\.\npages: 10 problems in 10 files\n/)
    expect(stderr).toContain('batch-3.json:12:14 ')
    expect(stderr).toContain('and the same in 9 more places: ')
    expect(readdirSync(folder)).toEqual(nothing)

    const { stdout } = await write('--json', '--shard', '1/4')
    expect(pagesOf({ stdout })).toMatchObject({ problems: [{}, {}] })
    expect(existsSync(to)).toBe(false)
  })

  it('lets one of two concurrent runs write, and the other report that the folder is taken', async () => {
    const { folder, to, batches, write } = withBatches()
    expect((await write()).status).toBe(0)
    const whole = filesIn(to)
    rmSync(to, { recursive: true })
    const args = ['--batches', batches, '--records', to]
    for (const runs of [
      [write(), write(), write()],
      ...(isLong ? [[spawnBuildData(args), spawnBuildData(args)]] : []),
    ]) {
      const ends = (await Promise.all(runs)).sort((a, b) => Number(a.status) - Number(b.status))
      const [first, ...others] = ends
      expect(first).toMatchObject({ status: 0, stderr: '' })
      for (const { status, stderr } of others) {
        expect(stderr).toMatch(TAKEN)
        expect(status).toBe(2)
      }
      expect(filesIn(to)).toEqual(whole)
      expect(readdirSync(folder).sort()).toEqual(['batches', 'records'])
      rmSync(to, { recursive: true })
    }
  })

  it.runIf(isLong)('leaves no folder when it is killed, and the next run cleans up', async () => {
    const { folder, batch, to, batches, write } = withBatches()
    const long = `<p>${'x'.repeat(500_000)}</p>`
    for (let number = 13; number < 40; number++) {
      batch(`batch-${number}.json`, [page({ contentHtml: long })])
    }
    const left = () => readdirSync(folder).filter((name) => name.startsWith('.tmp-'))
    const args = ['--batches', batches, '--records', to]
    // On a busy machine a run may end before it is killed.
    while (left().length === 0) {
      rmSync(to, { recursive: true, force: true })
      await spawnBuildData(args, { endWhen: () => left().length > 0 })
    }
    expect(existsSync(to)).toBe(false)
    expect((await write()).status).toBe(0)
    expect(readdirSync(to)).toHaveLength(39)
    expect(readdirSync(folder).sort()).toEqual(['batches', 'records'])
  })

  it.each([
    ['an earlier run', (to: string) => cpSync('schema', to, { recursive: true })],
    ['an empty folder', (to: string) => mkdirSync(to)],
    ['a link', (to: string) => symlinkSync(dirname(to), to, 'junction')],
  ])('refuses %s in its place, before it reads a batch', async (_, put) => {
    const { batch, to, write } = withBatches()
    batch('batch-1.json', 'no JSON')
    put(to)
    const before = readdirSync(to)
    const { status, stderr } = await write()
    expect(stderr).toMatch(TAKEN)
    expect(status).toBe(2)
    expect(readdirSync(to)).toEqual(before)
  })

  it.each([
    [
      ['--shard', '0/3'],
      /--shard must be K\/N, with K from 1 to N, such as 2\/3, but is "0\/3"; ".* --help"/,
    ],
    [['--shard', '1'], /but is "1"/],
    [['--shard', '1.5/3'], /but is "1\.5\/3"/],
    [['--check'], /--check cannot be used with --records, which makes no dataset; ".* --help"/],
    [['--out', 'elsewhere'], /--out cannot be used with/],
    [['--records', ''], /--records is empty/],
    [['--records', 'package.json'], /package\.json exists; name a new folder/],
    [['--batches', 'raw-batches', '--records', 'raw-batches'], /would be read as data/],
  ])('with %j ends with exit status 2 and one clear line', async (args, words) => {
    const { to, write } = withBatches()
    const { status, stdout, stderr } = await write(...args)
    expect(stderr).toMatch(/^build-data: .+\n$/)
    expect(stderr).toMatch(words)
    expect([status, stdout, existsSync(to)]).toEqual([2, '', false])
  })

  it('escapes the invisible characters of names in --json, too', async () => {
    const { batch, write } = withBatches()
    batch('a\u202e.csv', '')
    const { stdout } = await write('--json')
    expect(stdout).toContain('"file":"a\\u202e.csv"')
    expect(JSON.parse(stdout).warnings).toMatchObject([{ file: 'a\u202e.csv' }])
  })

  it('is required for --shard', async () => {
    const { build } = createWorkspace()
    const { status, stderr } = await build(['--shard', '1/2'])
    expect([status, stderr]).toEqual([
      2,
      'build-data: --shard needs --records; "npm run build-data -- --help" lists the options\n',
    ])
  })
})
