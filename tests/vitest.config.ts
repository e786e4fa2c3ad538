import { defineConfig } from 'vitest/config'

// These only stop a hang: no test comes near them, even on a slow machine.
const TEST = 15 * 60_000
const EXPECTATION = 3 * 60_000

const WITH_POSTGRES = [
  'tests/server/queue.test.ts',
  'tests/server/server.test.ts',
  'tests/server/notifications.test.ts',
  'tests/server/upkeep.test.ts',
  'tests/server/sender.test.ts',
  'tests/server/store-failures.test.ts',
  'tests/pipeline/sql.test.ts',
  'tests/server/store.test.ts',
  'tests/server/submissions.test.ts',
  'tests/server/torture.test.ts',
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
