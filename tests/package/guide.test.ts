/** What the guide of the package shows. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const guide = readFileSync(join(import.meta.dirname, '../../src/package/README.md'), 'utf8')

/** Returns the blocks of a kind, without the line that opens them. */
function blocks(kind: string): string[] {
  return [...guide.matchAll(/^```(\S+)[^\n]*\n(.*?)^```/gms)]
    .filter(([, language]) => language === kind)
    .map(([, , text = '']) => text)
}

test('a workflow has at most ten lines', () => {
  expect(blocks('yaml')).toHaveLength(2)
  for (const workflow of blocks('yaml')) expect(workflow.trim().split('\n').length).toBeLessThan(11)
})

test('no command runs a package of the name from elsewhere', () => {
  const commands = [...guide.matchAll(/\bnpx .*/g)].map(([command]) => command)
  expect(commands.length).toBeGreaterThan(5)
  expect(commands.filter((command) => !command.startsWith('npx --no manyurls'))).toEqual([])
})
