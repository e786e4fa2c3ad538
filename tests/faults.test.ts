import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FAULTS, type Fault, GOOD, NO_FAULTS } from './faults.ts'
import { createWorkspace } from './workspace.ts'

const textOf = (batch: Fault['batch']) => {
  if (typeof batch === 'string' || batch instanceof Uint8Array) return batch
  return batch.reduce((text, [from, to]) => {
    expect(text.split(from)).toHaveLength(2)
    return text.replace(from, () => to)
  }, GOOD)
}

/** Builds a batch. Returns the output of the command as JSON, and what it shows in a terminal. */
const workspace = createWorkspace(afterAll)
async function build(batch: Fault['batch']) {
  workspace.batch('batch.json', textOf(batch))
  const { status, stdout, stderr } = await workspace.build(['--json'])
  return { status, problems: JSON.parse(stdout).problems, stdout, stderr }
}

// Only a successful build caches the compiled schema. Compiling takes longer than the builds.
beforeAll(async () => {
  expect(await build(GOOD)).toMatchObject({ status: 0 })
})

describe('a mistake is one problem, at its place, in a sentence that says what to do', () => {
  test.each(FAULTS)('$fault: $at $says', async ({ batch, at, says }) => {
    const { status, problems, stderr } = await build(batch)
    const told = problems.map(({ line, column, message }: Record<string, unknown>) => {
      return `${line}:${column} ${message}`
    })
    // An invisible character is shown as its escape, which JSON parses as the character itself.
    expect(told).toEqual([
      `${at} ${JSON.parse(`"${says.replace(/["\\](?!u200b|u00a0)/g, '\\$&')}"`)}`,
    ])
    expect(stderr).toContain(`batch.json:${at}`)
    expect(stderr).toContain(`\n  ${says}\n`)
    expect(status).toBe(1)
  })

  test('and there are more than a hundred', () => {
    expect(FAULTS.length).toBeGreaterThan(100)
    expect(new Set(FAULTS.map(({ fault }) => fault)).size).toBe(FAULTS.length)
  })
})

test.each(NO_FAULTS)('$fault is not a mistake', async ({ batch }) => {
  expect(await build(batch)).toMatchObject({ status: 0, problems: undefined })
})
