import { defineConfig } from 'vitest/config'

// These end a hang, and nothing else: no test comes near them, on however slow a machine.
const TEST = 15 * 60_000
const EXPECTATION = 3 * 60_000

const WITH_POSTGRES = [
  'tests/group-commit.test.ts',
  'tests/server.test.ts',
  'tests/server-model.test.ts',
  'tests/store-failures.test.ts',
  'tests/sql.test.ts',
  'tests/store.test.ts',
  'tests/submissions.test.ts',
]

export default defineConfig({
  root: `${import.meta.dirname}/..`,
  test: {
    // By default one core is left free, which of two is half.
    maxWorkers: 2,
    testTimeout: TEST,
    hookTimeout: TEST,
    teardownTimeout: TEST,
    expect: { poll: { timeout: EXPECTATION } },
    projects: [
      {
        extends: true,
        test: { name: 'alone', include: ['tests/*.test.ts'], exclude: WITH_POSTGRES },
      },
      {
        extends: true,
        test: {
          name: 'with Postgres',
          include: WITH_POSTGRES,
          globalSetup: 'tests/postgres-setup.ts',
        },
      },
    ],
  },
})
