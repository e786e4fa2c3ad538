import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Page as Tab, test } from '@playwright/test'
import { site } from '../../../src/site.ts'
import { unclaimed, withThreeFields, withTwoFields } from './dataset.ts'

const FOLDER = join(import.meta.dirname, '../../../.github/screenshots')
const SCREENS: Record<string, (tab: Tab) => Promise<unknown>> = {
  index: (tab) => tab.goto('/'),
  page: (tab) => tab.goto(withThreeFields.path),
  'not-found': (tab) => tab.goto(unclaimed),
  faults: (tab) => send(tab, 'ada at example.com'),
  receipt: (tab) => send(tab, 'ada@example.com'),
  report: (tab) => openReport(tab),
}

/** The report of the committed batches. */
async function openReport(tab: Tab) {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-report-'))
  const file = join(folder, 'report.html')
  const args = [
    '--require',
    './scripts/tsx.cjs',
    'scripts/build-data/build-data.ts',
    '--check',
    '--report',
    file,
  ]
  spawnSync(process.execPath, args, { cwd: join(import.meta.dirname, '../../..') })
  await tab.goto(pathToFileURL(file).href)
  rmSync(folder, { recursive: true })
}

/** Sends a form without the browser's own validation, as a program would. */
async function send(tab: Tab, email: string) {
  await tab.goto(withTwoFields.path)
  await tab.locator('form').evaluate((form: HTMLFormElement) => {
    form.noValidate = true
  })
  await tab.getByLabel('Your Name').fill('Ada Lovelace')
  await tab.getByLabel('Email Address').fill(email)
  await tab.getByRole('button', { name: site.words.submit }).click()
  await tab.waitForURL(/forms/)
}

test.use({ viewport: { width: 1000, height: 1000 }, deviceScaleFactor: 1.5 })

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme })
    for (const [name, show] of Object.entries(SCREENS)) {
      test(name, async ({ page: tab }) => {
        await show(tab)
        await tab.locator('h1').waitFor({ state: 'attached' })
        await tab.screenshot({ path: join(FOLDER, `${name}-${colorScheme}.png`) })
      })
    }
  })
}
