/** Builds batches with the faults of a table, as tests. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fault, GOOD } from './faults.ts'
import { createWorkspace } from './workspace.ts'

const textOf = ({ batch, of = GOOD }: Pick<Fault, 'batch' | 'of'>) => {
  if (typeof batch === 'string' || batch instanceof Uint8Array) return batch
  return batch.reduce((text, [from, to]) => {
    expect(text.split(from)).toHaveLength(2)
    return text.replace(from, () => to)
  }, of)
}

/**
 * Creates a workspace for the tests of a file. Returns a function that builds a batch in it: the
 * output of the command as JSON, and what it shows in a terminal.
 */
export function createBuild() {
  const workspace = createWorkspace(afterAll)
  const build = async (fault: Pick<Fault, 'batch' | 'of'>) => {
    workspace.batch('batch.json', textOf(fault))
    const { status, stdout, stderr } = await workspace.build(['--json'])
    return { status, problems: JSON.parse(stdout).problems, stdout, stderr }
  }
  // Only a successful build caches the compiled schema. Compiling takes longer than the builds.
  beforeAll(async () => {
    expect(await build({ batch: GOOD })).toMatchObject({ status: 0 })
  })
  return build
}

/** Each fault is reported at its place, in the JSON of the command and in a terminal. */
export function testEach(faults: readonly Fault[], build: ReturnType<typeof createBuild>): void {
  test.each(faults)('$fault: $at', async ({ at, ...fault }) => {
    const { status, problems, stderr } = await build(fault)
    const places = problems.map(({ line, column }: Record<string, number>) => `${line}:${column}`)
    expect(places.join(' ')).toBe(at)
    for (const place of places) expect(stderr).toContain(`batch.json:${place}`)
    expect(status).toBe(1)
  })
}
