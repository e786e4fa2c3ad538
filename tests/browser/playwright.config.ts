import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { chromium } from './chromium.ts'

// The main process reads this file first: it finds the browser, and names a folder. Each worker
// reads it again, and has both in the environment.
const browser = chromium()
if (browser.executablePath) process.env.CHROME_PATH = browser.executablePath
process.env.BROWSER_TESTS ??= join(tmpdir(), `manyurls-browser-${process.pid}`)
const { BROWSER_TESTS, CI, SITE_PORT, TEST_BROWSER } = process.env

// These only stop a hang: no test comes near them, even on a slow machine.
const TEST = 15 * 60_000
const EXPECTATION = 3 * 60_000

export default defineConfig({
  // These hold with any content; those of the sample, in `../sample/browser`, may be gone.
  testDir: '..',
  testMatch: 'browser/*.spec.ts',
  outputDir: '../../test-results',
  globalTeardown: './teardown.ts',
  fullyParallel: true,
  workers: 2,
  timeout: TEST,
  expect: { timeout: EXPECTATION, toPass: { timeout: EXPECTATION } },
  forbidOnly: !!CI,
  // To record a trace costs a fifth of the processor time, so only what has failed is run again for
  // one. It counts as failed even if it passes then.
  retries: CI ? 1 : 0,
  failOnFlakyTests: true,
  reporter: [['list'], ['./running.ts']],
  webServer: {
    command: 'node --import tsx scripts/serve.ts',
    cwd: '../..',
    // With 0, a free port. The printed one becomes SITE_PORT.
    wait: { stdout: /: http:\/\/localhost:(?<site_port>\d+)/ },
    timeout: TEST,
    env: {
      PORT: '0',
      SUBMISSIONS_FILE: join(BROWSER_TESTS, 'submissions.db'),
      RATE_LIMIT: '0',
      LOG_LEVEL: 'error',
    },
  },
  use: {
    actionTimeout: EXPECTATION,
    trace: 'on-first-retry',
    baseURL: `http://localhost:${SITE_PORT}`,
    // TEST_BROWSER, `firefox` or `webkit`, means the one that Playwright has installed.
    ...(TEST_BROWSER && { browserName: TEST_BROWSER as 'firefox' | 'webkit' }),
    launchOptions: { timeout: TEST, ...(!TEST_BROWSER && browser) },
  },
})
