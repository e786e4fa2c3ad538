/** Finds the browser for the tests on the machine, or else installs one. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium as playwright } from '@playwright/test'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const APPS = ['Google Chrome', 'Chromium']

const NO_BROWSER = `No Chromium or Chrome was found, and none could be installed.
Install one with "npx playwright install --with-deps chromium", or set CHROME_PATH to the program of
a Chromium or Chrome that is on this machine.`

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
 * own, else the system's. If there is none, it installs one first and prints the commands.
 */
export function chromium(): { executablePath: string; args: string[] } {
  const executablePath = chosen() ?? installed() ?? install()
  if (!executablePath) throw new Error(NO_BROWSER)
  return { executablePath, args: [`--disable-features=${OFF}`] }
}

function chosen(): string | undefined {
  const { CHROME_PATH } = process.env
  if (!CHROME_PATH || runs(CHROME_PATH)) return CHROME_PATH || undefined
  throw new Error(`CHROME_PATH is "${CHROME_PATH}", which is not a browser that runs.`)
}

function installed(): string | undefined {
  const { PATH = '' } = process.env
  const folders = PATH.split(delimiter).filter(Boolean)
  const candidates = [
    playwright.executablePath(),
    ...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...APPS.map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`),
  ]
  return candidates.find(runs)
}

/** Tries one way after another until there is a browser that runs. */
function install(): string | undefined {
  const npx = process.platform === 'win32' ? 'npx.cmd' : 'npx'
  const ways = [[npx, '--no-install', 'playwright', 'install', 'chromium']]
  if (process.platform === 'linux' && process.getuid?.() === 0) {
    ways.push(
      ['apt-get', 'update'],
      ['apt-get', 'install', '-y', '--no-install-recommends', 'chromium'],
      [npx, '--no-install', 'playwright', 'install-deps', 'chromium'],
    )
  }
  for (const [command = '', ...args] of ways) {
    console.error(`No browser for the tests yet: ${[command, ...args].join(' ')}`)
    // Both streams on standard error: standard output may be a report that somebody parses.
    spawnSync(command, args, { stdio: ['ignore', 2, 2], shell: process.platform === 'win32' })
    const found = installed()
    if (found) return found
  }
}

/** Returns whether a program exists and starts: a bare Linux may lack libraries of a browser. */
function runs(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
  } catch {
    return false
  }
  // On Windows --version opens a window.
  return process.platform === 'win32' || spawnSync(path, ['--version']).status === 0
}
