import { setTimeout as sleep } from 'node:timers/promises'
import { fc, test } from '@fast-check/vitest'
import { afterAll, describe, expect } from 'vitest'
import type { Page } from '../src/generated/dataset.json'
import { type BuildOptions, build } from '../src/pipeline/build.ts'
import { times } from './long.ts'
import { page } from './page.ts'
import { createWorkspace } from './workspace.ts'

const { out, read, digests } = createWorkspace(afterAll)

const SCHEMA = 'schema/batch.schema.json'

type Batches = Record<string, Page[]>

/** Builds batches from memory; they are listed and read as a slow disk in a bad mood might. */
async function buildFrom(batches: Batches, mood: Partial<Mood> = {}) {
  const { order = (names) => names, delay = () => 0 } = mood
  const options: BuildOptions = {
    schema: SCHEMA,
    out,
    source: {
      list: async () => order(Object.keys(batches)).map((name) => ({ name, size: 0 })),
      read: async (name) => {
        await sleep(delay())
        return Buffer.from(JSON.stringify(batches[name]))
      },
    },
  }
  const result = await build(options)
  if (!result.ok) throw new Error(JSON.stringify(result.problems))
  return result.manifest
}

interface Mood {
  order(names: string[]): string[]
  delay(): number
}

/** Few paths, so that many are claimed again; few bodies, so that some duplicates are identical. */
const anyPage = fc
  .record({ id: fc.integer({ min: 1, max: 12 }), body: fc.constantFrom('A', 'B') })
  .map(({ id, body }) =>
    page({ path: `/blog/0${String(id).padStart(2, '0')}`, contentHtml: `<p>${body}</p>` }),
  )
const anyName = fc
  .tuple(fc.constantFrom('batch-', 'x/', 'Ä', ''), fc.integer({ min: 0, max: 120 }))
  .map(([prefix, number]) => `${prefix}${number}.json`)
const anyBatches = fc.dictionary(anyName, fc.array(anyPage, { maxLength: 8 }), {
  minKeys: 1,
  maxKeys: 8,
  noNullPrototype: true,
})

describe('whatever the batches', () => {
  test('the order of the listing and of the reads never changes a byte', async () => {
    const batches: Batches = {}
    for (let batch = 1; batch <= 12; batch++) {
      batches[`batch-${batch}.json`] = Array.from({ length: 9 }, (_, index) =>
        page({
          path: `/docs/0${10 + ((batch * 7 + index * 5) % 40)}`,
          contentHtml: `<p>${batch}</p>`,
        }),
      )
    }
    await buildFrom(batches)
    const expected = digests()
    expect(JSON.parse(read('manifest.json')).totals.dropped).toBeGreaterThan(20)
    for (let shuffle = 0; shuffle < times(10); shuffle++) {
      const order = (names: string[]) => names.sort(() => Math.random() - 0.5)
      await buildFrom(batches, { order, delay: () => Math.random() * 4 })
      expect(digests()).toEqual(expected)
    }
  })

  test.prop([anyBatches])(
    'every record is kept or dropped, and the books say so',
    async (batches) => {
      const { totals, batches: entries, duplicates } = await buildFrom(batches)
      const records = Object.values(batches).flat()
      expect(totals.records).toBe(records.length)
      expect(totals.kept).toBe(new Set(records.map(({ path }) => path)).size)
      expect(totals.dropped).toBe(totals.records - totals.kept)
      expect([...duplicates].flatMap(({ dropped }) => dropped)).toHaveLength(totals.dropped)
      for (const { file, records, kept, dropped } of entries) {
        expect(records).toBe(batches[file]?.length)
        expect(kept + dropped).toBe(records)
      }
    },
  )

  test.prop([anyBatches])(
    'the manifest leads every page back to the first record that claimed it',
    async (batches) => {
      const { duplicates, batches: entries } = await buildFrom(batches)
      const claims = entries.flatMap(({ file }) =>
        (batches[file] as Page[]).map((record, index) => ({ batch: file, index, record })),
      )
      for (const kept of JSON.parse(read('dataset.json')) as Page[]) {
        const [first, ...rest] = claims.filter(({ record }) => record.path === kept.path)
        expect(kept).toEqual(first?.record)
        const duplicate = [...duplicates].find(({ path }) => path === kept.path)
        expect(duplicate?.dropped.map(({ batch, index }) => ({ batch, index })) ?? []).toEqual(
          rest.map(({ batch, index }) => ({ batch, index })),
        )
      }
    },
  )

  test.prop([anyBatches, fc.array(anyPage, { maxLength: 8 })])(
    'a batch appended at the end never changes a kept page',
    async (batches, appended) => {
      await buildFrom(batches)
      const before: Page[] = JSON.parse(read('dataset.json'))
      await buildFrom({ ...batches, 'ÿ-last.json': appended })
      const after: Page[] = JSON.parse(read('dataset.json'))
      expect(after.slice(0, before.length)).toEqual(before)
    },
  )
})

test('memory holds five batches at most, however many there are', async () => {
  const content = Buffer.from(JSON.stringify([page()]))
  let batches = 0
  let most = 0
  const source = {
    list: async () =>
      Array.from({ length: 40 }, (_, index) => ({ name: `${index}.json`, size: 0 })),
    read: async () => {
      most = Math.max(most, ++batches)
      return Buffer.from(content)
    },
  }
  const onProgress = () => {
    batches--
  }
  expect(await build({ schema: SCHEMA, out, source, onProgress })).toMatchObject({ ok: true })
  expect(most).toBeLessThanOrEqual(5)
})
