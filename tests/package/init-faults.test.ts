/**
 * Plants one fault in a repository of several kinds of records, and then runs init, which has never seen
 * it right: the check is red, or each run names what isn't looked at.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runInit } from '../../src/package/init/init.ts'
import { runIn } from '../helpers/collections.ts'
import { isLong } from '../helpers/long.ts'
import { type Content, FAULTS, type Fault, type Planted } from '../helpers/planted.ts'
import {
  chooseKinds,
  chooser,
  describeKind,
  type Kind,
  lay,
  SHAPES,
} from '../helpers/repositories.ts'
import { Text } from '../helpers/workspace.ts'

const SEEDS = isLong ? [0, 1, 2, 3] : [0]

/** In how many repositories each fault is planted. */
const MOST = isLong ? Number.POSITIVE_INFINITY : 2

/** What only people can say of their data: references, an order, a function that finds the records. */
const UNKNOWABLE = ['a reference to nothing', 'two records in the wrong order']

interface Repository {
  seed: number
  kinds: readonly Kind[]
}

/** What init can find: no records that a function finds. Each file by a pattern, so that it may be alone. */
const REPOSITORIES: readonly Repository[] = SEEDS.flatMap((seed) => {
  return [...SHAPES.keys()].flatMap((at) => {
    const number = seed * SHAPES.length + at
    const kinds = chooseKinds(SHAPES[at] as (typeof SHAPES)[number], chooser(number))
    if (kinds.some(({ shape }) => shape.layout === 'lists found by a function')) return []
    return [{ seed: number, kinds: kinds.map((kind) => ({ ...kind, files: 'pattern' as const })) }]
  })
})

/** The only file of a kind is named after it: `towns/towns.json`. */
function rename(name: string): string {
  return name.replace(/^(\w+)\/all\.(\w+)$/, '$1/$1.$2')
}

/** Lays a repository, runs init and check, and returns what check says. */
async function check(
  { kinds }: Repository,
  planted: Planted,
): Promise<{ status: number; said: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-init-faults-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))

  const withFault = kinds.map((kind) => (kind.name === planted.kind?.name ? planted.kind : kind))
  const files: Record<string, Content> = { ...lay(withFault).files, ...planted.files }
  for (const [name, content] of Object.entries(files)) {
    const place = join(folder, rename(name))
    mkdirSync(dirname(place), { recursive: true })
    if (typeof content === 'function') content(place)
    else writeFileSync(place, content)
  }

  const [stdout, stderr] = [new Text(), new Text()]
  await runInit([], { stdout, stderr, call: 'manyurls', check: async () => {} }, folder)
  const ran = await runIn(folder, 'check', ['--all'])
  return { status: ran.status, said: ran.stdout + ran.stderr }
}

const NO_FAULT: Planted = { named: '' }

test('what init writes for a repository without a fault is green, with all collections and schemas', async () => {
  for (const repository of REPOSITORIES) {
    const { status, said } = await check(repository, NO_FAULT)
    expect([repository.seed, said]).toEqual([
      repository.seed,
      expect.not.stringContaining('problem'),
    ])
    expect(status).toBe(0)

    for (const { name, schema } of repository.kinds) {
      const noSchema = schema === 'none' ? ', no schema' : ''
      expect(said).toMatch(new RegExp(`^(?:\\w+-)?${name}: 6 records, no mistake${noSchema}$`, 'm'))
    }
  }
})

/** Returns the repositories in which a fault is planted. */
function plantings(fault: Fault): { repository: Repository; planted: Planted }[] {
  const number = FAULTS.indexOf(fault)
  const all = REPOSITORIES.flatMap((repository) => {
    const planted = fault.plant(
      repository.kinds[0] as Kind,
      chooser(1000 * repository.seed + number),
    )
    return planted && planted.config === undefined ? [{ repository, planted }] : []
  })
  const step = Math.max(1, Math.floor(all.length / MOST))
  return all.filter((_, at) => at % step === number % step).slice(0, MOST)
}

const PLANTED = FAULTS.filter((fault) => {
  return !UNKNOWABLE.includes(fault.name) && plantings(fault).length > 0
})

test.each(PLANTED)(
  '$name is red, or named in each run, though init saw it first',
  async (fault) => {
    for (const { repository, planted } of plantings(fault)) {
      const { status, said } = await check(repository, planted)
      const where = `seed ${repository.seed}, ${describeKind(repository.kinds[0] as Kind)}\n${said}`
      const isNamed = said.includes(basename(rename(planted.named)))
      const isNoted = planted.note?.test(said)
      expect([where, status !== 0 ? isNamed : isNoted]).toEqual([where, true])
    }
  },
)

test.each([
  ['a comma too many', '[{ "id": 1 },]'],
  ['no text', ''],
  ['a number that loses digits', '[{ "id": 12345678901234567890 }]'],
])('so is %s in one of many kinds of a folder', async (_, content) => {
  const names = Array.from({ length: 12 }, (_, number) => `data/kind-${number}.json`)
  const lists = names.map((name, number) => {
    return [name, JSON.stringify([{ [`a${number}`]: 1 }, { [`a${number}`]: 2 }])]
  })
  const repository = { seed: 0, kinds: [] }
  const whole = await check(repository, { named: '', files: Object.fromEntries(lists) })
  expect(whole).toEqual({
    status: 0,
    said: expect.stringContaining('data: 24 records, no mistake'),
  })

  const files = { ...Object.fromEntries(lists), 'data/kind-7.json': content }
  const { status, said } = await check(repository, { named: '', files })
  expect([status, said]).toEqual([1, expect.stringContaining('data/kind-7.json')])
})
