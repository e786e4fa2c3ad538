import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { describe, expect, it } from 'vitest'
import { findNamedPlace } from '../../src/build/place.ts'
import type { BuildResult } from '../../src/build/result.ts'
import { batchSource } from '../../src/build/source.ts'
import { renderReport } from '../../src/report/html/Report.tsx'
import { writeReport } from '../../src/report/html/write-report.ts'
import { buildSite } from '../helpers/build-site.ts'
import { createCollections } from '../helpers/collections.ts'
import { content } from '../helpers/content.ts'
import { page } from '../helpers/page.ts'
import { createWorkspace, SCHEMA } from '../helpers/workspace.ts'

/** Returns the text of a document as its reader sees it. */
function textIn(html: string): string {
  const textOf = (node: DefaultTreeAdapterTypes.Node): string => {
    if ('value' in node) return node.value
    const isRead = 'childNodes' in node && !['style', 'script'].includes(node.nodeName)
    return isRead ? node.childNodes.map(textOf).join('') : ''
  }
  return textOf(parse(html))
}

/** Returns the cells of the table of a document, row by row. */
function tableIn(html: string): string[][] {
  const rows = html.match(/<tr>.*?<\/tr>/gs) ?? []
  return rows.map((row) => (row.match(/(?<=<t[hd][^>]*>).*?(?=<\/t[hd]>)/gs) ?? []).map(String))
}

/** The report of a site without problems. */
function reportOf(result: BuildResult, folder: string) {
  const site = {
    name: 'pages',
    words: result.collection.words,
    hasSchema: true,
    isWhole: true,
    result,
    problems: [],
    elsewhere: new Map(),
    refusals: [],
    warnings: [],
  }
  return { collections: [site], folder, state: '', most: 10 }
}

/** Creates a repository, and checks it with a report. Files are named from there. */
function createRepository(...args: Parameters<typeof createCollections>) {
  const repository = createCollections(...args)
  const report = async (...options: string[]) => {
    await repository.run('check', ...options, '--report', repository.at('report.html'))
    return repository.read('report.html').replaceAll(`${repository.at('')}/`, '')
  }
  return { ...repository, report }
}

/** Returns the headings of a document, each with its level. */
function headingsIn(html: string): string[] {
  return (html.match(/(?<=<h)\d>[^<]*(?=<\/h)/g) ?? []).map((heading) => heading.replace('>', ' '))
}

function createReports() {
  const workspace = createWorkspace()
  const file = join(workspace.folder, 'report.html')
  return {
    ...workspace,
    file,
    /** Runs a build with a report. @returns the run, and the text of the report */
    async report(args: string[] = []) {
      const run = await workspace.build(['--report', file, ...args])
      return { ...run, text: textIn(readFileSync(file, 'utf8')) }
    },
  }
}

describe('the report of a good build', () => {
  it('says what was kept, the counts of each batch that has lost records, and to which batches', async () => {
    const workspace = createReports()
    workspace.batch('a.json', [page(), page({ path: '/api/001' })])
    workspace.batch('b.json', [page(), page({ path: '/api/001', contentHtml: '<p>Other.</p>' })])
    workspace.batch('c.json', [])
    const { status, stdout, text } = await workspace.report()
    expect(status).toBe(0)
    expect(stdout).toMatch(/\nThe report is in .*report\.html \(\d+\.\d kB\)\.\n$/)
    expect(stdout).not.toContain('--report')
    expect(text).toContain('pages: 2 of 4 records, no mistake, 2 duplicates dropped')
    const at = (name: string) => join(workspace.batches, name)
    expect(tableIn(readFileSync(workspace.file, 'utf8'))).toEqual([
      ['Batch', 'Records', 'Kept', 'Identical', 'Conflicting', 'Refused', 'Lost to'],
      [at('b.json'), '2', '0', '1', '1', '0', at('a.json')],
    ])
  })

  it('shows where the kept and the dropped record are, and in which fields they differ', async () => {
    const workspace = createReports()
    workspace.batch('a.json', [page({ contentHtml: '<p>One two three.</p>' })])
    const later = { contentHtml: '<p>One TWO three.</p>', updatedAt: '2025-08-28T10:21:30.000Z' }
    workspace.batch('b.json', [page({ path: '/api/001' }), page(later)])
    await workspace.build()
    const { text } = await workspace.report()
    const { batches } = workspace
    expect(text).toContain(`Kept, because it comes first: ${batches}/a.json:2, record 1`)
    const differs = 'differs in contentHtml, updatedAt'
    expect(text).toContain(`Dropped: ${batches}/b.json:10, record 2; ${differs}`)
    expect(text).not.toContain('createdAt')
  })

  it('shows the words that differ, and which record is newer', async () => {
    const workspace = createReports()
    workspace.batch('a.json', [page({ contentHtml: '<p>One two three.</p>' })])
    const later = { contentHtml: '<p>One TWO three.</p>', updatedAt: '2025-08-28T10:21:30.000Z' }
    workspace.batch('b.json', [page(later)])
    await workspace.report()
    const html = readFileSync(workspace.file, 'utf8')
    expect(html).toContain('<span>&lt;p&gt;One <mark>two</mark> three.&lt;/p&gt;</span>')
    expect(html).toContain('<span>&lt;p&gt;One <mark>TWO</mark> three.&lt;/p&gt;</span>')
    expect(html).toContain(
      'The dropped record is newer: its updatedAt is 2025-08-28T10:21:30.000Z.',
    )
  })

  it('says that a batch has changed since the build, instead of showing other values', async () => {
    const workspace = createReports()
    workspace.batch('a.json', [page()])
    workspace.batch('b.json', [page({ contentHtml: '<p>Other.</p>' })])
    const { file, batches } = workspace
    const source = batchSource(findNamedPlace([batches]))
    const result = await buildSite({ source, schema: SCHEMA, content, out: workspace.out })
    workspace.batch('b.json', [page({ contentHtml: '<p>Changed.</p>' })])
    await writeReport(file, reportOf(result, batches))
    const text = textIn(readFileSync(file, 'utf8'))
    expect(text).toContain('A batch has changed since the build, so the values are not shown.')
    expect(text).not.toContain('Changed.')
  })

  it('names the pages that are new, gone and changed', async () => {
    const workspace = createReports()
    workspace.batch('a.json', [page(), page({ path: '/api/001' })])
    await workspace.build()
    workspace.batch('a.json', [page({ contentHtml: '<p>New.</p>' }), page({ path: '/api/002' })])
    const { text } = await workspace.report(['--check'])
    expect(text).toMatch(/dataset\.json \(1 new, .*\) is out of date; "npm run build-data/)
    expect(text).toContain('New1 page: /api/002')
    expect(text).toContain('Gone1 page: /api/001')
    expect(text).toContain('Changed1 page: /blog/029 (contentHtml)')
    expect(readFileSync(workspace.file, 'utf8')).toContain('<p class="verdict stale">')
  })

  it('names the pages that a new batch has taken', async () => {
    const workspace = createReports()
    workspace.batch('b.json', [page()])
    await workspace.build()
    workspace.batch('a.json', [page({ contentHtml: '<p>Other.</p>' })])
    const { text } = await workspace.report()
    expect(text).toMatch(/\/blog\/029 now from \S+a\.json, which sorts before \S+b\.json/)
  })

  it('is the same file for the same batches', async () => {
    const workspace = createReports()
    workspace.batch('a.json', [page(), page({ contentHtml: '<p>Other.</p>' })])
    await workspace.build()
    await workspace.report()
    const before = readFileSync(workspace.file, 'utf8')
    await workspace.report()
    expect(readFileSync(workspace.file, 'utf8')).toBe(before)
  })

  it('shows 1,000 conflicts, or all with --all', async () => {
    const workspace = createReports()
    workspace.batch('a.json', [page()])
    const conflicts = Array.from({ length: 1_100 }, (_, at) =>
      page({ contentHtml: `<p>Text ${at}.</p>` }),
    )
    workspace.batch('b.json', conflicts)
    const count = (text: string) => text.match(/Dropped: \//g)?.length
    const some = (await workspace.report()).text
    expect(count(some)).toBe(1_000)
    expect(some).toContain('100 more are not shown. A report made with --all shows all of them.')
    expect(count((await workspace.report(['--all'])).text)).toBe(1_100)
  })
})

describe('the report of a build that failed', () => {
  it('is written in pieces, each with one problem or conflict', async () => {
    const { batch, batches: folder, out } = createWorkspace()
    batch('a.json', [
      page(),
      page({ contentHtml: '<p>B.</p>' }),
      page({ contentHtml: '<p>C.</p>' }),
    ])
    batch('b.json', '[')
    batch('c.json', '[')
    const source = batchSource(findNamedPlace([folder]))
    const result = await buildSite({ source, schema: SCHEMA, content, out })
    if (result.ok) throw new Error('nothing was refused')

    const { problems, duplicates } = result
    const { collections, ...report } = reportOf(result, folder)
    const conflicts = duplicates.map((conflict) => ({
      ...conflict,
      dropped: conflict.dropped.map((record) => {
        return { ...record, differences: undefined, newer: undefined }
      }),
    }))
    const shown = collections.map((site) => ({ ...site, problems, conflicts }))
    const look = { style: '', policy: '' }
    const pieces = [...renderReport({ ...report, collections: shown }, look)]
    const counts = pieces.map((piece) => piece.split('<article').length - 1)
    expect(counts.filter((count) => count > 0)).toEqual([1, 1, 1])
  })

  it('shows each problem with its frame, and what would be kept', async () => {
    const workspace = createReports()
    workspace.batch('a.json', [page(), page({ path: '/api/001', title: 'No' })])
    workspace.batch('b.json', [page({ contentHtml: '<p>Other.</p>' }), page({ path: '/api/001' })])
    workspace.batch('c.json', '[')
    const { status, stdout, text } = await workspace.report()
    expect(status).toBe(1)
    expect(stdout).toContain('\nThe report is in ')
    expect(text).toContain('pages: 2 problems in 2 files')
    expect(text).toContain('  > 12 |     "title": "No",\n       |              ^^^^')
    expect(text).toContain('This is what would be kept without the records that have problems.')
    const at = (name: string) => join(workspace.batches, name)
    expect(tableIn(readFileSync(workspace.file, 'utf8'))).toEqual([
      ['Batch', 'Records', 'Kept', 'Identical', 'Conflicting', 'Refused', 'Lost to'],
      [at('a.json'), '2', '1', '0', '0', '1', ''],
      [at('b.json'), '2', '1', '0', '1', '0', at('a.json')],
    ])
    expect(Object.keys(workspace.digests())).toEqual(['dataset.d.json.ts', 'dataset.d.ts'])
  })

  it('names a conflict without lines if its file has changed since it was read', async () => {
    const workspace = createReports()
    workspace.batch('a.json', [page(), page({ contentHtml: '<p>Other.</p>' })])
    const source = batchSource(findNamedPlace([workspace.batches]))
    const options = { source, schema: SCHEMA, content, out: workspace.out }
    const result = await buildSite(options)
    workspace.batch('a.json', [])
    const { batches: folder, file } = workspace
    await writeReport(file, reportOf(result, folder))
    const text = textIn(readFileSync(file, 'utf8'))
    expect(text).toContain('a.json, record 2; differs in contentHtml')
  })
})

describe('the report of collections', () => {
  const CITIES = { files: 'cities', id: 'code', duplicates: 'drop' } as const
  const NAMED = { type: 'object', properties: { name: { type: 'string' } } }

  it('has a section for each, with its name above', async () => {
    const { report } = createRepository(
      { 'cities/1.json': [{ code: 'OSL' }], 'people.json': '[' },
      { cities: CITIES, people: { files: 'people.json', id: 'code' } },
    )
    expect(headingsIn(await report())).toEqual([
      '1 Report on the data',
      '2 cities',
      '3 Conflicts',
      '2 people',
      '3 Problems',
      '4 people.json:1:2',
    ])
  })

  it('has no heading for the only one', async () => {
    const { report } = createRepository({ 'cities/1.json': [{ code: 'OSL' }] }, { cities: CITIES })
    expect(headingsIn(await report())).toEqual(['1 Report on the data', '2 Conflicts'])
  })

  it('lists no files that have lost nothing', async () => {
    const files = { 'cities/1.json': [{ code: 'OSL' }], 'cities/2.json': [{ code: 'ROM' }] }
    const { report, write } = createRepository(files, { cities: CITIES })
    expect(await report()).not.toContain('<table>')
    write('cities/2.json', [{ code: 'OSL' }])
    expect(tableIn(await report()).slice(1)).toEqual([
      ['cities/2.json', '1', '0', '1', '0', '0', 'cities/1.json'],
    ])
  })

  it('shows conflicts where duplicates are dropped, in words of a repository', async () => {
    const records = [
      { code: 'OSL', name: 'Oslo' },
      { code: 'OSL', name: 'Åslo' },
    ]
    const files = { 'cities/1.json': records, 'people.json': [{ code: 'ada' }] }
    const people = { files: 'people.json', id: 'code' }
    const { report } = createRepository(files, { cities: CITIES, people })
    const html = await report()
    expect(headingsIn(html).slice(1)).toEqual([
      '2 cities',
      '3 Records by file',
      '3 Conflicts',
      '4 code &quot;OSL&quot;',
      '2 people',
    ])
    expect(textIn(html)).toContain('the same "code", the first one is kept')
    expect(textIn(html)).toContain('cities/1.json:1, record 2; differs in name')
  })

  it('says that no later record differs', async () => {
    const files = { 'cities/1.json': [{ code: 'OSL' }, { code: 'OSL' }] }
    const { report } = createRepository(files, { cities: CITIES })
    expect(textIn(await report())).toContain('No later one differs from it.')
  })

  it('shows what refuses the records that are left out, and the files that they are in', async () => {
    const files = {
      'named.json': NAMED,
      'cities/1.json': [{ code: 'OSL', name: 'Oslo' }],
      'cities/2.json': [{ code: 'ROM', name: 1 }, { code: 'BRN' }],
    }
    const cities = { files: 'cities', id: 'code', recordSchema: 'named.json' }
    const { report } = createRepository(files, { cities })
    const html = await report('--skip-refused')
    expect(headingsIn(html).slice(1, 3)).toEqual([
      '2 Left-out records',
      '3 cities/2.json:1:23  record 1 (code &quot;ROM&quot;)  /0/name',
    ])
    expect(tableIn(html)).toEqual([
      ['File', 'Records', 'Kept', 'Refused'],
      ['cities/2.json', '2', '1', '1'],
    ])
  })

  it('shows only the problems of files that are named', async () => {
    const files = {
      'cities/1.json': [{ code: 'OSL' }, { code: 'OSL', name: 1 }],
      'cities/2.json': '[',
    }
    const { report, at } = createRepository(files, { cities: CITIES })
    expect(headingsIn(await report(at('cities/2.json')))).toEqual([
      '1 Report on the data',
      '2 Problems',
      '3 cities/2.json:1:2',
    ])
  })

  it('names what has changed since the last build, if there was one', async () => {
    const { report, write, run } = createRepository(
      { 'cities/1.json': [{ code: 'OSL' }] },
      { cities: CITIES },
    )
    expect(textIn(await report())).not.toContain('Changes')
    await run('build')
    write('cities/1.json', [{ code: 'OSL' }, { code: 'ROM' }])
    const text = textIn(await report())
    expect(text).toContain('New1 record: ROM')
    expect(text).not.toContain('Gone')
    expect(text).toContain('generated/cities.json (1 new, 0 changed, 0 gone) is out of date')
  })
})

describe('the FILE of --report', () => {
  it.each([
    ['src', /--report must name an HTML file, such as report\.html, but is src/],
    ['raw-batches/batch-01.json', /--report must name an HTML file/],
    [
      'no/such/report.html',
      /cannot write the report no\/such\/report\.html: no such file or directory \(ENOENT\); create what is missing/,
    ],
    ['package.json/report.html', /cannot write the report .*: not a directory/],
  ])('%j is refused before anything is written', async (file, words) => {
    const workspace = createWorkspace()
    workspace.batch('a.json', [page()])
    const { status, stderr, stdout } = await workspace.build(['--report', file])
    expect(stderr).toMatch(/^build-data: .+\n$/)
    expect(stderr).toMatch(words)
    expect(stdout).toBe('')
    expect(status).toBe(2)
    expect(workspace.digests()).toEqual({})
  })

  it.each([
    ['a page', '<!doctype html>\n<title>Home</title>'],
    ['a file that only mentions a report', 'See <!doctype html><!-- ManyURLs: '],
  ])('that is %s of someone else is refused before any work', async (_, content) => {
    const workspace = createReports()
    workspace.batch('a.json', [page()])
    writeFileSync(workspace.file, content)
    const { status, stderr, stdout } = await workspace.build(['--report', workspace.file])
    expect(stderr).toBe(
      `build-data: ${workspace.file} is not a report of a build, so it is not replaced; name a new file\n`,
    )
    expect([status, stdout]).toEqual([2, ''])
    expect(readFileSync(workspace.file, 'utf8')).toBe(content)
    expect(workspace.digests()).toEqual({})
  })

  it.runIf(process.platform !== 'win32').each([
    ['a folder', (file: string) => void mkdirSync(file)],
    ['a link to nothing', (file: string) => symlinkSync('nowhere.html', file)],
  ])('that is %s is refused', async (_, make) => {
    const workspace = createReports()
    workspace.batch('a.json', [page()])
    make(workspace.file)
    const { status, stderr } = await workspace.build(['--report', workspace.file])
    expect(stderr).toMatch(/^build-data: .*is not a report of a build, so it is not replaced;/)
    expect(status).toBe(2)
  })

  it('is replaced as a whole, with no temporary files left', async () => {
    const workspace = createReports()
    workspace.batch('a.json', [])
    await workspace.report()
    workspace.batch('a.json', [page()])
    expect((await workspace.report()).text).toContain('pages: 1 record, no mistake')
    expect(readFileSync(workspace.file, 'utf8')).toMatch(/^<!doctype html>[\s\S]*<\/html>$/)
    expect(readdirSync(workspace.folder).sort()).toEqual(['batches', 'out', 'report.html'])
  })
})
