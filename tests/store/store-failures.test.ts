import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import Database from 'libsql/promise'
import pg from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { StoreOptions } from '../../src/store/open-store.ts'
import { PATIENCE } from '../../src/store/queue.ts'
import {
  contentHash,
  type Receipt,
  StoreError,
  type Submission,
} from '../../src/store/submission.ts'
import { POSTGRES_MIGRATIONS, SQLITE_MIGRATIONS } from '../../src/store/tables.ts'
import { isLong } from '../helpers/long.ts'
import { idsOf, owner } from '../helpers/owner.ts'
import { newDatabase, startPostgres } from '../helpers/postgres.ts'
import { startProxy } from '../helpers/proxy.ts'
import { addAll } from '../helpers/receiver.ts'
import { openStore, overwritePage } from '../helpers/store.ts'
import { canMount, run } from '../helpers/workspace.ts'

/** Whether system calls can be made to fail: strace is installed, and may trace. */
const canTrace = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-store-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'submissions.db')
}

async function open(options: StoreOptions) {
  const store = await openStore(options)
  onTestFinished(() => store.close())
  return store
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

const submissionOf = (name: string): Submission => ({
  path: '/blog/029',
  fields: [['name', name]],
  dataset: '',
  isSuspect: false,
})

/** Parses the output of a child: one answer per line. */
function answersOf(stdout: string): (Receipt | { error: string })[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

const child = (...args: (string | number)[]) => [
  ...['--import', 'tsx', 'tests/helpers/store-child.ts'],
  ...args.map(String),
]

describe('a store in SQLite', () => {
  it('waits while another process has the file locked, without blocking other work', async () => {
    const file = newFile()
    const store = await open({ file })
    const other = new Database(file, {})
    onTestFinished(() => other.close())
    await other.exec('BEGIN EXCLUSIVE')
    const events: string[] = []
    const adding = store.add(submissionOf('Ada')).then(() => events.push('stored'))
    const finding = store.find('none').then(() => events.push('found'))
    for (let round = 1; round <= 3; round += 1) {
      await setTimeout(10)
      events.push(`other work ${round}`)
    }
    await other.exec('COMMIT')
    await Promise.all([adding, finding])
    const work = ['other work 1', 'other work 2', 'other work 3']
    expect(events).toEqual([...work, 'stored', 'found'])
  })

  it('keeps once what two processes are sent at the same time, and counts the repeats', async () => {
    const file = newFile()
    const receivers = [1, 2].map(() => run(child(file, 'message', 100, 0)))
    const answers = (await Promise.all(receivers)).flatMap(({ stdout }) => answersOf(stdout))
    const repeats = answers.filter((answer) => 'isRepeat' in answer && answer.isRepeat)
    expect([answers.length, repeats.length]).toEqual([200, 100])
    const store = await open({ file })
    expect(await store.count()).toEqual({ received: 100, suspect: 0, spam: 0, repeats: 100 })
  })

  it('rejects calls while its file is moved away, and continues when it is back', async () => {
    const file = newFile()
    const store = await open({ file })
    const { receipt } = await store.add(submissionOf('Ada'))
    renameSync(file, `${file}.moved`)
    const wasMoved = 'the file is gone'
    await expect(store.add(submissionOf('Bob'))).rejects.toThrow(
      `${file}: nothing was stored or deleted: ${wasMoved}; put it back, or restart for a new one`,
    )
    const isGone = `${file}: the file is gone or empty. Put it back, or restart for a new one.`
    await expect(store.add(submissionOf('Bob'))).rejects.toThrow(new StoreError(isGone))
    await expect(store.probe()).rejects.toThrow(new StoreError(isGone))
    expect(existsSync(file)).toBe(false)
    renameSync(`${file}.moved`, file)
    expect(await store.add(submissionOf('Bob'))).toMatchObject({ isRepeat: false })
    expect(await store.find(receipt)).toMatchObject({ receipt })
  })

  it('creates no file to examine when its own was moved away', async () => {
    const file = newFile()
    const store = await open({ file })
    renameSync(file, `${file}.moved`)
    await expect(store.inspect()).rejects.toThrow('the file is gone or empty')
    expect(existsSync(file)).toBe(false)
  })

  it('rejects calls when its file was emptied, and does not treat it as a new one', async () => {
    const file = newFile()
    const store = await open({ file })
    await store.add(submissionOf('Ada'))
    truncateSync(file)
    for (let round = 0; round < 3; round += 1) {
      await expect(store.add(submissionOf('Bob'))).rejects.toThrow(StoreError)
    }
    expect(statSync(file).size).toBe(0)
    await store.close()
    const restarted = await open({ file })
    expect(await restarted.add(submissionOf('Bob'))).toMatchObject({ isRepeat: false })
  })

  it('migrates the tables of the first release and keeps their data', async () => {
    const file = newFile()
    const former = new Database(file, {})
    await former.exec(`${SQLITE_MIGRATIONS[0]}; PRAGMA user_version = 1`)
    const fields = JSON.stringify([['name', 'Ada']])
    const hash = contentHash(submissionOf('Ada'))
    await former.exec(`INSERT INTO submissions VALUES
      (1, 'first', '/blog/029', '${new Date().toISOString()}', '', '${hash}', 'received', 0, '${fields}')`)
    former.close()
    const store = await open({ file })
    expect(await store.outbox.queued(9)).toEqual({ count: 0, next: [] })
    const { receipt, isRepeat } = await store.add(submissionOf('Ada'))
    expect(isRepeat).toBe(true)
    expect(await store.find('first')).toMatchObject({ repeats: 1, fields: [['name', 'Ada']] })
    expect(await store.find(receipt)).toMatchObject({ receipt, fields: [['name', 'Ada']] })
  })

  it('keeps in the outbox what waited in the tables of release 5, and asks readers to wait for it', async () => {
    const file = newFile()
    const former = new Database(file, {})
    await former.exec(`${SQLITE_MIGRATIONS.slice(0, 5).join(';')}; PRAGMA user_version = 5`)
    const at = new Date().toISOString()
    const hash = contentHash({ path: '/a', fields: [['name', 'Ada']] })
    for (const [receipt, notification] of [
      ['a', "'waiting'"],
      ['b', "'sent'"],
      ['c', "'failed'"],
      ['d', 'NULL'],
    ]) {
      await former.exec(`INSERT INTO submissions (receipt, path, received_at, dataset, content_hash,
        status, fields, notification, notify_at) VALUES ('${receipt}', '/a', '${at}', '',
        '${hash}', 'received', '[["name","Ada"]]', ${notification}, '${at}')`)
    }
    former.close()
    const before = readFileSync(file)
    const count = await owner({ SUBMISSIONS_FILE: file }, ['count'])
    expect(count).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Start the receiver'),
    })
    expect(readFileSync(file).equals(before)).toBe(true)
    const store = await open({ file })
    const { next } = await store.outbox.queued(9)
    expect(next.map(({ receipt }) => receipt)).toEqual(['a', 'c'])
    expect(await store.idsOf({ doneIn: ['mail'] })).toHaveLength(2)
  })

  it('announces what waited for a list in the tables of release 6', async () => {
    const file = newFile()
    const former = new Database(file, {})
    await former.exec(`${SQLITE_MIGRATIONS.slice(0, 6).join(';')}; PRAGMA user_version = 6`)
    const at = new Date().toISOString()
    await former.exec(`INSERT INTO submissions
        (receipt, path, received_at, dataset, content_hash, status, fields)
      VALUES ('a', '/a', '${at}', '', 'a', 'received', '[]'),
        ('b', '/a', '${at}', '', 'b', 'received', '[]');
      INSERT INTO outbox (submission, channel, due_at, message)
      VALUES (1, 'mail', '${at}', 'list'), (2, 'mail', '${at}', 'list')`)
    former.close()
    const store = await open({ file })
    const now = new Date()
    const lease = await store.outbox.lease('mail', { now, until: now, pause: 1 })
    expect(lease).toMatchObject({ message: 'a-list', count: 2, attempts: 1 })
  })

  it('reads the tables of 0.5.0 without changing them', async () => {
    const file = newFile()
    const former = new Database(file, {})
    await former.exec(`${SQLITE_MIGRATIONS.slice(0, 7).join(';')}; PRAGMA user_version = 7`)
    former.close()
    const before = readFileSync(file)

    for (const command of [
      ['check'],
      ['list'],
      ['export', '--format', 'json'],
      ['notifications'],
    ]) {
      expect(await owner({ SUBMISSIONS_FILE: file }, command)).toMatchObject({ status: 0 })
    }
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  it('knows the tables of each release without the number of their version', async () => {
    for (const count of SQLITE_MIGRATIONS.keys()) {
      const file = newFile()
      const former = new Database(file, {})
      await former.exec(SQLITE_MIGRATIONS.slice(0, count + 1).join(';'))
      former.close()
      const store = await open({ file })
      expect(await store.add(submissionOf('Ada'))).toMatchObject({ isRepeat: false })
    }
  })

  it.each([6, 3, 0])('opens a file whose version became %s, and corrects it', async (version) => {
    const file = newFile()
    const store = await openStore({ file })
    await store.add(submissionOf('Ada'))
    await store.close()
    const other = new Database(file, {})
    onTestFinished(() => other.close())
    await other.exec(`PRAGMA user_version = ${version}`)

    const count = await owner({ SUBMISSIONS_FILE: file }, ['count'])
    expect(count).toEqual({ status: 0, stdout: '1 submission\n', stderr: '' })
    expect(await (await open({ file })).count()).toMatchObject({ received: 1 })
    const latest = SQLITE_MIGRATIONS.length
    expect(await other.pragma('user_version', {})).toEqual([{ user_version: latest }])
  })

  it.runIf(canMount)('says that a disk is too full, and reads one that is read-only', async () => {
    const old = newFile()
    const former = new Database(old, {})
    await former.exec(`${SQLITE_MIGRATIONS[0]}; PRAGMA user_version = 1`)
    former.close()
    // Full for the tables of this release before the commit, and in it.
    const full = [24, 28].map((size) => ({ size, file: newFile() }))
    const copies = full.map(({ size, file }) => {
      return `mount -t tmpfs -o size=${size}k none ${dirname(file)}; cp ${old} ${file}`
    })
    const file = newFile()
    const store = await openStore({ file })
    await store.add(submissionOf('Ada'))
    await store.close()
    const folder = dirname(file)
    const bound = `mount --bind ${folder} ${folder}; mount -o remount,ro,bind ${folder}`
    const program = `const { SqliteDatabase } = require('./src/store/sqlite-store.ts')
      const { SqlStore } = require('./src/store/sql-store.ts')
      const options = { now: () => new Date(), patience: 60_000 }
      const open = async (file, access) =>
        new SqlStore(await SqliteDatabase.open(file, { ...options, access }))
      const tell = ({ message }) => console.log(message)
      const { describe } = require('./src/store/sqlite-errors.ts')
      const lost = Object.assign(new Error('not an error'), { code: 'SQLITE_OK' })
      ;(async () => {
        console.log(describe(lost, ${JSON.stringify(full[0]?.file)}))
        console.log(describe(lost, ${JSON.stringify(file)}))
        for (const { file } of ${JSON.stringify(full)}) await open(file, 'change').catch(tell)
        console.log(await (await open(${JSON.stringify(file)}, 'read')).count())
      })()`
    const options = { mayMount: true, prelude: [...copies, bound].join('; ') }
    const { status, stdout, stderr } = await run(['--require', 'tsx/cjs', '-e', program], options)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout.trimEnd().split('\n')).toEqual([
      'the disk is full (SQLITE_OK)',
      'SQLite failed and does not say why (SQLITE_OK)',
      expect.stringMatching(/nothing was stored or deleted: the disk is full \(SQLITE_FULL\)$/),
      expect.stringMatching(/it is unknown whether .*: the disk is full \(SQLITE_FULL\)$/),
      '{ received: 1, suspect: 0, spam: 0, repeats: 0 }',
    ])
  })

  it('switches off WAL, which is not safe with two processes', async () => {
    const file = newFile()
    await (await openStore({ file })).close()
    const other = new Database(file, {})
    const mode = async () => (await other.prepare('PRAGMA journal_mode')).all()
    await other.exec('PRAGMA journal_mode = WAL')
    expect(await mode()).toEqual([{ journal_mode: 'wal' }])
    other.close()
    const store = await open({ file })
    await store.add(submissionOf('Ada'))
    const again = new Database(file, {})
    onTestFinished(() => again.close())
    expect(await (await again.prepare('PRAGMA journal_mode')).all()).toEqual([
      { journal_mode: 'delete' },
    ])
  })

  it('fails its check when another program has switched on WAL', async () => {
    const file = newFile()
    const store = await open({ file })
    const other = new Database(file, {})
    await other.exec('PRAGMA journal_mode = WAL')
    await expect(store.probe()).rejects.toThrow(
      new StoreError('SQLite keeps journal_mode at wal; only truncate is durable'),
    )
    other.close()
    // libsql keeps the locks of closed connections to a file with WAL until they are collected.
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const check = () => {
      collect()
      return store.probe()
    }
    await vi.waitFor(check, { timeout: 3 * 60_000 })
    expect(await store.add(submissionOf('Ada'))).toMatchObject({ isRepeat: false })
  })

  it.each([0, 1, 3, 99])(
    'refuses the file of another program, with version %s',
    async (version) => {
      const file = newFile()
      const other = new Database(file, {})
      await other.exec(`CREATE TABLE notes (text); PRAGMA user_version = ${version}`)
      const words = `${file} belongs to another program; SUBMISSIONS_FILE must name a file of its own`
      for (const access of ['create', 'change', 'read'] as const) {
        await expect(openStore({ file, access })).rejects.toThrow(new StoreError(words))
      }
      const tables = await other.prepare('SELECT name FROM sqlite_schema')
      expect(await tables.all()).toEqual([{ name: 'notes' }])
      other.close()
    },
  )

  it('copies no damaged file', async () => {
    const file = newFile()
    const store = await openStore({ file })
    const names = Array.from({ length: 200 }, (_, index) => `${index}`.padEnd(300))
    await Promise.all(names.map((name) => store.add(submissionOf(name))))
    await store.close()
    // A page in the middle, which nothing reads at the start.
    overwritePage(file, 15)
    const damaged = await open({ file })
    const copying = damaged.copyTo(`${file}.copy`)
    await expect(copying).rejects.toThrow(
      /: the database is damaged\. deploy\/README\.md says under "Damage"/,
    )
  })

  it('says of a deletion that ends in the middle how much is deleted', async () => {
    const file = newFile()
    const store = await open({ file })
    await addAll(
      store,
      Array.from({ length: 1_001 }, (_, index) => submissionOf(`${index}`)),
    )
    const other = new Database(file, {})
    await other.exec(`CREATE TRIGGER broken BEFORE DELETE ON submissions WHEN OLD.id = 1001
      BEGIN SELECT RAISE(ABORT, 'broken'); END`)
    other.close()
    const deletion = store.delete(await store.idsOf({}))
    await expect(deletion).rejects.toThrow(
      /^only 1000 of 1001 are done\. Run it again for the others: /,
    )
    expect(await store.count()).toMatchObject({ received: 1 })
  })

  it('says of a commit that fails that nothing was stored, if nothing was', async () => {
    const file = newFile()
    const store = await open({ file })
    const other = new Database(file, {})
    await other.exec(`CREATE TABLE notes (id REFERENCES submissions DEFERRABLE INITIALLY DEFERRED);
      CREATE TRIGGER broken AFTER INSERT ON submissions BEGIN INSERT INTO notes VALUES (-1); END`)
    await expect(store.add(submissionOf('Ada'))).rejects.toMatchObject({
      message: expect.stringContaining(`${file}: nothing was stored or deleted: `),
      mayBeStored: false,
    })
    await other.exec('DROP TRIGGER broken')
    other.close()
    expect(await store.add(submissionOf('Ada'))).toMatchObject({ isRepeat: false })
  })

  it.each(['/dev/null', tmpdir()])('refuses %s as its file', async (file) => {
    for (const access of ['create', 'change', 'read'] as const) {
      await expect(openStore({ file, access })).rejects.toThrow(
        new StoreError(
          `SUBMISSIONS_FILE is "${file}", but must be a file that may be read and written.`,
        ),
      )
    }
  })

  it.each([
    ['file:/tmp/x/u.db'],
    ['FILE:u.db?mode=memory'],
    [':memory:'],
    ['libsql://example.com'],
    ['https://example.com/u.db'],
  ])('refuses %s, which libsql would not take for the name of a file', async (file) => {
    // If it isn't refused, a file with this name may appear here instead of in the project.
    const folder = process.cwd()
    process.chdir(dirname(newFile()))
    onTestFinished(() => process.chdir(folder))

    const words = `SUBMISSIONS_FILE is "${file}", but must be the path of a file, such as data/submissions.db.`
    for (const access of ['create', 'change', 'read'] as const) {
      await expect(openStore({ file, access })).rejects.toThrow(new StoreError(words))
    }
  })

  it('refuses the file of a later release', async () => {
    const file = newFile()
    await (await openStore({ file })).close()
    const later = new Database(file, {})
    await later.exec('PRAGMA user_version = 99')
    later.close()
    await expect(openStore({ file })).rejects.toThrow(StoreError)
    await expect(openStore({ file })).rejects.toThrow(/was written by a later release/)
  })

  it.runIf(isLong && canTrace)(
    'rejects writes that the disk fails to flush, and keeps those it has confirmed',
    async () => {
      const file = newFile()
      const folder = join(file, '..')
      const { stdout } = spawnSync(
        'strace',
        [
          ...['-f', '-qq', '-o', '/dev/null', '-e', 'trace=fsync,fdatasync'],
          ...['-P', file, '-P', `${file}-journal`],
          ...['-e', 'inject=fsync,fdatasync:error=EIO:when=20+9'],
          // Node collects garbage all the time, so libsql often reads the code of another call.
          ...[process.execPath, '--stress-scavenge=20', ...child(file, 'message', 80, 100)],
        ],
        { cwd: join(import.meta.dirname, '../..'), encoding: 'utf8' },
      )
      const answers = answersOf(stdout)
      expect(answers).toHaveLength(80)
      const errors = answers.flatMap((answer) => ('error' in answer ? [answer.error] : []))
      expect(errors.length).toBeGreaterThan(0)
      const isUnknown = (error: string) =>
        error.startsWith(`${file}: it is unknown whether anything was stored or deleted: `)
      for (const error of errors) {
        if (!isUnknown(error)) expect(error).toContain(`${file}: nothing was stored or deleted: `)
      }
      const receipts = answers.flatMap((answer) => ('receipt' in answer ? [answer.receipt] : []))
      expect(receipts.length).toBeGreaterThan(15)
      const store = await open({ file: join(folder, 'submissions.db') })
      for (const receipt of receipts) expect(await store.find(receipt)).toMatchObject({ receipt })
      const { received } = await store.count()
      const unknown = errors.filter(isUnknown).length
      expect(received).toBeLessThanOrEqual(receipts.length + unknown)
    },
  )
})

// Each needs a database of its own.
describe.runIf(isLong)('a store in Postgres', () => {
  it('says of a post whose commit was not answered that it may be stored', async () => {
    const databaseUrl = await newDatabase()
    const url = new URL(databaseUrl)
    const proxy = await startProxy(Number(url.port))
    onTestFinished(() => proxy.stop())
    url.port = String(proxy.port)
    const store = await open({ databaseUrl: url.href })
    proxy.breakAtCommit()
    await expect(store.add(submissionOf('Ada'))).rejects.toMatchObject({ mayBeStored: true })
    proxy.shut()
    await expect(store.add(submissionOf('Bob'))).rejects.toMatchObject({ mayBeStored: false })
    proxy.open()
    expect(await store.add(submissionOf('Ada'))).toMatchObject({ isRepeat: true })
  })

  it('commits to disk even if the database is configured not to', async () => {
    const databaseUrl = await newDatabase()
    await (await openStore({ databaseUrl })).close()
    const client = await connect(databaseUrl)
    await client.query(`
      ALTER DATABASE ${new URL(databaseUrl).pathname.slice(1)} SET synchronous_commit = off;
      CREATE TABLE seen (setting text);
      CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN INSERT INTO seen VALUES (current_setting('synchronous_commit')); RETURN NEW; END $$;
      CREATE TRIGGER see AFTER INSERT ON submissions EXECUTE FUNCTION see();`)
    await (await open({ databaseUrl })).add(submissionOf('Ada'))
    expect((await client.query('SELECT * FROM seen')).rows).toEqual([{ setting: 'on' }])
  })

  it('has migrated nothing when the connection breaks in the middle, and then migrates all', async () => {
    const databaseUrl = await newDatabase()
    const client = await connect(databaseUrl)
    await client.query(`${POSTGRES_MIGRATIONS.slice(0, 2).join(';')};
      CREATE TABLE submissions_migrations (
        number integer PRIMARY KEY, run_at timestamptz NOT NULL DEFAULT now());
      INSERT INTO submissions_migrations VALUES (1), (2);
      INSERT INTO submissions (receipt, path, received_at, dataset, content_hash, status, fields)
      VALUES ('first', '/blog/029', now(), '', '', 'suspect', '[["name","Ada"]]');
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$;
      CREATE TRIGGER fail AFTER INSERT ON submissions_migrations EXECUTE FUNCTION fail();`)
    await expect(openStore({ databaseUrl })).rejects.toThrow('terminating connection')
    const columns = `SELECT 1 FROM information_schema.columns
      WHERE table_name = 'submissions' AND column_name = 'verdict'`
    expect((await client.query(columns)).rows).toHaveLength(0)
    expect((await client.query('SELECT number FROM submissions_migrations')).rows).toHaveLength(2)
    await client.query('DROP TRIGGER fail ON submissions_migrations')
    const store = await open({ databaseUrl })
    expect(await store.find('first')).toMatchObject({ status: 'suspect' })
    await store.judge(await idsOf(store, 'first'), 'ham')
    expect(await store.find('first')).toMatchObject({ status: 'received' })
  })

  it('may take an hour to migrate a large store, and no longer than a post for anything else', async () => {
    const databaseUrl = await newDatabase()
    const client = await connect(databaseUrl)
    await client.query(`${POSTGRES_MIGRATIONS[0]} CREATE TABLE submissions_migrations
      (number integer PRIMARY KEY, run_at timestamptz NOT NULL DEFAULT now());
      INSERT INTO submissions_migrations (number) VALUES (1);
      CREATE TABLE seen (milliseconds integer);
      CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO seen
        SELECT setting::integer FROM pg_settings WHERE name = 'statement_timeout'; RETURN NEW; END $$;
      CREATE TRIGGER see AFTER INSERT ON submissions_migrations EXECUTE FUNCTION see();
      CREATE TRIGGER see AFTER INSERT ON submissions EXECUTE FUNCTION see();`)
    await client.query('BEGIN; LOCK TABLE submissions')
    // Only timers: what the machine takes does not count.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const opening = open({ databaseUrl, patience: PATIENCE })
    opening.catch(() => {})
    const waiting = `SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database
      WHERE datname = current_database() AND NOT granted`
    while (!(await client.query(waiting)).rowCount);
    vi.advanceTimersByTime(50 * 60 * 1000)
    await client.query('COMMIT')
    await (await opening).add(submissionOf('Ada'))
    const seen = (await client.query('SELECT milliseconds FROM seen')).rows
    const [migration = 0, ...others] = seen.map(({ milliseconds }) => milliseconds)
    expect(migration).toBeGreaterThan(50 * 60 * 1000)
    expect(others).toEqual([expect.any(Number)])
    expect(others[0]).toBeLessThanOrEqual(10_000)
  })

  it('a database without tables is read by nobody, that of an earlier release once it is upgraded', async () => {
    const databaseUrl = await newDatabase()
    const client = await connect(databaseUrl)
    const tables = async () =>
      (
        await client.query(`SELECT table_name, column_name FROM information_schema.columns
        WHERE table_schema = 'public' ORDER BY 1, 2`)
      ).rows
    for (const access of ['read', 'change'] as const) {
      await expect(openStore({ databaseUrl, access })).rejects.toThrow(/keeps no submissions/)
    }
    expect(await tables()).toEqual([])
    await client.query(`${POSTGRES_MIGRATIONS[0]} CREATE TABLE submissions_migrations
      (number integer PRIMARY KEY, run_at timestamptz NOT NULL DEFAULT now());
      INSERT INTO submissions_migrations (number) VALUES (1)`)
    const { rows } = await client.query(`INSERT INTO submissions
      (receipt, path, received_at, dataset, content_hash, status, fields)
      VALUES ('abcd', '/a', now(), '', '', 'received', '[["name","Ada"]]') RETURNING received_at`)
    const before = await tables()
    await expect(openStore({ databaseUrl, access: 'read' })).rejects.toThrow(/Start the receiver/)
    expect(await tables()).toEqual(before)
    const store = await open({ databaseUrl })
    const receivedAt = rows[0].received_at
    expect(await store.find('abcd')).toMatchObject({ receivedAt, fields: [['name', 'Ada']] })
    expect(await store.outbox.queued(9)).toEqual({ count: 0, next: [] })
  })

  it('asks for nothing at the start of a connection that a pooler refuses', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const startup = once(server, 'connection').then(async ([socket]: Socket[]) => {
      const [bytes] = await once(socket as Socket, 'data')
      socket?.destroy()
      return String(bytes)
    })
    const { port } = server.address() as AddressInfo
    const databaseUrl = `postgres://someone@127.0.0.1:${port}/somewhere`
    await expect(openStore({ databaseUrl })).rejects.toThrow(StoreError)
    expect(await startup).not.toContain('statement_timeout')
    expect(await startup).toContain('somewhere')
  })

  it('deletes many in pieces, each for good', async () => {
    const databaseUrl = await newDatabase()
    const store = await open({ databaseUrl })
    await addAll(
      store,
      Array.from({ length: 1_001 }, (_, index) => submissionOf(`${index}`)),
    )
    const client = await connect(databaseUrl)
    await client.query(`
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF OLD.id = 1001 THEN RAISE 'broken'; END IF; RETURN OLD; END $$;
      CREATE TRIGGER fail BEFORE DELETE ON submissions FOR EACH ROW EXECUTE FUNCTION fail();`)
    const deletion = store.delete(await store.idsOf({}))
    await expect(deletion).rejects.toThrow(/^only 1000 of 1001 are done\. .*broken/)
    expect(await store.count()).toMatchObject({ received: 1 })
  })

  it('refuses a database that cannot keep every character', async () => {
    const databaseUrl = await newDatabase()
    const client = await connect(databaseUrl)
    const name = `${new URL(databaseUrl).pathname.slice(1)}_latin`
    await client.query(`CREATE DATABASE ${name} ENCODING 'LATIN1' TEMPLATE template0`)
    const url = new URL(databaseUrl)
    url.pathname = name
    for (const access of ['create', 'read'] as const) {
      await expect(openStore({ databaseUrl: url.href, access })).rejects.toThrow(
        new StoreError(
          'the database of DATABASE_URL has the encoding LATIN1, which lacks many characters. Create one with "createdb --encoding UTF8 --template template0 NAME".',
        ),
      )
    }
  })

  it('refuses the database of a later release', async () => {
    const databaseUrl = await newDatabase()
    await (await openStore({ databaseUrl })).close()
    const client = await connect(databaseUrl)
    await client.query('INSERT INTO submissions_migrations (number) VALUES (99)')
    await expect(openStore({ databaseUrl })).rejects.toThrow(/was written by a later release/)
  })

  it('refuses a server that does not flush to disk', async () => {
    const careless = await startPostgres(['fsync=off'])
    onTestFinished(() => careless.stop())
    await expect(openStore({ databaseUrl: await newDatabase(careless.port) })).rejects.toThrow(
      new StoreError('Postgres runs with fsync=off, and would lose submissions in a power cut'),
    )
  })
})
