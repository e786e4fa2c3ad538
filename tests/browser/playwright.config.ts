import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { chromium } from './chromium.ts'

// This file is read by the main process first, which may install a browser and names a folder, and
// again by each worker, which finds both in the environment.
const { executablePath } = chromium()
process.env.CHROME_PATH = executablePath
process.env.BROWSER_TESTS ??= join(tmpdir(), `manyurls-browser-${process.pid}`)
const { BROWSER_TESTS, CI, SITE_PORT, TEST_BROWSER } = process.env

// These end a hang, and nothing else: no test comes near them, on however slow a machine.
const TEST = 15 * 60_000
const EXPECTATION = 3 * 60_000

export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  globalTeardown: './teardown.ts',
  fullyParallel: true,
  workers: 2,
  timeout: TEST,
  expect: { timeout: EXPECTATION },
  forbidOnly: !!CI,
  reporter: 'list',
  webServer: {
    command: 'node --import tsx scripts/serve.ts',
    cwd: '../..',
    // The server takes the next free port when its own is taken; what it prints becomes SITE_PORT.
    wait: { stdout: /ManyURLs Pages: http:\/\/localhost:(?<site_port>\d+)/ },
    timeout: TEST,
    env: {
      SUBMISSIONS_FILE: join(BROWSER_TESTS, 'submissions.db'),
      RATE_LIMIT: '0',
      LOG_LEVEL: 'error',
    },
  },
  use: {
    baseURL: `http://localhost:${SITE_PORT}`,
    // Another one, `firefox` or `webkit`, is the one that Playwright has installed.
    ...(TEST_BROWSER && { browserName: TEST_BROWSER as 'firefox' | 'webkit' }),
    launchOptions: { timeout: TEST, ...(!TEST_BROWSER && { executablePath }) },
  },
})
