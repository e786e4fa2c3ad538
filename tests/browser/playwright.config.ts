import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { chromium } from './chromium.ts'

// This file is read by the main process first, which may install a browser, and again by each worker,
// which then takes the same one from here without looking.
const { executablePath } = chromium()
Object.assign(process.env, { CHROME_PATH: executablePath })
const { CI, SITE_PORT, TEST_BROWSER } = process.env
const submissions = join(mkdtempSync(join(tmpdir(), 'manyurls-submissions-')), 'submissions.db')

export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  fullyParallel: true,
  forbidOnly: !!CI,
  reporter: 'list',
  webServer: {
    command: 'npm run build && node --import tsx scripts/start.ts',
    cwd: '../..',
    // The server takes the next free port when its own is taken; what it prints becomes SITE_PORT.
    wait: { stdout: /ManyURLs Pages: http:\/\/localhost:(?<site_port>\d+)/ },
    timeout: 120_000,
    env: { SUBMISSIONS_FILE: submissions, RATE_LIMIT: '0', LOG_LEVEL: 'error' },
  },
  use: {
    baseURL: `http://localhost:${SITE_PORT}`,
    // Another one, `firefox` or `webkit`, is the one that Playwright has installed.
    ...(TEST_BROWSER
      ? { browserName: TEST_BROWSER as 'firefox' | 'webkit' }
      : { launchOptions: { executablePath } }),
  },
})
