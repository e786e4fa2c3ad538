import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { describe, expect, it } from 'vitest'
import { findNamedPlace } from '../../src/build/place.ts'
import { batchSource } from '../../src/build/source.ts'
import { writeReport } from '../../src/report/html/write-report.ts'
import { buildSite, siteOf } from '../helpers/build-site.ts'
import { content } from '../helpers/content.ts'
import { page } from '../helpers/page.ts'
import { createWorkspace, readManifest, SCHEMA } from '../helpers/workspace.ts'

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
  it('says what was kept, the counts of each batch, and to which batches it lost paths', async () => {
    const workspace = createReports()
    workspace.batch('a.json', [page(), page({ path: '/api/001' })])
    workspace.batch('b.json', [page(), page({ path: '/api/001', contentHtml: '<p>Other.</p>' })])
    workspace.batch('c.json', [])
    const { status, stdout, text } = await workspace.report()
    expect(status).toBe(0)
    expect(stdout).toMatch(/\nThe report is in .*report\.html \(\d+\.\d kB\)\.\n$/)
    expect(stdout).not.toContain('--report')
    expect(text).toContain('The dataset was written.')
    expect(text).toContain(readManifest(workspace.read('manifest.json')).dataset.sha256)
    expect(tableIn(readFileSync(workspace.file, 'utf8'))).toEqual([
      ['Batch', 'Records', 'Kept', 'Identical', 'Conflicting', 'Lost to'],
      ['a.json', '2', '2', '0', '0', ''],
      ['b.json', '2', '0', '1', '1', 'a.json'],
      ['c.json', '0', '0', '0', '0', ''],
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
    expect(text).toContain(`Kept, because it comes first: ${batches}/a.json:2, record 0`)
    const differs = 'differs in contentHtml, updatedAt'
    expect(text).toContain(`Dropped: ${batches}/b.json:10, record 1; ${differs}`)
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
    const report = { result, folder: batches, outcome: '', isCheck: false, most: 10 }
    await writeReport(file, siteOf(source, SCHEMA, content), report)
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
    expect(text).toContain('The dataset is out of date; --check wrote nothing.')
    expect(text).toContain('1 page new/api/002')
    expect(text).toContain('1 page gone/api/001')
    expect(text).toContain('1 page changed/blog/029 (contentHtml)')
    expect(readFileSync(workspace.file, 'utf8')).toContain('<p class="verdict stale">')
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
  it('shows each problem with its frame, and what would be kept', async () => {
    const workspace = createReports()
    workspace.batch('a.json', [page(), page({ path: '/api/001', title: 'No' })])
    workspace.batch('b.json', [page({ contentHtml: '<p>Other.</p>' }), page({ path: '/api/001' })])
    workspace.batch('c.json', '[')
    const { status, stderr, text } = await workspace.report()
    expect(status).toBe(1)
    expect(stderr).toContain('\nThe report is in ')
    expect(text).toContain('No dataset was written: 2 problems in 2 of 3 batches.')
    expect(text).toContain('  > 12 |     "title": "No",\n       |              ^^^^')
    expect(text).toContain('This is what would be kept if')
    expect(tableIn(readFileSync(workspace.file, 'utf8'))).toEqual([
      ['Batch', 'Records', 'Kept', 'Identical', 'Conflicting', 'Refused', 'Lost to'],
      ['a.json', '2', '1', '0', '0', '1', ''],
      ['b.json', '2', '1', '0', '1', '0', 'a.json'],
      ['c.json', '0', '0', '0', '0', '0', ''],
    ])
    expect(Object.keys(workspace.digests())).toEqual(['dataset.d.json.ts', 'dataset.d.ts'])
  })

  it('names a conflict without lines if its file has changed since it was read', async () => {
    const workspace = createReports()
    workspace.batch('a.json', [page(), page({ contentHtml: '<p>Other.</p>' })])
    const { findNamedPlace } = await import('../../src/build/place.ts')
    const { batchSource } = await import('../../src/build/source.ts')
    const { writeReport } = await import('../../src/report/html/write-report.ts')
    const source = batchSource(findNamedPlace([workspace.batches]))
    const options = { source, schema: SCHEMA, content, out: workspace.out }
    const result = await buildSite(options)
    workspace.batch('a.json', [])
    const { batches: folder, file } = workspace
    await writeReport(file, siteOf(source, SCHEMA, content), {
      result,
      folder,
      outcome: '',
      isCheck: false,
      most: 9,
    })
    const text = textIn(readFileSync(file, 'utf8'))
    expect(text).toContain('a.json, record 1; differs in contentHtml')
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
    expect((await workspace.report()).text).toContain('Kept1 (0 with forms)')
    expect(readFileSync(workspace.file, 'utf8')).toMatch(/^<!doctype html>[\s\S]*<\/html>$/)
    expect(readdirSync(workspace.folder).sort()).toEqual(['batches', 'out', 'report.html'])
  })
})
