import { defineConfig } from 'vitest/config'

// These only stop a hang: no test comes near them, even on a slow machine.
const TEST = 15 * 60_000
const EXPECTATION = 3 * 60_000

export default defineConfig({
  root: `${import.meta.dirname}/..`,
  test: {
    // Each loads most of the modules, which takes ten seconds of processor time.
    maxWorkers: 2,
    // Files share a process and the modules they load, which saves a fifth of the work.
    isolate: false,
    include: ['tests/**/*.test.ts'],
    globalSetup: 'tests/helpers/postgres-setup.ts',
    setupFiles: 'tests/helpers/english.ts',
    // Of what tests print, also in processes that they start.
    env: { TZ: 'UTC' },
    testTimeout: TEST,
    hookTimeout: TEST,
    teardownTimeout: TEST,
    expect: { poll: { timeout: EXPECTATION } },
  },
})
