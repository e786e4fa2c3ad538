/** Runs `npm run submissions` within the process of the tests. */

import { runSubmissions } from '../../src/owner/submissions.ts'
import type { FormPage } from '../../src/page/page.ts'
import type { Store } from '../../src/store/store.ts'
import { TEST_PATIENCE } from './store.ts'
import { Text } from './workspace.ts'

/** @param columns the width of the terminal, if it is one */
export async function owner(
  env: NodeJS.ProcessEnv,
  args: readonly string[],
  { pages = [] as FormPage[], columns = 0 } = {},
) {
  const stdout = Object.assign(new Text(), columns && { columns })
  const stderr = new Text()
  const status = await runSubmissions(args, {
    env,
    stdout,
    stderr,
    readPages: () => pages,
    patience: TEST_PATIENCE,
  })
  return { status, stdout: stdout.text, stderr: stderr.text }
}

/** Resolves to the number of the submission with a receipt, if there is one. */
export async function idsOf(store: Store, receipt = 'none'): Promise<number[]> {
  const found = await store.find(receipt)
  return found ? [found.id] : []
}
