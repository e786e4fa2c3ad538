import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import glob from 'fast-glob'
import { strFromU8, unzipSync } from 'fflate'
import Database from 'libsql/promise'
import stringWidth from 'string-width'
import { expect, it, onTestFinished } from 'vitest'
import { notificationOf } from '../../src/notify/message.ts'
import { formatWait } from '../../src/owner/listing.ts'
import { runSubmissions } from '../../src/owner/submissions.ts'
import { TICKED } from '../../src/page/form-fields.ts'
import type { SentField, StoredSubmission } from '../../src/store/submission.ts'
import { isLong } from '../helpers/long.ts'
import { NAUGHTY_STRINGS } from '../helpers/naughty-strings.ts'
import { idsOf, owner } from '../helpers/owner.ts'
import { messageField, page } from '../helpers/page.ts'
import { openStore } from '../helpers/store.ts'
import { submissions as run } from '../helpers/workspace.ts'

const FIELDS = ['name', 'message', 'path'].map((name) => ({ ...messageField, name }))
const PAGES = [page({ form: { fields: FIELDS } })]

/** Runs `npm run submissions` on a SQLite file, within this process. */
const submissions = (file: string, args: string[], databaseUrl = '', columns?: number) =>
  owner({ DATABASE_URL: databaseUrl, SUBMISSIONS_FILE: file }, args, { pages: PAGES, columns })

const DAY = 24 * 60 * 60 * 1000

/** Creates a store with a submission for each message. It stays open, like that of a server. */
async function storeWith(messages: readonly string[], { daysAgo = 0 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-submissions-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'data', 'submissions.db')
  const clock = { now: Date.now() - daysAgo * DAY }
  const store = await openStore({ file, now: () => new Date(clock.now) })
  onTestFinished(() => store.close())
  const add = (message: string) =>
    store.add({
      path: '/blog/029',
      fields: [
        ['name', 'Ada'],
        ['message', message],
      ],
      dataset: 'd'.repeat(64),
      isSuspect: false,
    })
  const receipts = (await Promise.all(messages.map(add))).map(({ receipt }) => receipt)
  return { folder, file, store, add, receipts, clock }
}

/** The starts of receipts, as lists show them. */
const startsOf = (...receipts: (string | undefined)[]) =>
  receipts.map((each) => each?.slice(0, 9)).join()
const shownIn = (table: string) => table.match(/(?<= )\w{4}-\w{4}(?= )/g)?.join() ?? ''

/** Parses CSV as in RFC 4180, with all values quoted. */
function parseCsv(text: string): string[][] {
  const records: string[][] = [[]]
  for (const [, quoted, end] of text.matchAll(/"((?:[^"]|"")*)"(,|\r\n)/g)) {
    records.at(-1)?.push((quoted as string).replaceAll('""', '"'))
    if (end === '\r\n') records.push([])
  }
  return records.slice(0, -1)
}

it('lists the newest first, without characters that could control the terminal', async () => {
  const { file, receipts } = await storeWith(['first', 'two\u001b[2J\nlines\u202e'])
  const { status, stdout, stderr } = await submissions(file, [])
  expect(stderr).toBe('')
  expect(status).toBe(0)
  const date = expect.stringMatching(/^\d{4}-\d\d-\d\d$/)
  const time = expect.stringMatching(/^\d\d:\d\d$/)
  const rows = stdout.split('\n').map((line) => line.split(/ {2,}| (?=\d\d:)/))
  expect(rows).toEqual([
    ['Received (UTC)', 'Page', 'Receipt', 'Status', 'Content'],
    [
      date,
      time,
      '/blog/029',
      startsOf(receipts[1]),
      'received',
      'Ada · two\\u001b[2J lines\\u202e',
    ],
    [date, time, '/blog/029', startsOf(receipts[0]), 'received', 'Ada · first'],
    [''],
    ['2 submissions'],
    [''],
  ])
})

it('shows all of one submission, however its receipt was written down', async () => {
  const { file, receipts } = await storeWith(['one\r\n\ttwo'])
  const receipt = receipts[0] as string
  const spoken = receipt
    .toUpperCase()
    .replaceAll('-', ' ')
    .replaceAll('0', 'O')
    .replaceAll('1', 'l')
  const { status, stdout } = await submissions(file, ['show', spoken])
  expect(status).toBe(0)
  expect(stdout).toMatch(`Receipt   ${receipt}\n`)
  expect(stdout).toMatch(/^Received {2}20.{14} \(UTC\), 20.{21}Z$/m)
  expect(stdout).toMatch(/^Hash {6}[0-9a-f]{64}$/m)
  expect(stdout).toMatch(/\n\nname\n {2}Ada\n\nmessage\n {2}one\n {3}two\n$/)
})

it('exports naughty strings as JSON exactly as they were sent, one submission a line', async () => {
  const { file, store } = await storeWith(NAUGHTY_STRINGS)
  const kept: StoredSubmission[] = []
  for await (const submission of store.all()) kept.push(submission)
  const json = await submissions(file, ['export', '--format', 'json'])
  expect(JSON.parse(json.stdout)).toEqual(kept.map(({ id, ...rest }) => rest))
  expect(json.stdout.trimEnd().split('\n')).toHaveLength(kept.length + 2)
  expect(kept.map(({ fields }) => (fields[1] as SentField)[1])).toEqual(NAUGHTY_STRINGS)
})

/** Texts that no spreadsheet runs: CSV has them as they are. */
const HARMLESS = [
  ...['plain', 'a "quote", a comma', 'line\nline\r\nline\rend', ''],
  ...['1-2', 'a=b', 'a; b'],
]

/** Texts that a spreadsheet may run as formulas: in CSV, they begin with '. */
const FORMULAS = ['=1+2', '+1', '-1', '@SUM(1)', ' \u00a0\u200b =1', '＝1', '\0-1', '"=1"']

/**
 * Texts in which a reader that separates with ; or tabs, or breaks lines, would begin a cell with a
 * formula; and what CSV has instead.
 */
const FORMULAS_INSIDE = [
  ['\t=1', "'\t'=1"],
  ['\r=1', "'\r'=1"],
  [';=1', "';'=1"],
  ['a;=1', "a;'=1"],
  ['a\t+1', "a\t'+1"],
  ['a\n-1', "a\n'-1"],
  ['a\r\n@SUM(1)', "a\r\n'@SUM(1)"],
  ['a; "\u200b =1', `a; "\u200b '=1`],
  ['a;;"=1;-2', `a;;"'=1;'-2`],
  ['a;＝1', "a;'＝1"],
  [`=1${';'.repeat(50_000)}`, `'=1${';'.repeat(50_000)}`],
] as const

it('exports CSV that a spreadsheet reads and does not run', async () => {
  const inside = FORMULAS_INSIDE.map(([text]) => text)
  const { file } = await storeWith([...HARMLESS, ...FORMULAS, ...inside])

  const { stdout } = await submissions(file, ['export', '--format', 'csv'])
  const [head = [], ...records] = parseCsv(stdout)
  const column = head.indexOf('message')
  expect(records.map((record) => record[column])).toEqual([
    ...HARMLESS,
    ...FORMULAS.map((text) => `'${text}`),
    ...FORMULAS_INSIDE.map(([, guarded]) => guarded),
  ])
})

it('exports CSV with a column for each field that pages have, and one for all others', async () => {
  const { file, store } = await storeWith(['Hello'])
  const fields = [
    ['path', 'of a field'],
    ['=name', 'x'],
    ['y', ''],
  ] as const
  await store.add({ path: '/api/001', fields, dataset: 'd'.repeat(64), isSuspect: true })

  const { stdout } = await submissions(file, ['export', '--format', 'csv'])
  const [head, ...records] = parseCsv(stdout)
  expect(head).toEqual([
    ...['receipt', 'receivedAt', 'path', 'status', 'repeats'],
    ...['name', 'message', 'field path', 'other fields', 'damage'],
  ])
  expect(records.map((record) => record.slice(2))).toEqual([
    ['/blog/029', 'received', '0', 'Ada', 'Hello', '', '', ''],
    ['/api/001', 'suspect', '0', '', '', 'of a field', '[["=name","x"],["y",""]]', ''],
  ])
})

it('exports and mails what was chosen from a list and whether a box was ticked', async () => {
  const { file, store } = await storeWith([])
  const sent: SentField[] = [
    ['size', 'Extra large'],
    ['consent', TICKED],
  ]
  const { receipt } = await store.add({
    ...{ path: '/blog/029', fields: sent, dataset: '', isSuspect: false },
  })
  const size = {
    ...messageField,
    name: 'size',
    label: 'Size',
    type: 'select',
    options: ['Extra large'],
  }
  const consent = { ...messageField, name: 'consent', label: 'I agree', type: 'checkbox' }
  const pages = [page({ form: { fields: [size, consent] } })]
  const env = { DATABASE_URL: '', SUBMISSIONS_FILE: file }
  const { stdout } = await owner(env, ['export', '--format', 'csv'], { pages })
  expect(parseCsv(stdout)[1]).toEqual(expect.arrayContaining(['Extra large', 'yes']))
  const { stdout: json } = await owner(env, ['export', '--format', 'json'], { pages })
  const mail = notificationOf({ ...JSON.parse(json)[0], receipt, fields: sent }, { pages })
  expect(mail.text).toMatch(/Size\W+Extra large\s+I agree\W+yes/)
})

it('exports the same table as XLSX, in which all cells are text', async () => {
  const { file, folder } = await storeWith([
    'Zoë 📝 <&>"',
    '=1+2',
    'a\0\ud800z',
    'x'.repeat(40_000),
    '_x0041_',
  ])
  const out = join(folder, 'export.xlsx')
  const exported = await submissions(file, ['export', '--format', 'xlsx', '--out', out])
  expect(exported).toEqual({ status: 0, stdout: `The submissions are in ${out}.\n`, stderr: '' })
  const files = unzipSync(readFileSync(out))
  const [, texts = ''] = Object.entries(files)
    .map(([name, bytes]) => [name, strFromU8(bytes)] as const)
    .find(([name]) => name === 'xl/sharedStrings.xml') ?? ['', '']
  const cells = [...texts.matchAll(/<t[^>]*>([^<]*)<\/t>/g)].map(([, text]) => text)
  expect(cells).toContain('other fields')
  expect(cells).toContain('Zoë 📝 &lt;&amp;&gt;"')
  expect(cells).toContain('=1+2')
  expect(cells).toContain('az')
  // Otherwise a spreadsheet would show it as A.
  expect(cells).toContain('_x005F_x0041_')
  expect(cells).toContain(`${'x'.repeat(32_766)}…`)
  const sheet = strFromU8(files['xl/worksheets/sheet1.xml'] as Uint8Array)
  const kinds = [...sheet.matchAll(/<c [^>]*?(?:t="(\w+)")?[^>]*?>/g)].map(([cell]) => cell)
  expect(kinds.filter((cell) => !/ t="s"/.test(cell) && !cell.endsWith('/>'))).toEqual([])
  expect(sheet).not.toContain('<f>')
})

it('exports and lists posts of very many fields, in only as many columns as forms have', async () => {
  const { file, store } = await storeWith([])
  const posts = 29
  const count = isLong ? 9_359 : 200
  for (let post = 0; post < posts; post += 1) {
    const fields = Array.from({ length: count }, (_, index): SentField => [`${post}-${index}`, ''])
    await store.add({ path: '/blog/029', fields, dataset: '', isSuspect: false })
  }
  const { stdout } = await submissions(file, ['export', '--format', 'csv'])
  const [head, ...records] = parseCsv(stdout)
  expect(head).toHaveLength(10)
  expect(records.map((record) => JSON.parse(record[8] as string).length)).toEqual(
    Array.from({ length: posts }, () => count),
  )
  const listed = await submissions(file, ['list'])
  expect(listed.stdout).toMatch(/\n29 submissions\nNot shown: 9 older \(--limit\)\n$/)
})

it('writes an export to a whole file that only its owner can read, or to none', async () => {
  const { file, folder } = await storeWith(['hello'])
  const out = join(folder, 'export.csv')
  const { status, stdout } = await submissions(file, ['export', '--format', 'csv', '--out', out])
  expect({ status, stdout }).toEqual({ status: 0, stdout: `The submissions are in ${out}.\n` })
  expect(readFileSync(out, 'utf8')).toMatch(/"hello","","",""\r\n$/)
  expect(statSync(out).mode & 0o077).toBe(0)
  const again = await submissions(file, ['export', '--format', 'json', '--out', out])
  expect(again).toMatchObject({ status: 2, stderr: expect.stringContaining('(EEXIST)') })
  expect(readFileSync(out, 'utf8')).toMatch(/^"receipt"/)
  const missing = join(folder, 'no-such-folder', 'export.csv')
  const failed = await submissions(file, ['export', '--format', 'csv', '--out', missing])
  const why = 'no such file or directory (ENOENT)'
  expect(failed.stderr).toBe(`submissions: cannot write ${missing}: ${why}\n`)
  expect(failed.status).toBe(2)
})

it('hides the database from other users of the machine', async () => {
  const { file, folder } = await storeWith(['hello'])
  for (const place of [file, join(folder, 'data')]) expect(statSync(place).mode & 0o077).toBe(0)
})

it('deletes while the server runs, by any receipt or by words, without a trace, and frees the space', async () => {
  const secrets = Array.from(
    { length: 300 },
    (_, index) => `secret ${index} ${'s'.repeat(index * 40)}`,
  )
  const { file, store, add, receipts } = await storeWith(secrets)
  const gone = [7, 50, 151, 299]
  for (const index of gone) {
    // A visitor who sent it twice may have the second receipt.
    const { receipt } = await add(secrets[index] as string)
    const { status, stdout } = await submissions(file, ['delete', receipt])
    expect(status).toBe(0)
    expect(stdout).toMatch(
      /^Received .*\n.*received, 2 times .*Ada · secret .*\nDeleted 1 submission\.( Forms that were sent meanwhile waited for up to [\d.]+ seconds\.)?\n$/,
    )
    expect(await add(`after ${index}`)).toMatchObject({ isRepeat: false })
  }
  const raw = [file, `${file}-journal`].map((name) => (existsSync(name) ? readFileSync(name) : ''))
  for (const index of secrets.keys()) {
    const isThere = raw.some((bytes) => bytes.includes(`secret ${index} `))
    expect(isThere, `secret ${index}`).toBe(!gone.includes(index))
    expect(raw.some((bytes) => bytes.includes(receipts[index] as string))).toBe(isThere)
  }
  expect(await store.count()).toEqual({ received: 300, suspect: 0, spam: 0, repeats: 0 })
  const { size } = statSync(file)
  await submissions(file, ['delete', '--text', 'secret', '--yes'])
  expect(readFileSync(file).includes('secret ')).toBe(false)
  expect(statSync(file).size).toBeLessThan(size / 2)
})

it('does nothing if npm has taken an option, except those that npm has itself', async () => {
  const { file, store } = await storeWith(['one'])
  const run = (args: string[], npm: Record<string, string>) =>
    owner({ SUBMISSIONS_FILE: file, ...npm }, args)
  const taken = await run(['delete', '5'], { npm_config_until: 'true' })
  expect(taken.stderr).toBe(
    'submissions: npm kept --until for itself; to pass it on, write npm run submissions -- --until; --help lists the options\n',
  )
  expect(taken.status).toBe(2)
  for (const name of ['page', 'since', 'until', 'text', 'status', 'limit', 'out']) {
    expect((await run([], { [`npm_config_${name}`]: 'x' })).status, name).toBe(2)
  }
  for (const name of ['yes', 'email', 'user_agent']) {
    expect((await run([], { [`npm_config_${name}`]: 'x' })).status, name).toBe(0)
  }
  expect(await store.count()).toMatchObject({ received: 1 })
})

it('finds by page, day, address, words and status', async () => {
  const { file, store, add, clock } = await storeWith([])
  clock.now = Date.parse('2026-03-28T23:59:59.999Z')
  const receipts = [(await add('first')).receipt]
  clock.now += 1
  for (const message of ['second', ' Ada@Example.com ', 'fourth']) {
    receipts.push((await add(message)).receipt)
  }
  await store.add({ path: '/api/001', fields: [['x', 'bot']], dataset: '', isSuspect: true })
  const count = async (...args: string[]) => (await submissions(file, ['count', ...args])).stdout
  expect(await count()).toBe('5 submissions, 1 suspected to be spam\n')
  expect(await count('--page', '/blog/029')).toBe('4 submissions\n')
  expect(await count('--page', 'blog/029', '--until', '2026-03-28')).toBe('1 submission\n')
  expect(await count('--since', '2026-03-29', '--status', 'received')).toBe('3 submissions\n')
  expect(await count('--since', '2026-03-28T23:59:59.999Z', '--until', '2026-03-28 23:59')).toBe(
    '0 submissions\n',
  )
  expect(await count('--since', '2026-03-29T01:00+01:00')).toMatch(/^4 submissions/)
  expect(await count('--since', '2026-03-29T05:29:59.999+05:30')).toMatch(/^5 submissions/)
  const days = Math.ceil((Date.now() - clock.now) / DAY)
  expect(await count('--since', `${days}d`)).toMatch(/^[45] submissions/)
  expect(await count('--since', `${days - 1}d`)).toBe('0 submissions\n')
  expect(await count('--until', `${days + 1}d`)).toBe('0 submissions\n')
  expect(await count('--email', 'ADA@example.com')).toBe('1 submission\n')
  expect(await count('--email', '@Example.com')).toBe('1 submission\n')
  expect(await count('--email', '@ample.com')).toBe('0 submissions\n')
  expect(await count('--text', 'FOUR ada')).toBe('1 submission\n')
  const list = async (...args: string[]) => {
    const { stdout } = await submissions(file, ['list', '--limit', '2', ...args])
    return stdout.replace(/[\s\S]*?\n\n/, (table) => `${shownIn(table)}\n`)
  }
  expect(await list()).toBe(
    `${startsOf(receipts[3], receipts[2])}\n5 submissions, 1 suspected to be spam\n` +
      'Not shown: 2 older (--limit)\nNot shown: 1 that may be spam (--status all)\n',
  )
  expect(await list('--status', 'suspect')).toMatch(/^.{9}\n1 submission, 1 suspected/)
  const exported = await submissions(file, ['export', '--format', 'json', '--text', 'second'])
  expect(JSON.parse(exported.stdout)[0]).toMatchObject({ receipt: receipts[1] })
})

it('marks as spam and as no spam, whatever is sent again', async () => {
  const { file, add, receipts } = await storeWith(['one', 'two', 'three'])
  const marked = await submissions(file, ['spam', ...(receipts.slice(0, 2) as string[])])
  expect(marked).toEqual({ status: 0, stdout: 'Marked 2 submissions as spam.\n', stderr: '' })
  await add('one')
  expect((await submissions(file, [])).stdout).toMatch(
    /three\n\n3 submissions, 2 marked as spam, 1 more sent .*\nNot shown: 2 that may be spam/,
  )
  expect((await submissions(file, ['not-spam', receipts[0] as string])).status).toBe(0)
  expect((await submissions(file, ['count', '--status', 'spam'])).stdout).toBe(
    '1 submission, 1 marked as spam\n',
  )
  expect(await submissions(file, ['spam', receipts[2] as string, 'zzzz-zzzz'])).toMatchObject({
    status: 1,
    stderr: 'submissions: there is no submission zzzz-zzzz\n',
  })
  expect((await submissions(file, ['count', '--status', 'spam'])).stdout).toMatch(/^1 /)
})

it('shows what filters would delete, and with --yes leaves nothing of it, spam included', async () => {
  const { file, store, clock, receipts } = await storeWith(['one', 'two', 'ONE more'])
  await store.judge(await idsOf(store, receipts[0]), 'spam')
  const asked = await submissions(file, ['delete', '--text', 'one'])
  expect(shownIn(asked.stdout)).toBe(startsOf(receipts[2], receipts[0]))
  expect(asked).toMatchObject({ status: 0, stderr: '' })
  expect(asked.stdout).toMatch(
    /\n\n2 submissions found\. Nothing was deleted yet\.\nTo delete all of them for good, run the same command with --yes\.\n$/,
  )
  const done = await submissions(file, ['delete', '--text', 'one', '--yes'])
  expect(done).toMatchObject({ status: 0, stderr: '' })
  const [table] = asked.stdout.split('\n\n')
  expect(done.stdout).toMatch(`${table}\nDeleted 2 submissions.`)
  expect(await store.count()).toMatchObject({ received: 1, spam: 0 })
  // One more, from a clock that was wrong.
  clock.now += 9 * DAY
  await store.add({ path: '/api/001', fields: [['x', 'y']], dataset: '', isSuspect: true })
  await submissions(file, ['delete', '--status', 'all', '--yes'])
  expect(await store.count()).toEqual({ received: 0, suspect: 0, spam: 0, repeats: 0 })
})

it('deletes by filters nothing that has come after it has looked', async () => {
  const { file, add, clock, store } = await storeWith(['one', 'two'])
  const late: Promise<unknown>[] = []
  const stdout = new Writable({
    write(_text, _encoding, done) {
      clock.now += 1
      late.push(add(`late ${late.length}`).finally(done))
    },
  })
  const args = ['delete', '--page', '/blog/029', '--yes']
  const around = { env: { SUBMISSIONS_FILE: file }, stdout, stderr: process.stderr }
  expect(await runSubmissions(args, { ...around, readPages: () => PAGES })).toBe(0)
  await Promise.all(late)
  expect(late.length).toBeGreaterThan(0)
  expect((await store.count()).received).toBe(late.length)
})

it('deletes and counts a submission once, though two of its receipts are typed', async () => {
  const { file, store, add, receipts } = await storeWith(['one', 'two'])
  const again = await add('one')
  const args = ['delete', receipts[0] as string, again.receipt]
  const { stdout } = await submissions(file, args)
  expect(stdout).toMatch(/received, 2 times .*\nDeleted 1 submission\.(?! The newest)/)
  expect(await store.count()).toMatchObject({ received: 1 })
})

it('says of a long deletion which part of it was shown', async () => {
  const { file } = await storeWith(Array.from({ length: 25 }, (_, index) => `${index}`))
  const asked = await submissions(file, ['delete', '--page', '/blog/029'])
  expect(asked.stdout).toContain(
    '\n25 submissions found. The newest 20 are shown. Nothing was deleted yet.\n',
  )
  const done = await submissions(file, ['delete', '--page', '/blog/029', '--yes'])
  expect(done.stdout).toContain('\nDeleted 25 submissions. The newest 20 are shown above.')
  const none = await submissions(file, ['delete', '--page', '/blog/029'])
  expect(none).toMatchObject({
    stdout: 'There is no such submission, so there is nothing to delete.\n',
    status: 0,
  })
})

it('takes the start of a receipt when no other has it', async () => {
  const { file, receipts } = await storeWith(['one', 'two'])
  const [receipt = ''] = receipts
  const shown = await submissions(file, ['show', receipt.slice(0, 9).replaceAll('-', '')])
  expect(shown.stdout).toMatch(`Receipt   ${receipt}\n`)
  const database = new Database(file, {})
  await database.exec(`UPDATE submissions SET receipt = 'aaaa-aaaa-' || id`)
  database.close()
  expect(await submissions(file, ['show', 'aaaa-aaaa'])).toMatchObject({
    status: 2,
    stderr: 'submissions: more than one receipt begins with "aaaa-aaaa"; type more of it\n',
  })
})

it.each([80, 120, 200])('fits a list into a terminal of %s columns', async (columns) => {
  const texts = ['word '.repeat(100), 'é'.repeat(300), '田中花子'.repeat(50), '👩‍👧'.repeat(150)]
  const { file } = await storeWith(texts)
  const lines = (await submissions(file, [], '', columns)).stdout.split('\n').slice(1, 5)
  for (const line of lines) {
    // A letter of two columns may leave one free.
    expect(stringWidth(line)).toBeLessThanOrEqual(columns)
    expect(stringWidth(line)).toBeGreaterThanOrEqual(columns - 1)
  }
})

it('shows and takes times in the time zone of the machine, and says which', async () => {
  const { file, add, clock } = await storeWith([])
  clock.now = Date.parse('2026-03-28T23:30:00Z')
  await add('late')
  const env = { TZ: 'Europe/Berlin' }
  const list = await run(file, ['list', '--since', '2026-03-29', '--until', '2026-03-29'], { env })
  expect(list.stdout).toMatch(/^Received \(Europe\/Berlin\) .*\n2026-03-29 00:30 /)
})

it('a long deletion says that forms were refused after ten seconds', () => {
  expect(formatWait(9.94)).toMatch(/ meanwhile waited for up to 9\.9 seconds\.$/)
  expect(formatWait(27.2)).toMatch(/ took 27 seconds\. Forms .* were refused after ten seconds\.$/)
  // In Postgres, posts are stored meanwhile.
  expect(formatWait(0)).toBe('')
})

it('npm writes no log with an address that was typed', async () => {
  const { file, folder } = await storeWith([])
  const env = { ...process.env, SUBMISSIONS_FILE: file, npm_config_cache: join(folder, 'npm') }
  const args = ['run', 'submissions', '--', 'count', '--email', 'ada@example.com']
  const shell = process.platform === 'win32'
  expect(spawnSync('npm', args, { env, shell, encoding: 'utf8' }).stdout).toContain('0 submissions')
  const logs = glob.sync('**/*', { cwd: join(folder, 'npm'), dot: true, absolute: true })
  expect(logs.filter((log) => readFileSync(log, 'utf8').includes('ada@'))).toEqual([])
})

it('reads while the server writes', async () => {
  const { file, add } = await storeWith(['first'])
  let stored = 1
  let isOver = false
  const writing = (async () => {
    for (; !isOver; stored += 1) await add(`message ${stored}`)
  })()
  onTestFinished(() => {
    isOver = true
    return writing
  })
  for (let round = 0; round < 3; round += 1) {
    const before = stored
    await expect.poll(() => stored).toBeGreaterThan(before)
    const { status, stdout } = await submissions(file, ['export', '--format', 'json'])
    expect(status).toBe(0)
    expect(stdout.trimEnd().split('\n').length).toBeGreaterThan(before)
  }
})

it.each([
  [['frob'], /there is no command "frob"/],
  [['list', '--limt', '3'], /Unknown option '--limt' \(did you mean --limit\?\); --help/],
  [['show'], /RECEIPT is missing/],
  [['count', 'x'], /"x" is not expected/],
  [['count', '--yes'], /count has no option --yes/],
  [['export'], /--format must be one of csv, xlsx, json\n/],
  [['export', '--format', 'xlsx'], /xlsx is not text; name a file, such as --out data\/all\.xlsx/],
  [['list', '--limit', '-1'], /limit/],
  [
    ['list', '--since', '2026-02-30'],
    /--since must be days ago, a day or a time, such as 7d, 2026-/,
  ],
  [['count', '--until', 'soon'], /--until must be days ago, a day or a time/],
  [
    ['count', '--email', 'example.com'],
    /--email must be an address or begin with @, such as @example.com/,
  ],
  [
    ['list', '--status', 'ham'],
    /--status must be one of received, suspect, spam, all, but is "ham"/,
  ],
  [['count', '--text', ' '], /--text must not be empty/],
  [['delete', '--yes'], /RECEIPT is missing/],
  [['delete', 'abcdabcd', '--page', '/a'], /RECEIPT or filters, not both/],
  [['delete', '5'], /"5" is too short; type at least the first two groups of a receipt/],
])('fails with one clear line for the arguments %j', async (args, words) => {
  const { file } = await storeWith([])
  const { status, stdout, stderr } = await submissions(file, args)
  expect(stderr).toMatch(/^submissions: .+\n$/)
  expect(stderr).toMatch(words)
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
})

it('fails with one clear line for a missing submission, a missing database or an unreadable one', async () => {
  const { file, folder } = await storeWith([])
  expect(await submissions(file, ['show', 'abcdefgh'])).toMatchObject({
    status: 1,
    stderr: 'submissions: there is no submission abcdefgh\n',
  })
  const none = join(folder, 'none', 'submissions.db')
  expect(await submissions(none, [])).toMatchObject({
    status: 2,
    stderr: `submissions: ${none} does not exist. Set SUBMISSIONS_FILE or DATABASE_URL as for the receiver, which creates the store when it starts.\n`,
  })
  expect(existsSync(none)).toBe(false)
  const text = join(folder, 'text.db')
  writeFileSync(text, 'This is no database. '.repeat(100))
  expect(await submissions(text, [])).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(
      /^submissions: .*text\.db: this is not a SQLite database, or its beginning is damaged\. Correct SUBMISSIONS_FILE, or restore the last backup.*\(SQLITE_NOTADB\)\n$/,
    ),
  })
})

it('a domain is found however it was typed or sent', async () => {
  const { file, store } = await storeWith([])
  const count = async (email: string) =>
    (await submissions(file, ['count', '--email', email])).stdout
  for (const domain of ['münchen.de', 'xn--mnchen-3ya.de']) {
    const fields = [['email', ` eve@${domain.toUpperCase()}`] as const]
    await store.add({ path: '/blog/029', dataset: '', isSuspect: false, fields })
  }
  for (const domain of ['München.DE', 'XN--mnchen-3ya.de']) {
    expect(await count(`eve@${domain}`)).toBe('2 submissions\n')
    expect(await count(`@${domain}`)).toBe('2 submissions\n')
  }
})

it('marks what filters mean as spam, and what comes after a look stays when it deletes', async () => {
  const { file, store, add } = await storeWith(['pills one', 'hello', 'pills two'])
  const marked = await submissions(file, ['spam', '--text', 'pills'])
  expect(marked).toMatchObject({ stdout: 'Marked 2 submissions as spam.\n', status: 0 })
  expect(await store.count()).toMatchObject({ received: 1, spam: 2 })
  const both = await submissions(file, ['not-spam', '--text', 'pills', 'abcdefgh'])
  expect(both.stderr).toContain('RECEIPT or filters, not both')
  await submissions(file, ['not-spam', '--status', 'spam'])
  expect(await store.count()).toMatchObject({ received: 3, spam: 0 })

  // A look that finds nothing means nothing.
  const ids = await store.idsOf({ text: 'none yet' })
  await add('none yet')
  expect(await store.delete(ids)).toMatchObject({ deleted: 0 })
  expect(await store.count()).toMatchObject({ received: 4 })
})

it('an interrupted export leaves no file with the data behind', async () => {
  const { file, folder, store } = await storeWith(
    Array.from({ length: 400 }, (_, at) => `${at} `.repeat(6_000)),
  )
  await store.close()
  const out = join(folder, 'all.json')
  const files = () => glob.globSync('**', { cwd: folder, dot: true }).sort()
  const before = files()

  const args = ['export', '--format', 'json', '--out', out]
  const isWriting = () => files().length > before.length
  // On a busy machine the command may end before it is interrupted.
  let status: number | null = 0
  for (let attempt = 0; attempt < 10 && status === 0; attempt++) {
    rmSync(out, { force: true })
    status = (await run(file, args, { endWhen: isWriting })).status
  }
  expect([status, files()]).toEqual([2, before])
})
