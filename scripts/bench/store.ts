/** What the owner's commands cost with a large store, and how long visitors wait meanwhile. */
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '../../src/server/store/open-store.ts'
import type { Settings } from './build.ts'
import { COSTS, measure, type Row, table } from './measure.ts'

const SUBMISSIONS = 100_000

/** How many are sent at once while the store is filled. */
const TOGETHER = 500

/** Between two posts while a command runs, in milliseconds. */
const BETWEEN = 50

const COMMANDS = ['backup', 'delete one', 'delete half of them'] as const

/** Always SQLite: Postgres has tools of its own for a backup. */
export async function* benchStore({ temp, rounds }: Settings): AsyncGenerator<string> {
  const file = join(temp, 'large.db')
  const rows = COMMANDS.map((name): Row => ({ name, values: [[], [], [], []] }))
  let bytes = 0
  for (let round = 0; round < rounds; round++) {
    rmSync(file, { force: true })
    const store = await openStore({ file })
    let sent = 0
    /** @returns the receipt */
    const add = async () => {
      const number = ++sent
      const text = 'A message as visitors write it, of many letters. '.repeat(80)
      const message = `${number} ${number % 2 ? 'odd' : 'even'} ${text}`
      const fields = Object.entries({ name: `Visitor ${number}`, email: 'a@example.com', message })
      const post = { path: '/contact/007', dataset: '', isSuspect: false, isAnnounced: false }
      return (await store.add({ ...post, fields })).receipt
    }
    let receipt = ''
    while (sent < SUBMISSIONS) {
      const added = await Promise.all(Array.from({ length: TOGETHER }, add))
      receipt = added[0] ?? ''
    }
    bytes = statSync(file).size
    const options = {
      backup: ['backup', join(temp, `copy-${round}.db`)],
      'delete one': ['delete', receipt],
      'delete half of them': ['delete', '--text', 'odd', '--yes'],
    }
    for (const [at, name] of COMMANDS.entries()) {
      let isOver = false
      let longest = 0
      const visitor = async () => {
        while (!isOver) {
          const from = performance.now()
          // One that is refused after ten seconds has waited, too.
          await add().catch(() => undefined)
          longest = Math.max(longest, performance.now() - from)
          await new Promise((resolve) => setTimeout(resolve, BETWEEN))
        }
      }
      const command = join(import.meta.dirname, '../submissions.ts')
      const args = ['--import', 'tsx', command, ...options[name]]
      const env = { SUBMISSIONS_FILE: file, DATABASE_URL: '' }
      const measured = measure(args, temp, env).finally(() => {
        isOver = true
      })
      const [{ seconds, cpu, memory }] = await Promise.all([measured, visitor()])
      for (const [column, value] of [seconds, cpu, memory / 1e6, longest / 1000].entries()) {
        rows[at]?.values[column]?.push(value)
      }
    }
    await store.close()
  }
  const title = `${SUBMISSIONS.toLocaleString('en')} submissions, ${(bytes / 1e6).toFixed(0)} MB`
  yield table(title, [...COSTS, 'longest post, seconds'], rows)
}
