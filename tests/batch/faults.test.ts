import { describe, expect, test } from 'vitest'
import { createBuild, testEach } from '../helpers/fault-table.ts'
import { FAULTS, NO_FAULTS } from '../helpers/faults.ts'

const build = createBuild()

describe('a mistake is reported at its place', () => {
  testEach(FAULTS, build)
})

test.each(NO_FAULTS)('$fault is not a mistake', async (odd) => {
  expect(await build(odd)).toMatchObject({ status: 0, problems: undefined })
})
