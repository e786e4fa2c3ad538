/** What a checkout on Windows has, where Git is usually set to write other line breaks. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createWorkspace } from './helpers/workspace.ts'

const ROOT = join(import.meta.dirname, '..')

/** Adds a file to a new repository with the attributes of the project, and checks it out as on Windows. */
function checkOut(name: string, content: Uint8Array): Buffer {
  const { folder } = createWorkspace()
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'core.autocrlf=true', '-c', 'core.safecrlf=false', ...args], {
      cwd: folder,
    })
  const file = join(folder, name)
  mkdirSync(dirname(file), { recursive: true })
  copyFileSync(join(ROOT, '.gitattributes'), join(folder, '.gitattributes'))
  writeFileSync(file, content)
  git('init', '--quiet')
  git('add', '.')
  git('checkout-index', '--all', '--prefix=checkout/')
  return readFileSync(join(folder, 'checkout', name))
}

test.each(['src/content.ts', 'README.md', 'package.json', 'deploy/nginx.conf', 'deploy/run.sh'])(
  '%s has \\n at the end of each line, whatever it was committed with',
  (name) => {
    for (const text of ['one\ntwo\n', 'one\r\ntwo\r\n'])
      expect(checkOut(name, Buffer.from(text)).toString()).toBe('one\ntwo\n')
  },
)

test.each([
  ['raw-batches/a.json', '[\r\n]\n'],
  ['raw-batches/2026/a.jsonl', '{}\r\n{}\n'],
  ['schema/batch.schema.json', '{\n}\r\n'],
  ['src/public/photo.png', 'no zero byte,\r\nas in a very small image\n'],
])('%s has the bytes that were committed', (name, text) => {
  expect(checkOut(name, Buffer.from(text)).toString()).toBe(text)
})
