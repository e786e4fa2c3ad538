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

/** What is said about the rest of a text that is not JSON. */
function restOf(text: string | Uint8Array): string {
  if (text instanceof Uint8Array || /^\ufeff|^version|^$/.test(text)) return ''
  try {
    JSON.parse(text)
    return ''
  } catch {
    return ' (nothing else in the file was checked)'
  }
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

/** Each fault is one problem, at its place, with what it says. */
export function testEach(faults: readonly Fault[], build: ReturnType<typeof createBuild>): void {
  test.each(faults)('$fault: $at $says', async ({ at, says: sentence, ...fault }) => {
    const { status, problems, stderr } = await build(fault)
    const says = sentence + restOf(textOf(fault))
    const told = problems.map(({ line, column, message }: Record<string, unknown>) => {
      return `${line}:${column} ${message}`
    })
    // An invisible character is shown as its escape, which JSON parses as the character itself.
    expect(told).toEqual([
      `${at} ${JSON.parse(`"${says.replace(/["\\](?!u200b|u00a0|ufeff)/g, '\\$&')}"`)}`,
    ])
    expect(stderr).toContain(`batch.json:${at}`)
    expect(stderr).toContain(`\n  ${says}\n`)
    expect(status).toBe(1)
  })
}
