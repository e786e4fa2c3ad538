import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs, {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { OPTIONS } from '../../src/command/options.ts'
import { isLong } from '../helpers/long.ts'
import { emailField, nameField, page } from '../helpers/page.ts'
import {
  BUILD_DATA,
  CONTENT,
  canMount,
  createWorkspace,
  isWhole,
  pagesOf,
  type Run,
  readManifest,
  runBuildData,
  SCHEMA,
  spawnBuildData,
} from '../helpers/workspace.ts'

const ROOT = join(import.meta.dirname, '../..')

/** One line that says what to do, and no stack trace. */
function expectOneClearLine({ status, stdout, stderr }: Run, words: RegExp) {
  expect(stderr).toMatch(/^build-data: .+\n$/)
  expect(stderr).toMatch(words)
  expect(stdout).toBe('')
  expect(status).toBe(2)
}

/** First that nothing was written, then how many problems there are. */
function expectRefusal(stderr: string, line: string) {
  expect(stderr.split('\n').slice(0, 2)).toEqual(['No dataset was written.', line])
}

describe('a good build', () => {
  it('writes the dataset, its types and its manifest, and says what it did', async () => {
    const workspace = createWorkspace()
    const first = workspace.batch('batch-1.json', [
      page(),
      page({ path: '/api/001', form: { fields: [nameField] } }),
    ])
    const others = [page(), page({ contentHtml: '<p>Other.</p>' })]
    const second = workspace.batch('batch-2.json', others)
    const { status, stdout, stderr } = await workspace.build()

    expect(stderr).toBe('')
    expect(status).toBe(0)
    const { 'dataset.json': sha256, ...digests } = workspace.digests()
    expect(Object.keys(digests)).toEqual(['dataset.d.json.ts', 'dataset.d.ts', 'manifest.json'])
    expect(stdout.split('\n')).toEqual([
      `${second}  2 records: 0 kept, 2 dropped (1 identical to, 1 conflicting with ${join(workspace.batches, 'batch-1.json')})`,
      '',
      'pages: 2 of 4 records, 1 with forms, no mistake, 2 duplicates dropped',
      'Conflicts  1 dropped record differs from the one that was kept',
      `           /blog/029: record 2 of ${second} differs from record 1 of ${first} in contentHtml`,
      `${workspace.out}/dataset.json (437 B): 2 new, 0 changed, 0 gone`,
      `SHA-256 ${sha256}`,
      '',
    ])
    expect(readManifest(workspace.read('manifest.json'))).toMatchObject({
      dataset: { sha256, bytes: 437 },
      totals: { batches: 2, records: 4, kept: 2, dropped: 2, identical: 1, conflicting: 1 },
      duplicates: [
        {
          id: '/blog/029',
          kept: { batch: 'batch-1.json', index: 0 },
          dropped: [
            { batch: 'batch-2.json', index: 0, kind: 'identical', fields: [] },
            { batch: 'batch-2.json', index: 1, kind: 'conflicting', fields: ['contentHtml'] },
          ],
        },
      ],
    })
  })

  it('writes the same bytes for files created in another order, at other times, in another locale', async () => {
    const workspace = createWorkspace()
    const build = (folder: string, env = {}) =>
      spawnBuildData(['--batches', folder, '--out', workspace.out], { env })
    const names = ['batch-2.json', 'batch-10.json', 'Älg.json', 'ı.json', 'I.json']
    for (const name of names) workspace.batch(name, [page({ contentHtml: `<p>${name}</p>` })])
    await workspace.build()
    const expected = workspace.digests()
    const copies = join(workspace.folder, 'copies')
    mkdirSync(copies)
    for (const [index, name] of names.reverse().entries()) {
      cpSync(join(workspace.batches, name), join(copies, name))
      utimesSync(join(copies, name), 1e9 + index, 1e9 + index)
    }
    rmSync(workspace.out, { recursive: true })
    workspace.batch('batch-1.json', [page()])
    await workspace.build()
    expect(workspace.digests()).not.toEqual(expected)
    await build(copies, { LC_ALL: 'tr_TR.UTF-8', LANG: 'sv_SE', TZ: 'Pacific/Kiritimati' })
    expect(workspace.digests()).toEqual(expected)
  })

  it('writes and says the same however a disk spells the names of batches', async () => {
    const runs = ['NFC', 'NFD'].map(async (form) => {
      const { folder, batch, build, digests } = createWorkspace()
      batch('équipe.json'.normalize(form), [page()])
      batch('finance.json', [page({ contentHtml: '<p>Other.</p>' })])
      const { stdout } = await build(['--verbose'])
      return { digests: digests(), dropped: stdout.replaceAll(folder, '').split('\n')[0] }
    })
    const [composed, decomposed] = await Promise.all(runs)
    expect(composed?.dropped).toMatch(/kept .*finance\.json:\d+; dropped .*équipe\.json:\d+ /)
    expect(decomposed).toEqual(composed)
  })

  it('says what changed compared with the previous dataset', async () => {
    const workspace = createWorkspace()
    const changed = async () => {
      return /dataset\.json \(\d+ B\): (.*)$/m.exec((await workspace.build()).stdout)?.[1]
    }
    workspace.batch('a.json', [page(), page({ path: '/api/001' })])
    expect(await changed()).toBe('2 new, 0 changed, 0 gone')
    expect(await changed()).toBe('unchanged')
    workspace.batch('a.json', [page({ contentHtml: '<p>New.</p>' }), page({ path: '/api/002' })])
    const expected = '1 new, 1 changed (contentHtml), 1 gone'
    expect((await workspace.build(['--check'])).stdout).toContain(
      `dataset.json (${expected}) is out of date; `,
    )
    expect(await changed()).toBe(expected)
    expect(await changed()).toBe('unchanged')
    writeFileSync(join(workspace.out, 'dataset.json'), 'no dataset')
    expect(await changed()).toBe('2 new, 0 changed, 0 gone')
  })

  it('says only whether a large dataset changed', async () => {
    const workspace = createWorkspace()
    const contentHtml = `<p>${'x'.repeat(110_000)}</p>`
    const pages = Array.from({ length: 100 }, (_, index) => {
      return page({ path: `/blog/${String(index + 1).padStart(3, '0')}`, contentHtml })
    })
    workspace.batch('a.json', pages)
    const uncounted =
      /dataset\.json \(.*B\): changed \(records are counted in datasets of up to 10 MB\)$/m
    expect((await workspace.build()).stdout).toMatch(uncounted)
    expect((await workspace.build()).stdout).toMatch(/dataset\.json \(11\.0 MB\): unchanged$/m)
    workspace.batch('a.json', pages.slice(1))
    expect((await workspace.build()).stdout).toMatch(uncounted)
    workspace.batch('a.json', [page()])
    expect((await workspace.build()).stdout).toMatch(uncounted)
  })

  it('that leaves no page is refused where there were some, until their folder is removed', async () => {
    const { out, batch, build, digests } = createWorkspace()
    batch('a.json', [page()])
    await build()
    const before = digests()
    batch('a.json', [])
    for (const args of [[], ['--check'], ['--strict']]) {
      const { status, stderr } = await build(args)
      expect(stderr).toContain('a.json:1:1\n  No page is left')
      expect(stderr).toContain(`remove the folder ${out}.\n`)
      expect(status).toBe(1)
      expect(digests()).toEqual(before)
    }
    rmSync(out, { recursive: true })
    expect((await build()).status).toBe(0)
    expect((await build()).status).toBe(0)
  })

  it('writes nothing with --check, and says whether a dataset that is there is out of date', async () => {
    const workspace = createWorkspace()
    const checked = async () => (await workspace.build(['--check'])).stdout
    workspace.batch('a.json', [page()])
    const isRight = 'pages: 1 record, no mistake\n'
    expect(await checked()).toBe(isRight)
    expect(workspace.digests()).toEqual({})

    await workspace.build()
    const before = workspace.digests()
    expect(await checked()).toBe(isRight)

    workspace.batch('a.json', [page({ path: '/api/001' })])
    const { status, stdout, stderr } = await workspace.build(['--check'])
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toContain(
      `\n${workspace.out}/dataset.json (1 new, 0 changed, 1 gone) is out of date; "npm run build-data -- --out ${workspace.out}" writes it\n`,
    )
    expect(workspace.digests()).toEqual(before)
  })

  it('says with --check if the dataset has only other line breaks', async () => {
    const workspace = createWorkspace()
    workspace.batch('a.json', [page()])
    await workspace.build()
    const dataset = join(workspace.out, 'dataset.json')
    writeFileSync(dataset, readFileSync(dataset, 'utf8').replaceAll('\n', '\r\n'))
    const { stdout } = await workspace.build(['--check'])
    expect(stdout).toContain(`${dataset} is out of date; `)
  })

  it('names with --check the file that is out of date', async () => {
    const workspace = createWorkspace()
    workspace.batch('a.json', [page()])
    await workspace.build()
    const types = join(workspace.out, 'dataset.d.json.ts')
    writeFileSync(types, readFileSync(types, 'utf8').replaceAll('\n', '\r\n'))
    const { stdout } = await workspace.build(['--check'])
    expect(stdout).toContain(`${types} is out of date`)
  })

  it('fails with --check --strict if it is out of date, and says so', async () => {
    const workspace = createWorkspace()
    workspace.batch('a.json', [page()])
    const check = () => workspace.build(['--check', '--strict', '--json'])
    expect((await check()).status).toBe(0)

    await workspace.build()
    expect((await check()).status).toBe(0)

    workspace.batch('a.json', [page({ contentHtml: '<p>New.</p>' })])
    const { status, stdout, stderr } = await check()
    expect(status).toBe(1)
    const dataset = join(workspace.out, 'dataset.json')
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      outdated: expect.arrayContaining([dataset]),
    })
    expect(stderr).toContain(`${dataset} (0 new, 1 changed (contentHtml), 0 gone) is out of date; `)

    for (const name of ['manifest.json', 'dataset.json']) {
      await workspace.build()
      rmSync(join(workspace.out, name))
      expect((await check()).status).toBe(1)
    }
  })

  it('prints only JSON, with its manifest, on standard output (--json)', async () => {
    const workspace = createWorkspace()
    workspace.batch('a.json', [page()])
    const { stdout, stderr } = await workspace.build(['--json', '--verbose'])
    const manifest = readManifest(workspace.read('manifest.json'))
    const changes = { new: 1, changed: 0, gone: 0, fields: [] }
    expect(JSON.parse(stdout)).toEqual({
      ok: true,
      countedFrom: { line: 1, column: 1, record: 0, index: 0 },
      outdated: [],
      collections: { pages: { problems: [], warnings: [], changes, takeovers: [], manifest } },
    })
    expect(stderr).toContain('pages: 1 record, no mistake\n')
  })

  it('prints the lines of duplicates as JSON (--json --verbose)', async () => {
    const workspace = createWorkspace()
    workspace.batch('a.json', [page()])
    workspace.batch('b.json', [page({ path: '/api/001' }), page()])
    const { stdout } = await workspace.build(['--json', '--verbose'])
    expect(pagesOf({ stdout }).manifest.duplicates).toEqual([
      {
        id: '/blog/029',
        kept: { batch: 'a.json', index: 0, line: 2 },
        dropped: [{ batch: 'b.json', index: 1, line: 10, kind: 'identical', fields: [] }],
      },
    ])
  })
})

it('reports and annotates as npm starts it', () => {
  const { folder, batches, out, batch } = createWorkspace()
  const report = join(folder, 'report.html')
  const ends = [
    '--batches',
    batches,
    '--out',
    out,
    '--report',
    report,
    '--json',
    ...['--schema', SCHEMA, '--config', CONTENT],
  ]
  const buildData = () =>
    spawnSync('npm', ['run', '--silent', 'build-data', '--', ...ends], {
      cwd: ROOT,
      encoding: 'utf8',
      shell: process.platform === 'win32',
      env: {
        ...process.env,
        // The Node that runs the tests.
        PATH: dirname(process.execPath) + delimiter + process.env.PATH,
        ...{ GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: folder },
      },
    })
  batch('b.json', [page({ title: 'No' })])
  const bad = buildData()
  expect(bad.status).toBe(1)
  expect(pagesOf(bad).problems).toMatchObject([{ file: 'b.json', pointer: '/0/title' }])
  expect(bad.stderr).toContain('::error file=batches/b.json,line=4,col=14')
  expect(readFileSync(report, 'utf8')).toContain('b.json')
})

describe('a batch with faults', () => {
  async function withGoodDataset() {
    const workspace = createWorkspace()
    workspace.batch('batch-1.json', [page()])
    await workspace.build()
    return { workspace, before: workspace.digests() }
  }

  it('reports every fault at its line and column in one run, and changes no byte', async () => {
    const { workspace, before } = await withGoodDataset()
    const field = { ...emailField, name: 'name' }
    workspace.batch('batch-2.json', [
      page({ path: '/blog/002', title: 'x' }),
      { ...page({ path: '/blog/007' }), mood: 'A' },
      { ...page({ path: '/blog/008' }), form: undefined },
      page({ path: '/blog/010', form: { fields: [nameField, field] } }),
    ])
    const { status, stdout, stderr } = await workspace.build()
    expect(status).toBe(1)
    expect(stdout).toBe('')
    const batch = join(workspace.batches, 'batch-2.json')
    expectRefusal(stderr, `${batch}: 4 problems`)
    const matches = [...stderr.matchAll(/batch-2\.json:(\d+:\d+) {2}record \d.* {2}(\S+)$/gm)]
    expect(matches.map(([, place, pointer]) => `${place} ${pointer}`)).toEqual([
      '4:14 /0/title',
      '17:5 /1/mood',
      '19:3 /2',
      '40:19 /3/form/fields/1/name',
    ])
    expect(workspace.digests()).toEqual(before)
  })

  it('shows 20 of its problems, or all with --all', async () => {
    const { workspace } = await withGoodDataset()
    // Each at another place, because the same mistake in many records is shown once.
    const faulty = Array.from({ length: 25 }, (_, index) => ({ ...page(), [`key${index}x`]: 1 }))
    workspace.batch('batch-2.json', faulty)
    const count = ({ stderr }: Run) => stderr.match(/batch-2\.json:\d+:\d+ /g)?.length
    const some = await workspace.build()
    expect(count(some)).toBe(20)
    expect(some.stderr).toContain('5 more problems; --all shows them')
    const all = await workspace.build(['--all'])
    expect(count(all)).toBe(25)
    expect(all.stderr).not.toContain('--all')
  })

  it('reports the number of its faults, however many there are', async () => {
    const { workspace } = await withGoodDataset()
    // In the long run, more than a function takes as its arguments.
    const count = isLong ? 130_000 : 1_300
    const [all, more] = [count, count - 1].map((each) => each.toLocaleString('en'))
    workspace.batch('batch-2.json', `[${Array(count).fill('{}')}]`)
    const schema = join(workspace.folder, 'schema.json')
    const record = { type: 'object', required: ['path'] }
    writeFileSync(schema, JSON.stringify({ type: 'array', items: record }))
    const { status, stderr } = await workspace.build(['--schema', schema])
    expect(status).toBe(1)
    expectRefusal(stderr, `${workspace.batches}/batch-2.json: ${all} problems`)
    expect(stderr).toContain(
      `and the same in ${more} more places: ` +
        [5, 8, 11].map((column) => `${workspace.batches}/batch-2.json:1:${column}`).join(', ') +
        ', …; --all shows each\n',
    )
  })

  it('is annotated by its name, if the batch folder is the root of the repository', async () => {
    const { workspace } = await withGoodDataset()
    workspace.batch('batch-2.json', [page({ title: 'No' })])
    const env = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: workspace.batches }
    const { stderr } = await workspace.build([], env)
    expect(stderr).toContain('::error file=batch-2.json,line=4,')
  })

  it('is annotated from the root of the repository, also if that is checked out in a folder', async () => {
    const { folder } = createWorkspace()
    const batches = join(folder, 'repository/batches')
    mkdirSync(batches, { recursive: true })
    writeFileSync(join(batches, 'batch-2.json'), '[{}]')
    mkdirSync(join(folder, 'repository/.git'))
    const env = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: folder }
    const { stderr } = await runBuildData(['--batches', batches, '--out', join(folder, 'out')], env)
    expect(stderr).toContain('::error file=batches/batch-2.json,line=1,')
  })

  it('is in the summary of the step on GitHub', async () => {
    const { workspace } = await withGoodDataset()
    workspace.batch('batch-2.json', [page({ title: '```' })])
    const summary = join(workspace.folder, 'summary.md')
    writeFileSync(summary, 'before\n')
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary }
    await workspace.build([], env)
    const text = readFileSync(summary, 'utf8')
    // No text ends the block.
    expect(text).toMatch(
      /^before\n### build-data\n\n````text\nNo dataset was written\.\n\S+batch-2\.json: 1 problem\n.*\n````\n\n$/s,
    )

    const folderInstead = { ...env, GITHUB_STEP_SUMMARY: workspace.folder }
    const { status, stderr } = await workspace.build([], folderInstead)
    expect(status).toBe(1)
    expect(stderr).toContain('build-data: the summary of the step cannot be written: ')
  })

  it.runIf(process.platform !== 'win32')(
    'steers no runner of GitHub by its values or its name',
    async () => {
      const { batch, build } = createWorkspace()
      const isCommand = (line: string) => line.includes('##[') || line.trimStart().startsWith('::')
      const commandsOf = ({ stdout, stderr }: Run) =>
        (stdout + stderr).split('\n').filter(isCommand)
      const env = { GITHUB_ACTIONS: 'true' }
      batch('::stop-commands::x.json', [page()])
      expect(commandsOf(await build(['--verbose'], env))).toEqual([])
      batch('##[stop-commands]x.json', [page({ title: '##[stop-commands]x' })])
      const bad = await build(['--json'], env)
      expect(commandsOf(bad)).toEqual([expect.stringMatching(/^::error file=/)])
      expect(pagesOf(bad).problems).toMatchObject([{ file: '##[stop-commands]x.json' }])
    },
  )

  it('reports conflicting duplicates, but not identical ones, as problems with --strict', async () => {
    const { workspace, before } = await withGoodDataset()
    workspace.batch('batch-2.json', [page(), page({ contentHtml: '<p>Other.</p>' })])
    const { status, stderr } = await workspace.build(['--strict'])
    expect(status).toBe(1)
    expectRefusal(stderr, `${workspace.batches}/batch-2.json: 1 problem`)
    expect(stderr).toContain('batch-2.json:11:13  record 2 (/blog/029)  /1/path\n')
    expect(stderr).toContain(
      'Record 1 of batch-1.json has the same path, but differs in contentHtml, and --strict refuses that. Give one of them another path, or remove one.',
    )
    expect(workspace.digests()).toEqual(before)
  })

  it('with a text too long to check is refused', async () => {
    const { workspace, before } = await withGoodDataset()
    workspace.batch('batch-2.json', [page({ contentHtml: `<p>${'x'.repeat(2e7)}</p>` })])
    const { status, stderr } = await workspace.build()
    expect(status).toBe(1)
    expect(stderr).toContain('batch-2.json:1:1\n  Nothing in this file was checked.')
    expect(workspace.digests()).toEqual(before)
  })

  it('that is too large to be read at once is refused by its size', async () => {
    const { workspace } = await withGoodDataset()
    workspace.batch('batch-2.json', '')
    truncateSync(join(workspace.batches, 'batch-2.json'), 2 ** 30)
    const { stderr } = await workspace.build()
    expect(stderr).toContain(
      "batch-2.json:1:1\n  This file can't be read: it is larger than the 511 MiB that can be read at once; split it into several files.\n",
    )
  })

  it('beside other files: each that is not read is named once', async () => {
    const { batch, batches, build } = createWorkspace()
    batch('a.json', [page()])
    const others = ['part-1.jsonl.gz', 'part-2.csv', 'sub/b.JSON.txt']
    for (const name of [...others, '.hidden', 'README.md', 'sub/readme.txt']) batch(name, '')
    const { status, stdout, stderr } = await build()
    const rows = [
      "part-1.jsonl.gz: This file isn't read (compressed; unpack it).",
      "part-2.csv: This file isn't read (neither JSON, YAML nor Markdown).",
      "sub/b.JSON.txt: This file isn't read (its name does not end in .json, .jsonl, .ndjson, .jsonc, .yaml, .yml, .md or .markdown).",
    ]
    expect(stderr).toBe('')
    expect(stdout).toContain(rows.map((row) => `Unread  ${join(batches, row)}\n`).join(''))
    expect(stdout).toContain('pages: 1 record, no mistake\n')
    expect(status).toBe(0)
    const { warnings } = pagesOf(await build(['--json']))
    expect(warnings).toHaveLength(3)
    expect(warnings[1]).toMatchObject({
      file: 'part-2.csv',
      message: "This file isn't read (neither JSON, YAML nor Markdown).",
    })
    const strict = await build(['--strict', '--check'])
    expect(strict.status).toBe(1)
    expect(strict.stderr).toMatch(/^pages: 3 problems in 3 files\n/)
    expect(strict.stderr).toContain(
      "part-2.csv:1:1\n  This file isn't read (neither JSON, YAML nor Markdown).\n",
    )
  })

  it('beside a file that is not read: a build with problems names it too', async () => {
    const { folder, batch, batches, build } = createWorkspace()
    batch('a.json', [{}])
    batch('b.csv', '')
    const report = join(folder, 'report.html')
    const { status, stdout, stderr } = await build(['--json', '--report', report])
    expect(pagesOf({ stdout })).toMatchObject({ warnings: [{ file: 'b.csv' }] })
    expect(stderr.match(/b\.csv/g)).toHaveLength(1)
    expect(stderr).toContain(
      `\nUnread  ${join(batches, 'b.csv')}: This file isn't read (neither JSON, YAML nor Markdown).\n`,
    )
    expect(readFileSync(report, 'utf8')).toContain('b.csv')
    expect(status).toBe(1)
  })

  it('that takes paths of earlier batches is named once, with the first of them', async () => {
    const { batch, batches, build, read } = createWorkspace()
    const paths = ['/blog/001', '/blog/002', '/blog/003', '/blog/004']
    const pages = paths.map((path) => page({ path }))
    batch('batch-01.json', pages)
    expect((await build()).stdout).not.toContain('Taken')
    batch('agency.json', [...pages, page({ path: '/blog/005' })])
    const { stdout } = await build(['--check', '--json'])
    const at = (name: string) => join(batches, name)
    const takeovers = paths.map((id) => ({ id, batch: 'agency.json', from: 'batch-01.json' }))
    expect(pagesOf({ stdout })).toMatchObject({ takeovers })
    expect((await build()).stdout).toContain(
      `Taken  4 records of earlier files; to give them back, rename ${at('agency.json')} to sort after the others
       /blog/001 now from ${at('agency.json')}, which sorts before ${at('batch-01.json')}
       /blog/002 now from ${at('agency.json')}, which sorts before ${at('batch-01.json')}
       /blog/003 now from ${at('agency.json')}, which sorts before ${at('batch-01.json')}
       and 1 more; --json shows all
`,
    )
    expect(read('manifest.json')).not.toContain('Taken')
    expect((await build()).stdout).not.toContain('Taken')
  })

  it('with a key that may be misspelled is accepted with a warning, and refused with --strict', async () => {
    const { batches, batch, build, folder } = createWorkspace()
    const properties = { path: { type: 'string' }, colour: {} }
    const items = { type: 'object', required: ['path', 'title', 'contentHtml'], properties }
    const schema = join(folder, 'open.json')
    writeFileSync(schema, JSON.stringify({ type: 'array', items }))
    const record = { path: '/a', title: 'A', contentHtml: '<p>A</p>' }
    const others = ['/b', '/c'].map((path) => ({ ...record, path, colour: 'red' }))
    batch('a.json', JSON.stringify([{ ...record, colur: 'red' }, ...others]))

    const { status, stdout } = await build(['--schema', schema])
    expect(status).toBe(0)
    expect(stdout).toContain(
      `Key  ${batches}/a.json:1:52  The key "colur" isn't in the schema. Others have "colour" instead.\n`,
    )
    const strict = await build(['--schema', schema, '--strict'])
    expect([strict.status, strict.stderr]).toEqual([1, expect.stringContaining('"colur"')])
  })

  it('with U+FFFD is accepted with a warning, and refused with --strict', async () => {
    const { batches, batch, build } = createWorkspace()
    batch('a.json', JSON.stringify([page({ contentHtml: '<p>Gr\ufffd\ufffde</p>' })]))
    batch('b.json', JSON.stringify([page({ path: '/api/001' })]).replace('Text', '\\uFffD'))
    const { status, stdout } = await build()
    expect(stdout).toContain(
      `Lost  2 places with U+FFFD, a character that was lost; the first at ${batches}/a.json:1:66; `,
    )
    expect(status).toBe(0)
    batch('c.json', '{"a": "\ufffd"}')
    const { stderr } = await build()
    expect(stderr).toContain('\nLost  3 places with U+FFFD')
    expect(stderr).not.toContain('Unread')
    rmSync(join(batches, 'c.json'))
    const strict = await build(['--strict'])
    expectRefusal(strict.stderr, 'pages: 2 problems in 2 files')
    expect(strict.status).toBe(1)
  })

  it('that is a pipe does not block the build', async () => {
    const { workspace } = await withGoodDataset()
    spawnSync('mkfifo', [join(workspace.batches, 'batch-2.json')])
    const { status, stderr } = await workspace.build()
    expect(status).toBe(1)
    expect(stderr).toContain("This file can't be read: it is not a regular file")
  })

  it('that is a socket is reported like a pipe', async () => {
    const { workspace } = await withGoodDataset()
    const server = createServer().listen(join(workspace.batches, 'batch-2.json'))
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { status, stderr } = await workspace.build()
    expect(status).toBe(1)
    expect(stderr).toContain("This file can't be read: it is not a regular file")
  })

  it.each([
    ['nowhere.json', 'it is a link to "nowhere.json", which doesn\'t exist'],
    ['batch-2.json', 'too many symbolic links encountered (ELOOP)'],
  ])('that is a link to %s is reported like the others', async (target, words) => {
    const { workspace, before } = await withGoodDataset()
    symlinkSync(target, join(workspace.batches, 'batch-2.json'))
    const { status, stderr } = await workspace.build()
    expect(status).toBe(1)
    expect(stderr).toContain(`batch-2.json:1:1\n  This file can't be read: ${words}.\n`)
    expect(workspace.digests()).toEqual(before)
  })
})

describe('the command line and the machine', () => {
  it.each(['check', 'fix', 'report'])(
    'an option that npm took for itself, --%s, is reported with the way to pass it on',
    async (option) => {
      const workspace = createWorkspace()
      workspace.batch('batch-1.json', [page()])
      const { status, stderr } = await workspace.build([], { [`npm_config_${option}`]: 'true' })
      expect(stderr).toBe(
        `build-data: npm kept --${option} for itself; to pass it on, write npm run build-data -- --${option}; "npm run build-data -- --help" lists the options\n`,
      )
      expect(status).toBe(2)
      expect(workspace.digests()).toEqual({})
    },
  )

  it('takes options after a "--" of its own, which pnpm passes on', async () => {
    const { batch, build, digests } = createWorkspace()
    batch('a.json', [page()])
    const { status, stderr } = await build(['--', '--check'])
    expect([status, stderr, digests()]).toEqual([0, '', {}])
  })

  it.each([
    [['--bogus'], /Unknown option '--bogus'; "npm run build-data -- --help" lists/],
    [
      ['--chek'],
      /Unknown option '--chek' \(did you mean --check\?\); "npm run build-data -- --help" lists/,
    ],
    [['--out'], /Option '--out <value>' argument missing; "npm run build-data -- --help" lists/],
    [['--skip-refused', '--strict'], /--skip-refused and --strict cannot be used together/],
    [
      ['--check=yes'],
      /Option '--check' does not take an argument; "npm run build-data -- --help" lists/,
    ],
    [
      ['batch-06.json'],
      /a build is of all collections, so it takes no "batch-06\.json"; ".* --help"/,
    ],
    [['--batches', 'no/such/folder'], /no batch folder no\/such\/folder/],
    [['--batches', 'no\u202esuch'], /no batch folder no\\u202esuch/],
    [['--batches', 'src/accept'], /no batches found: /],
    [
      ['--schema', 'no-such-file'],
      /cannot read the schema no-such-file: no such file .*; create what is missing, or name another/,
    ],
    [['--batches', 'raw-batches', '--out', 'raw-batches'], /would be read as data/],
    [['--out', ''], /--out is empty/],
    [['--batches', ''], /--batches is empty/],
    [['--batches', 'x'.repeat(5000)], /name too long \(ENAMETOOLONG\)/],
    [['--batches', 'raw-batches', '--out', 'package.json/x'], /package\.json\/x: not a directory/],
    [['--batches', 'raw-batches', '--out', '/proc/x'], /cannot write \/proc\/x/],
  ])('%j ends with exit status 2 and one clear line', async (args, words) => {
    const { out } = createWorkspace()
    expectOneClearLine(await runBuildData(['--out', out, ...args]), words)
  })

  it.each(['out', 'out/new/folder'])(
    'leaves out what --out %s writes if a link leads from there into the batch folder',
    async (place) => {
      const { folder, batches, batch, build } = createWorkspace()
      batch('a.json', [page()])
      mkdirSync(join(batches, 'sub'))
      symlinkSync('batches/sub', join(folder, 'out'), 'dir')
      const options = ['--out', join(folder, place)]
      expect(await build(options)).toMatchObject({ status: 0, stderr: '' })
      expect(await build([...options, '--check', '--strict'])).toMatchObject({ status: 0 })
    },
  )

  it('leaves out what --out and --records write into a batch folder that is a link', async () => {
    const { folder, batch, batches } = createWorkspace()
    batch('a.json', [page()])
    symlinkSync('batches', join(folder, 'link'), 'dir')
    const link = ['--batches', join(folder, 'link')]
    const records = [...link, '--records', join(batches, 'records')]
    expect((await runBuildData(records)).status).toBe(0)
    rmSync(join(batches, 'records'), { recursive: true })
    const out = [...link, '--out', join(batches, 'out')]
    expect((await runBuildData(out)).status).toBe(0)
    expect((await runBuildData([...out, '--check', '--strict'])).status).toBe(0)
  })

  it('leaves out what --out writes, even into a folder named with two dots', async () => {
    const { batches, batch, build } = createWorkspace()
    batch('a.json', [page()])
    for (const out of [join(batches, '..new'), `${batches}..`]) {
      expect((await build(['--out', out])).status).toBe(0)
      expect((await build(['--out', out, '--check', '--strict'])).status).toBe(0)
    }
  })

  it('refuses a batch, and a folder, whose name has a line break', async () => {
    const { batch, build } = createWorkspace()
    batch('good.json', [page()])
    batch('x\ny/u\nv/batch-2.json', [page()])
    batch('\nbatch-2.json', [page()])
    batch('in/batch\n3.json', [page()])
    const { status, stderr } = await build()
    expectRefusal(stderr, 'pages: 3 problems in 3 files')
    expect(stderr.match(/isn't read \(its name has a line break/g)).toHaveLength(3)
    expect(status).toBe(1)
  })

  it('does not follow links to folders, which may form a cycle', async () => {
    const { folder, batches, batch, build } = createWorkspace()
    batch('batch-1.json', [page()])
    for (const name of ['one', 'two']) symlinkSync('.', join(batches, name))
    mkdirSync(join(folder, 'elsewhere'))
    writeFileSync(join(folder, 'elsewhere', 'x\ny.json'), '[]')
    symlinkSync('../elsewhere', join(batches, 'elsewhere'))
    mkdirSync(join(batches, '.hidden'))
    writeFileSync(join(batches, '.hidden', 'x\ny.json'), '[]')
    symlinkSync('../elsewhere', join(batches, 'x.json'), 'dir')
    const { status, stdout } = await build()
    expect(status).toBe(0)
    expect(stdout).toContain(
      `\nUnread  ${join(batches, 'elsewhere')}: This file isn't read (a link to a folder).\n`,
    )
    expect(stdout).toContain(`\nUnread  ${join(batches, 'one')}: `)
  })

  it.runIf(process.platform === 'linux')(
    'refuses a batch, and a folder, whose name is not valid Unicode',
    async () => {
      const { batches, batch, build } = createWorkspace()
      batch('good.json', [page()])
      const caf = Buffer.from(`${batches}/caf\xe9`, 'latin1')
      mkdirSync(caf)
      for (const name of ['/x.json', '.json', '.txt'])
        writeFileSync(Buffer.concat([caf, Buffer.from(name)]), '[]')
      const { status, stderr } = await build()
      expectRefusal(stderr, 'pages: 2 problems in 2 files')
      for (const what of ['/:1:1\n  This folder', '.json:1:1\n  This file'])
        expect(stderr).toContain(
          `caf\ufffd${what} isn't read (its name has a line break or isn't valid Unicode`,
        )
      expect(status).toBe(1)
    },
  )

  it.runIf(process.platform === 'linux')(
    'refuses two names that differ only in how a disk spells them',
    async () => {
      const { batch, build } = createWorkspace()
      for (const form of ['NFC', 'NFD']) batch('é.json'.normalize(form), [page()])
      const { status, stderr } = await build()
      expect(stderr).toContain("é.json:1:1\n  This file isn't read (another file has the same name")
      expect(status).toBe(1)
    },
  )

  it('reports an error as JSON too (--json)', async () => {
    const { status, stdout } = await runBuildData(['--json', '--batches', 'no\u202esuch'])
    const error = expect.stringContaining('no\u202esuch')
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error })
    expect(stdout).not.toContain('\u202e')
    expect(status).toBe(2)
  })

  it('explains every option in --help', async () => {
    const { status, stdout } = await runBuildData(['--help'])
    expect(status).toBe(0)
    expect((await runBuildData(['-h'])).stdout).toBe(stdout)
    const options = [...stdout.matchAll(/^ {2}(?:-\w, )?--([\w-]+)/gm)]
    expect(options.map(([, name]) => name)).toEqual(Object.keys(OPTIONS))
  })

  async function withTwoDatasets() {
    const workspace = createWorkspace()
    workspace.batch('a.json', [page()])
    await workspace.build()
    const before = workspace.digests()
    const many = Array.from({ length: 90 }, (_, index) =>
      page({ path: `/api/0${index + 10}`, contentHtml: `<p>${'long '.repeat(400)}</p>` }),
    )
    workspace.batch('b.json', many)
    return { workspace, before }
  }

  it('keeps the last dataset and leaves no temporary files when a file cannot grow', async () => {
    const { workspace, before } = await withTwoDatasets()
    const entries = readdirSync(workspace.out)
    const result = await workspace.spawn([], { prelude: 'ulimit -f 100' })
    expectOneClearLine(result, /as it was before.*file too large \(EFBIG\)/)
    expect(workspace.digests()).toEqual(before)
    expect(readdirSync(workspace.out)).toEqual(entries)
  })

  it.runIf(isLong && canMount)('ends with one clear line when the disk is full', async () => {
    const { workspace } = await withTwoDatasets()
    const { out } = workspace
    const prelude = `mount -t tmpfs -o size=64k none ${out}`
    const result = await workspace.spawn([], { prelude, mayMount: true })
    expectOneClearLine(result, /no space left on device \(ENOSPC\)/)
  })

  it.each([['SIGINT'], ['SIGTERM']] as const)(
    'is ended at once by %s, and leaves the dataset as it was; the next build removes the rest',
    async (signal) => {
      const { workspace, before } = await withTwoDatasets()
      const entries = readdirSync(workspace.out)
      const started = join(workspace.folder, 'started')
      const content = join(workspace.folder, 'content.ts')
      writeFileSync(
        content,
        `import { writeFileSync } from 'node:fs'
      const records = () => {
        writeFileSync(${JSON.stringify(started)}, '')
        return /^([a-z0-9]+-?)+$/.test('${'a'.repeat(40)}_')
      }
      export const content = { site: false, records }`,
      )

      const ended = await workspace.spawn(['--config', content], {
        signal,
        endWhen: () => existsSync(started),
      })
      expect(ended).toEqual({ status: null, signal, stdout: '', stderr: '' })
      expect(workspace.digests()).toEqual(before)
      expect(readdirSync(workspace.out)).not.toEqual(entries)

      expect((await workspace.build()).status).toBe(0)
      expect(readdirSync(workspace.out)).toEqual(entries)
    },
  )

  it.runIf(process.platform !== 'win32')(
    'succeeds when the reader of its messages closes the pipe',
    () => {
      const { batches, out, batch } = createWorkspace()
      batch('a.json', Array(3000).fill(page()))
      const build = `'${process.execPath}' ${BUILD_DATA.join(' ')} --schema '${SCHEMA}' --config '${CONTENT}' --batches ${batches} --out ${out}`
      const script = `{ ${build} --json --verbose >/dev/null; echo $? >&3; } 2>&1 3>${out}.status | head -1`
      const { stdout } = spawnSync('bash', ['-c', script], { cwd: ROOT, encoding: 'utf8' })
      expect(stdout).toMatch(/^\/blog\/029 .* dropped \S+\/a\.json:\d+ \(identical\)\n$/)
      expect(readFileSync(`${out}.status`, 'utf8')).toBe('0\n')
    },
  )

  it.each([[[]], [['--check']]])('names a folder where a file must be (%j)', async (args) => {
    const workspace = createWorkspace()
    workspace.batch('a.json', [page()])
    mkdirSync(join(workspace.out, 'dataset.json'), { recursive: true })
    const result = await workspace.build(args)
    expectOneClearLine(result, /out[/\\]dataset\.json must be a file, but is a folder/)
    expect(readdirSync(workspace.out)).toEqual(['dataset.json'])
  })

  it('reports that it cannot use the temporary folder, which --check needs', async () => {
    const workspace = createWorkspace()
    workspace.batch('a.json', [page()])
    vi.stubEnv('TMPDIR', '/no/such')
    vi.stubEnv('TEMP', '/no/such')
    onTestFinished(() => {
      vi.unstubAllEnvs()
    })
    const result = await workspace.build(['--check'])
    expectOneClearLine(result, /cannot compare in the temporary folder .*\(ENOENT\)/)
  })

  it('fails when a promise never settles', async () => {
    const { folder, spawn } = createWorkspace()
    const hook = join(folder, 'hook.cjs')
    writeFileSync(hook, 'process.stdout.write = () => true\n')
    const result = await spawn(['--help'], { env: { NODE_OPTIONS: `--require ${hook}` } })
    expect(result.stderr).toMatch(/^build-data: .*a promise was never settled/m)
    expect(result.status).toBe(2)
  })

  it('follows an --out that is a link to a folder', async () => {
    const { folder, batch, build, out } = createWorkspace()
    batch('a.json', [page()])
    mkdirSync(join(folder, 'real'))
    symlinkSync('real', out, 'dir')
    expect((await build()).status).toBe(0)
    expect(readdirSync(join(folder, 'real'))).toContain('dataset.json')
  })

  it.each([
    ['manifest.json', '{ "name": "A web app", "start_url": "/" }'],
    ['dataset.json', '[\n  { "id": 1 }\n]'],
    ['dataset.json', '[\n{"id":1}\n]\n'],
    ['dataset.json', '[]\n'],
    ['dataset.d.json.ts', 'export type Mine = 1'],
    ['dataset.d.ts', 'export type Mine = 1'],
  ])('replaces no %s that is not its own: %s', async (name, content) => {
    const workspace = createWorkspace()
    workspace.batch('batch-1.json', [page()])
    mkdirSync(workspace.out)
    writeFileSync(join(workspace.out, name), content)
    for (const args of [[], ['--check']]) {
      const { status, stderr } = await workspace.build(args)
      expect(status).toBe(2)
      expect(stderr).toBe(
        `build-data: nothing shows that ManyURLs made ${join(workspace.out, name)}, so it is not replaced; move it away, or name another folder with --out\n`,
      )
    }
    expect(readdirSync(workspace.out)).toEqual([name])
    expect(workspace.read(name)).toBe(content)
  })

  it('replaces no types that someone has put beside a dataset of 0.5.0', async () => {
    const { batch, build, out, read } = createWorkspace()
    batch('batch-1.json', [page()])
    await build()
    writeFileSync(join(out, 'dataset.d.ts'), 'export type Mine = 1')
    const { status, stderr } = await build()
    expect([status, stderr]).toEqual([2, expect.stringContaining('dataset.d.ts, so it is not')])
    expect(read('dataset.d.ts')).toBe('export type Mine = 1')
  })

  it('replaces no dataset beside types of its own that begins otherwise', async () => {
    const { batch, build, out, read } = createWorkspace()
    batch('batch-1.json', [page()])
    await build()
    rmSync(join(out, 'manifest.json'))
    writeFileSync(join(out, 'dataset.json'), '{ "mine": 1 }')
    const { status, stderr } = await build()
    expect([status, stderr]).toEqual([2, expect.stringContaining('dataset.json, so it is not')])
    expect(read('dataset.json')).toBe('{ "mine": 1 }')
  })

  it.each([1, 2, 3])(
    'whose first build stops after %i files is completed by the next',
    async (count) => {
      const { batch, build, out, digests } = createWorkspace()
      batch('batch-1.json', [page()])
      const rename = fs.renameSync
      let left = count
      vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
        if (left-- === 0) throw new Error('killed')
        rename(from, to)
      })
      onTestFinished(() => void vi.restoreAllMocks())
      expect((await build()).stderr).toContain('killed')
      expect(Object.keys(digests())).toHaveLength(count)

      vi.restoreAllMocks()
      expect(await build()).toMatchObject({ status: 0, stderr: '' })
      expect(isWhole(out)).toBe(true)
    },
  )

  it.each([
    ['no manifest', { 'manifest.json': undefined }],
    ['its types only', { 'manifest.json': undefined, 'dataset.json': undefined }],
    [
      'its first file only',
      {
        'manifest.json': undefined,
        'dataset.json': undefined,
        'dataset.d.json.ts': undefined,
      },
    ],
    ['an empty dataset and no manifest', { 'manifest.json': undefined, 'dataset.json': '' }],
  ])('repairs a dataset of its own with %s', async (_, changes) => {
    const workspace = createWorkspace()
    workspace.batch('batch-1.json', [page()])
    await workspace.build()
    const before = workspace.digests()
    for (const [name, content] of Object.entries(changes)) {
      if (content === undefined) rmSync(join(workspace.out, name))
      else writeFileSync(join(workspace.out, name), content)
    }
    expect((await workspace.build()).status).toBe(0)
    expect(workspace.digests()).toEqual(before)
  })
})
