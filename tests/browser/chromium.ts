/** Which browser the tests start, and how. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium as playwright } from '@playwright/test'

// The first has no window, and takes a third less processor time.
const NAMES = [
  ...['chromium-headless-shell', 'chromium', 'chromium-browser'],
  ...['google-chrome', 'google-chrome-stable'],
]
const APPS = ['Google Chrome', 'Chromium']

/**
 * The features that are off. In each window, Chromium would render pages of its own for the address
 * bar (the first two) and start a process for a page that may come (the third), which takes more
 * processor time than most tests. Playwright passes a list too, but only the last one counts: the
 * others are those of it that change or delay requests.
 */
const OFF = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
]

/**
 * Returns launch options for Playwright's Chromium: the program in CHROME_PATH, else Playwright's
 * own, else the system's. If there is none, Playwright says so when it starts it.
 */
export function chromium() {
  const executablePath = process.env.CHROME_PATH || installed()
  return { ...(executablePath && { executablePath }), args: [`--disable-features=${OFF}`] }
}

/** Returns a browser of this machine that runs. */
export function installed(): string | undefined {
  const { PATH = '' } = process.env
  const folders = PATH.split(delimiter).filter(Boolean)
  const candidates = [
    playwright.executablePath(),
    ...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...APPS.map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`),
  ]
  return candidates.find(runs)
}

/** Returns whether a program exists and starts: a bare Linux may lack libraries of a browser. */
export function runs(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
  } catch {
    return false
  }
  // On Windows --version opens a window.
  return process.platform === 'win32' || spawnSync(path, ['--version']).status === 0
}
