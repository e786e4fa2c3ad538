/** What the owner's commands cost with a large store, and how long visitors wait meanwhile. */
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '../../src/store/open-store.ts'
import { formatBytes, formatNumber } from '../../src/text/wording.ts'
import type { Settings } from './build.ts'
import { COSTS, inRounds, measure, table } from './measure.ts'

/** How many are sent at once while the store is filled. */
const TOGETHER = 500

/** Between two posts while a command runs, in milliseconds. */
const BETWEEN = 50

/** Always SQLite: Postgres has tools of its own for a backup. */
export async function* benchStore({ temp, rounds, isSmall }: Settings): AsyncGenerator<string> {
  const submissions = isSmall ? 1_000 : 100_000
  const [file, copy] = [join(temp, 'large.db'), join(temp, 'copy.db')]
  let [bytes, sent, receipt] = [0, 0, '']
  let store: Awaited<ReturnType<typeof openStore>> | undefined
  const add = async () => {
    const number = ++sent
    const text = 'A message as visitors write it, of many letters. '.repeat(80)
    const message = `${number} ${number % 2 ? 'odd' : 'even'} ${text}`
    const fields = Object.entries({ name: `Visitor ${number}`, email: 'a@example.com', message })
    const post = { path: '/contact/007', dataset: '', isSuspect: false, isAnnounced: false }
    return store?.add({ ...post, fields })
  }
  const fill = async () => {
    await store?.close()
    for (const old of [file, copy]) rmSync(old, { force: true })
    store = await openStore({ file })
    for (sent = 0; sent < submissions; ) {
      const [added] = await Promise.all(Array.from({ length: TOGETHER }, add))
      receipt = added?.receipt ?? ''
    }
    bytes = statSync(file).size
  }
  const run = async (...options: string[]) => {
    const args = [
      '--import',
      'tsx',
      join(import.meta.dirname, '../../scripts/submissions.ts'),
      ...options,
    ]
    const env = { SUBMISSIONS_FILE: file, DATABASE_URL: '' }
    let [isOver, longest] = [false, 0]
    const measured = measure(args, temp, env).finally(() => {
      isOver = true
    })
    while (!isOver) {
      const from = performance.now()
      // One that is refused after ten seconds has waited, too.
      await add().catch(() => undefined)
      longest = Math.max(longest, performance.now() - from)
      await sleep(BETWEEN)
    }
    return [...(await measured), longest / 1000]
  }
  const rows = await inRounds(rounds, [
    ['backup', () => fill().then(() => run('backup', copy))],
    ['delete one', () => run('delete', receipt)],
    ['delete half of them', () => run('delete', '--text', 'odd', '--yes')],
  ])
  await store?.close()
  const title = `${formatNumber(submissions)} submissions, ${formatBytes(bytes)}`
  yield table(title, [...COSTS, 'longest post, seconds'], rows)
}
