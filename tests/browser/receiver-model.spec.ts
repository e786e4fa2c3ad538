/** The receiver against a model: whatever is done to it in whatever order, it keeps its word. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import fc from 'fast-check'
import type { StoredSubmission } from '../../src/forms/store.ts'
import { startPostgres } from '../postgres.ts'
import { withTwoFields as page } from './dataset.ts'
import { get, post, type Receiver, startReceiver } from './receiver.ts'

interface Kept {
  receipt: string
  body: string
  repeats: number
}

/** What a receiver must hold, the oldest first. */
type Model = Kept[]

/** A receiver that may be stopped and started again upon the same database. */
interface Real {
  receiver: Receiver
  env: Record<string, string>
}

type Command = fc.AsyncCommand<Model, Real>

const RECEIPTS = '/forms/received/'

const send = ({ receiver }: Real, body: string) =>
  post(receiver.port, { path: `/api/forms${page.path}`, body })

async function receiptFor(real: Real, body: string): Promise<string> {
  const { status, headers } = await send(real, body)
  expect(status).toBe(303)
  const place = headers.get('location') ?? ''
  expect(place.startsWith(RECEIPTS)).toBe(true)
  return place.slice(RECEIPTS.length)
}

/** Runs what `npm run submissions` runs. */
async function submissions({ env }: Real, ...args: string[]): Promise<string> {
  const options = { env: { ...process.env, ...env }, maxBuffer: 2 ** 26 }
  const command = ['--import', 'tsx', 'scripts/submissions.ts', ...args]
  return (await promisify(execFile)(process.execPath, command, options)).stdout
}

async function expectToHold(real: Real, model: Model): Promise<void> {
  const lines = (await submissions(real, 'export', '--format', 'ndjson')).split('\n')
  const stored: StoredSubmission[] = lines.filter(Boolean).map((line) => JSON.parse(line))
  const seen = stored.map(({ receipt, repeats, fields }) => {
    return { receipt, repeats, body: new URLSearchParams(fields as [string, string][]).toString() }
  })
  expect(seen).toEqual(model.map(({ receipt, repeats, body }) => ({ receipt, repeats, body })))
}

const bodyOf = (name: string) =>
  new URLSearchParams({ name: `${name}.`, email: 'ada@example.com' }).toString()

/** Submits a content, whether it is new or not. */
const submit = (name: string): Command => ({
  check: () => true,
  async run(model, real) {
    const body = bodyOf(name)
    const receipt = await receiptFor(real, body)
    const known = model.find((kept) => kept.body === body)
    if (!known) {
      model.push({ receipt, body, repeats: 0 })
      return
    }
    expect(receipt).toBe(known.receipt)
    known.repeats++
  },
  toString: () => `submit ${JSON.stringify(name)}`,
})

const submitAgain = (position: number): Command => ({
  check: (model) => model.length > 0,
  async run(model, real) {
    const known = model[position % model.length] as Kept
    expect(await receiptFor(real, known.body)).toBe(known.receipt)
    known.repeats++
  },
  toString: () => `submit again ${position}`,
})

const submitWrong: Command = {
  check: () => true,
  async run(_model, real) {
    expect((await send(real, 'name=Ada&email=ada')).status).toBe(422)
  },
  toString: () => 'submit with a fault',
}

/** `kill -9`, with what was just sent perhaps stored and perhaps not: sent again, it is, once. */
const crash = (name: string): Command => ({
  check: () => true,
  async run(model, real) {
    const body = bodyOf(`unanswered ${name}`)
    const isNew = !model.some((kept) => kept.body === body)
    const unanswered = send(real, body).catch(() => undefined)
    await real.receiver.stop()
    await unanswered
    real.receiver = await startReceiver({ env: real.env })
    const receipt = await receiptFor(real, body)
    const text = await submissions(real, 'export', '--format', 'ndjson')
    const stored = text.split('\n').find((line) => line.includes(receipt)) ?? '{}'
    const { repeats } = JSON.parse(stored) as StoredSubmission
    const known = model.find((kept) => kept.body === body)
    expect([0, 1]).toContain(repeats - (known ? known.repeats + 1 : 0))
    if (isNew) model.push({ receipt, body, repeats })
    else if (known) Object.assign(known, { repeats })
  },
  toString: () => `crash ${JSON.stringify(name)}`,
})

const restart: Command = {
  check: () => true,
  async run(_model, real) {
    real.receiver.kill('SIGTERM')
    expect(await real.receiver.ended).toBe(0)
    await real.receiver.stop()
    real.receiver = await startReceiver({ env: real.env })
  },
  toString: () => 'restart',
}

const exportAll: Command = {
  check: () => true,
  run: (model, real) => expectToHold(real, model),
  toString: () => 'export',
}

const remove = (position: number): Command => ({
  check: (model) => model.length > 0,
  async run(model, real) {
    const [{ receipt }] = model.splice(position % model.length, 1) as [Kept]
    expect((await get(real.receiver.port, RECEIPTS + receipt)).status).toBe(200)
    await submissions(real, 'delete', receipt)
    expect((await get(real.receiver.port, RECEIPTS + receipt)).status).toBe(404)
  },
  toString: () => `delete ${position}`,
})

// Few names, so that some come again; whatever a string may hold, but no lone surrogate: no form
// can send one.
const names = fc.oneof(
  fc.constantFrom('Ada', 'Grace'),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
)
const COMMANDS = [
  names.map(submit),
  names.map(submit),
  fc.nat(20).map(submitAgain),
  fc.constant(submitWrong),
  names.map(crash),
  fc.constant(restart),
  fc.constant(exportAll),
  fc.nat(20).map(remove),
]

for (const kind of ['SQLite', 'Postgres'] as const) {
  test(`with ${kind}, any sequence of posts, crashes, restarts, exports and deletions keeps to the model`, async () => {
    test.setTimeout(240_000)
    const postgres = kind === 'Postgres' ? await startPostgres() : undefined
    try {
      await fc.assert(
        fc.asyncProperty(fc.commands(COMMANDS, { maxCommands: 16, size: 'max' }), async (all) => {
          const folder = mkdtempSync(join(tmpdir(), 'manyurls-model-'))
          const env = {
            SUBMISSIONS_FILE: join(folder, 'submissions.db'),
            DATABASE_URL: postgres ? await postgres.newDatabase() : '',
          }
          const real: Real = { receiver: await startReceiver({ env }), env }
          const model: Model = []
          try {
            await fc.asyncModelRun(() => ({ model, real }), all)
            await expectToHold(real, model)
          } finally {
            await real.receiver.stop()
            rmSync(folder, { recursive: true, force: true })
          }
        }),
        { numRuns: 5 },
      )
    } finally {
      await postgres?.stop()
    }
  })
}
