import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Page } from '../../scripts/samples/batches.ts'
import { DAMAGED } from '../../src/fault/codes.ts'
import { buildSite } from '../helpers/build-site.ts'
import { content } from '../helpers/content.ts'
import { anyRecord } from '../helpers/hostile-batches.ts'
import { times } from '../helpers/long.ts'
import { compileCheck, page } from '../helpers/page.ts'
import { plainBuild } from '../helpers/plain.ts'
import { property } from '../helpers/property.ts'
import { createWorkspace, memorySource, readManifest, SCHEMA } from '../helpers/workspace.ts'

const { out, read, digests } = createWorkspace(afterAll)
const check = compileCheck()
type Batches = Record<string, Page[]>

/** Builds batches from memory, with the listing order and read delays of an unreliable disk. */
async function buildFrom(batches: Batches, mood: Partial<Mood> = {}) {
  const { order = (names) => names, delay = () => 0 } = mood
  const options = {
    schema: SCHEMA,
    content,
    out,
    source: memorySource(order(Object.keys(batches)), async (name) => {
      await sleep(delay())
      return Buffer.from(JSON.stringify(batches[name]))
    }),
  }
  const result = await buildSite(options)
  if (!result.ok) throw new Error(JSON.stringify(result.problems))
  return result.manifest
}

interface Mood {
  order(names: string[]): string[]
  delay(): number
}

/** Few paths, so that many collide; few bodies, so that some duplicates are identical. */
const anyPage = fc
  .record({ id: fc.integer({ min: 1, max: 12 }), body: fc.constantFrom('A', 'B') })
  .map(({ id, body }) =>
    page({ path: `/blog/0${String(id).padStart(2, '0')}`, contentHtml: `<p>${body}</p>` }),
  )
test('the order of listings and reads never changes a byte', async () => {
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
  expect(readManifest(read('manifest.json')).totals.dropped).toBeGreaterThan(20)
  for (let shuffle = 0; shuffle < times(10); shuffle++) {
    const order = (names: string[]) => names.sort(() => Math.random() - 0.5)
    await buildFrom(batches, { order, delay: () => Math.random() * 4 })
    expect(digests()).toEqual(expected)
  }
})

test('a file that someone puts into the folder during the build is not replaced', async () => {
  const workspace = createWorkspace()
  const theirs = '[\n{"id":1}\n]\n'
  const source = memorySource(['a.json'], async () => {
    writeFileSync(join(workspace.out, 'dataset.json'), theirs)
    return Buffer.from(JSON.stringify([page()]))
  })
  const options = { source, schema: SCHEMA, content, out: workspace.out }
  await expect(buildSite(options)).rejects.toThrow('dataset.json, so it is not replaced')
  expect(workspace.read('dataset.json')).toBe(theirs)
})

describe('the build equals that of a minimal script', () => {
  const expectPlain = async (contents: readonly Buffer[], isStrict: boolean) => {
    const batches = contents.map((bytes, index) => [`${index}.json` as string, bytes] as const)
    const names = batches.map(([name]) => name)
    const source = memorySource(names, async (name) => new Map(batches).get(name) as Buffer)
    const plain = plainBuild(batches, check)
    // Only the first of many kinds have their lines, and which ones depends on how many there are.
    const frames = Number.POSITIVE_INFINITY
    const result = await buildSite({ source, schema: SCHEMA, content, out, isStrict, frames })
    if (result.ok) {
      expect(read('dataset.json')).toBe(plain.dataset)
      expect(result.manifest.duplicates).toEqual(plain.duplicates)
      const sha256s = contents.map((bytes) => createHash('sha256').update(bytes).digest('hex'))
      expect(result.manifest.batches.map(({ sha256 }) => sha256)).toEqual(sha256s)
      const { duplicates, ...head } = readManifest(read('manifest.json'))
      expect(result.manifest).toMatchObject(head)
      expect(result.manifest.duplicates).toHaveLength(duplicates.length)
    }
    const ofStrict = ['path.conflict', DAMAGED]
    const problems = plain.problems.filter(({ code }) => isStrict || !ofStrict.includes(code))
    // Whether pages are left is compared with the run before, of which the script knows nothing.
    const found = result.ok ? [] : result.problems.filter(({ code }) => code !== 'dataset.emptied')
    expect(found).toEqual(problems)
  }

  const toBytes = (value: unknown) => Buffer.from(JSON.stringify(value, null, 2))
  // Fills the cache, as only a successful build does: compiling takes longer than the builds.
  beforeAll(() => expectPlain([toBytes([page()])], false))

  const anyContents = fc.array(fc.oneof(fc.array(anyPage), fc.array(anyRecord)).map(toBytes), {
    minLength: 1,
    maxLength: 4,
  })

  property([anyContents, fc.boolean()], { numRuns: times(20) })(
    'to the byte, and to the last problem',
    expectPlain,
  )

  test.each([true, false])(
    'with pages larger than a chunk of the file (strict: %s)',
    (isStrict) => {
      const pages = Array.from({ length: 5 }, (_, index) =>
        page({ contentHtml: `<p>${index % 3}${'x'.repeat(900_000)}</p>` }),
      )
      const others = [page(), page({ path: '/api/001' })]
      return expectPlain([toBytes(pages), toBytes(others)], isStrict)
    },
  )
})
