/** The first step of the browser tests: finds or installs the browser, or ends with one sentence. */
import { chromium } from './chromium.ts'

try {
  chromium()
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
