/** Removes the data that the server of the tests has stored. */
import { rmSync } from 'node:fs'

export default function tearDown() {
  rmSync(process.env.BROWSER_TESTS as string, { recursive: true, force: true })
}
