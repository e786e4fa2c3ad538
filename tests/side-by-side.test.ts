/** The last step of `npm test`, with commands in the place of the tests. */
import { cpSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createWorkspace, run } from './helpers/workspace.ts'

const ROOT = join(import.meta.dirname, '..')

test.each([
  [0, 3, 1],
  [2, 0, 1],
])(
  'if the unit tests end with %d and the browser tests with %d, both are shown, and the status is %d',
  async (unit, browser, status) => {
    const { folder } = createWorkspace()
    cpSync(join(ROOT, 'scripts/test.ts'), join(folder, 'scripts/test.ts'))
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction')
    const scripts = {
      // It ends after the other, whose output waits.
      'test:unit': `npm run build && node -e "setTimeout(() => console.log('unit'), 500)" && exit ${unit}`,
      'test:browser': `npm run build && echo browser && exit ${browser}`,
    }
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', scripts }))

    const ended = await run(['--import', 'tsx', 'scripts/test.ts'], { cwd: folder })

    expect(ended).toMatchObject({ status, stdout: 'unit\nbrowser\n', stderr: '' })
  },
)
