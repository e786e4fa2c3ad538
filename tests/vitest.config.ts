import { defineConfig } from 'vitest/config'
import { running } from './helpers/running.ts'

// These only stop a hang: no test comes near them, even on a slow machine.
const TEST = 15 * 60_000
const EXPECTATION = 3 * 60_000

// The first ones are those that Vitest has if none is named.
const usual = process.env.GITHUB_ACTIONS === 'true' ? ['default', 'github-actions'] : ['default']
export const reporters = [...usual, running]

export default defineConfig({
  root: `${import.meta.dirname}/..`,
  test: {
    // Each loads most of the modules, which takes ten seconds of processor time.
    maxWorkers: 2,
    // Files share a process and the modules they load, which saves a fifth of the work.
    isolate: false,
    include: ['tests/**/*.test.ts'],
    reporters,
    globalSetup: 'tests/helpers/postgres-setup.ts',
    setupFiles: ['tests/helpers/english.ts', 'tests/helpers/uncolored.ts'],
    // Also in processes that they start. Turkish sorts i elsewhere, and its capital is no I: a result
    // that depends on what the machine speaks is another one.
    env: { TZ: 'UTC', LC_ALL: 'tr_TR.UTF-8' },
    testTimeout: TEST,
    hookTimeout: TEST,
    teardownTimeout: TEST,
    expect: { poll: { timeout: EXPECTATION } },
  },
})
