/** Tests the receiver against a model, with random commands in random order. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, inject, it } from 'vitest'
import { times } from '../helpers/long.ts'
import { newDatabase } from '../helpers/postgres.ts'
import { get, post, type Receiver, startReceiver, storedIn } from '../helpers/receiver.ts'
import { withTwoFields as page } from '../helpers/site.ts'

interface Kept {
  receipt: string
  body: string
  repeats: number
}

/** What a receiver must have stored, oldest first. */
type Model = Kept[]

/** A receiver that can be restarted on the same database. */
interface Real {
  receiver: Receiver
  env: { SUBMISSIONS_FILE: string; DATABASE_URL: string }
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

async function expectToHold({ env }: Real, model: Model): Promise<void> {
  const stored = await storedIn({ file: env.SUBMISSIONS_FILE, databaseUrl: env.DATABASE_URL })
  const seen = stored.map(({ receipt, repeats, fields }) => {
    return { receipt, repeats, body: new URLSearchParams(fields as [string, string][]).toString() }
  })
  expect(seen).toEqual(model)
}

const bodyOf = (name: string) =>
  new URLSearchParams({ name: `${name}.`, email: 'ada@example.com' }).toString()

/** Submits content, whether it is new or not. */
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
    expect(receipt).not.toBe(known.receipt)
    expect((await get(real.receiver.port, RECEIPTS + receipt)).status).toBe(200)
    known.repeats++
  },
  toString: () => `submit ${JSON.stringify(name)}`,
})

const submitAgain = (position: number): Command => ({
  check: (model) => model.length > 0,
  async run(model, real) {
    const known = model[position % model.length] as Kept
    expect(await receiptFor(real, known.body)).not.toBe(known.receipt)
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

const restart: Command = {
  check: () => true,
  async run(_model, real) {
    await real.receiver.stop()
    real.receiver = await startReceiver(real.env)
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
    expect(await real.receiver.store.delete({ receipts: [receipt] })).toBe(1)
    expect((await get(real.receiver.port, RECEIPTS + receipt)).status).toBe(404)
  },
  toString: () => `delete ${position}`,
})

// Two fixed names, so that some repeat, and any other string. None has a lone surrogate, because no
// form can send one.
const names = fc.oneof(
  fc.constantFrom('Ada', 'Grace'),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
)
const COMMANDS = [
  names.map(submit),
  names.map(submit),
  fc.nat(20).map(submitAgain),
  fc.constant(submitWrong),
  fc.constant(restart),
  fc.constant(exportAll),
  fc.nat(20).map(remove),
]

it.each(['SQLite', 'Postgres'])(
  'with %s, any sequence of posts, restarts, exports and deletions matches the model',
  async (kind) => {
    await fc.assert(
      fc.asyncProperty(fc.commands(COMMANDS, { maxCommands: 30, size: 'max' }), async (all) => {
        const folder = mkdtempSync(join(tmpdir(), 'manyurls-model-'))
        const env = {
          SUBMISSIONS_FILE: join(folder, 'submissions.db'),
          DATABASE_URL: kind === 'Postgres' ? await newDatabase(inject('postgres')) : '',
        }
        const real: Real = { receiver: await startReceiver(env), env }
        const model: Model = []
        try {
          await fc.asyncModelRun(() => ({ model, real }), all)
          await expectToHold(real, model)
        } finally {
          await real.receiver.stop()
          rmSync(folder, { recursive: true, force: true })
        }
      }),
      { numRuns: times(5) },
    )
  },
)
