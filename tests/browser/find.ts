/** Before the browser tests: finds or installs the browser, or says what to do. */
import { spawnSync } from 'node:child_process'
import { installed, runs } from './chromium.ts'

const NO_BROWSER = `The browser tests cannot run: no Chromium or Chrome was found, and none could be installed.
Install one with "npx playwright install --with-deps chromium", or set CHROME_PATH to the program of
a Chromium or Chrome that is on this machine.`

const APT = ['apt-get', 'install', '-y', '--no-install-recommends']

const { CHROME_PATH } = process.env
if (CHROME_PATH && !runs(CHROME_PATH)) {
  fail(`CHROME_PATH is "${CHROME_PATH}", which is not a browser that runs.`)
} else if (!CHROME_PATH && !installed() && !install()) fail(NO_BROWSER)

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}

/** Tries one way after another until there is a browser that runs. */
function install(): string | undefined {
  const npx = process.platform === 'win32' ? 'npx.cmd' : 'npx'
  const ways = [[npx, '--no-install', 'playwright', 'install', 'chromium']]
  if (process.platform === 'linux' && process.getuid?.() === 0) {
    ways.push(
      ['apt-get', 'update'],
      [...APT, 'chromium-headless-shell'],
      [...APT, 'chromium'],
      [npx, '--no-install', 'playwright', 'install-deps', 'chromium'],
    )
  }
  for (const [command = '', ...args] of ways) {
    console.error(`No browser for the tests yet: ${[command, ...args].join(' ')}`)
    spawnSync(command, args, {
      stdio: ['ignore', 'inherit', 'inherit'],
      shell: process.platform === 'win32',
    })

    const browser = installed()
    if (browser) return browser
  }
}
