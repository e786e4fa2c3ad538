import { defineConfig } from 'vitest/config'

// These only stop a hang: no test comes near them, even on a slow machine.
const TEST = 15 * 60_000
const EXPECTATION = 3 * 60_000

const WITH_POSTGRES = [
  'tests/forms/queue.test.ts',
  'tests/forms/server.test.ts',
  'tests/forms/notifications.test.ts',
  'tests/forms/upkeep.test.ts',
  'tests/forms/sender.test.ts',
  'tests/forms/store-failures.test.ts',
  'tests/pipeline/sql.test.ts',
  'tests/forms/store.test.ts',
  'tests/forms/submissions.test.ts',
  'tests/forms/torture.test.ts',
]

export default defineConfig({
  root: `${import.meta.dirname}/..`,
  test: {
    // Three on two cores, because some tests wait: for time to pass, for the disk, for a process.
    maxWorkers: 3,
    // Files share a process and the modules they load, which saves a fifth of the work.
    isolate: false,
    setupFiles: 'tests/helpers/english.ts',
    // Of what tests print, also in processes that they start.
    env: { TZ: 'UTC' },
    testTimeout: TEST,
    hookTimeout: TEST,
    teardownTimeout: TEST,
    expect: { poll: { timeout: EXPECTATION } },
    projects: [
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['tests/**/*.test.ts'],
          exclude: WITH_POSTGRES,
        },
      },
      {
        extends: true,
        test: {
          name: 'with Postgres',
          include: WITH_POSTGRES,
          globalSetup: 'tests/helpers/postgres-setup.ts',
        },
      },
    ],
  },
})
