/** The last step of `npm test`, with commands in the place of the tests. */
import { cpSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createWorkspace, run } from './helpers/workspace.ts'

const ROOT = join(import.meta.dirname, '..')

test('the browser tests say how many have ended and which may hang, and wait to be shown; if one fails, the status is 1', async () => {
  const { folder } = createWorkspace()
  const write = (name: string, lines: string[]) => {
    writeFileSync(join(folder, name), ["import fs from 'node:fs'", ...lines].join('\n'))
  }
  cpSync(join(ROOT, 'scripts/test.ts'), join(folder, 'scripts/test.ts'))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction')
  write('browser.mjs', [
    "console.log('Running 40 tests using 2 workers')",
    "for (let test = 1; test <= 30; test++) console.log('ok')",
    "console.log('Still running after 2 minutes: a')",
    "fs.writeFileSync('ended', '')",
    'process.exitCode = 3',
  ])
  write('unit.mjs', [
    // It ends after the other, whose output waits.
    "while (!fs.existsSync('ended')) await new Promise((wake) => setTimeout(wake, 50))",
    "console.log('unit')",
  ])
  const scripts = {
    'test:unit': 'npm run build && node unit.mjs',
    'test:browser': 'npm run build && echo no browser yet && node browser.mjs',
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', scripts }))

  const ended = await run(['--import', 'tsx', 'scripts/test.ts'], { cwd: folder })

  expect(ended).toMatchObject({ status: 1, stderr: '' })
  const lines = ended.stdout.trimEnd().split('\n')
  const meanwhile = lines.slice(0, lines.indexOf('Running 40 tests using 2 workers'))
  expect(meanwhile).toContain('no browser yet')
  expect(meanwhile).toContain('Browser tests: 25 of 40 so far')
  expect(meanwhile).toContain('Still running after 2 minutes: a')
  expect(meanwhile).toContain('unit')
})
