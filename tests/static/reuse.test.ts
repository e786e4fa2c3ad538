import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openOutput } from '../../src/static/reuse.ts'

test('what was made of the same is reused, unless somebody has changed or removed it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-output-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const inFolder = (name: string) => join(folder, name)
  const made: string[] = []
  const build = (name: string, last: string, from: string) => {
    const { put, finish } = openOutput(inFolder(name), inFolder(last))
    const make = () => {
      made.push(name)
      return Buffer.from('text')
    }
    expect(String(put('a/b.html', from, make))).toBe('text')
    finish()
  }
  build('first', 'none', 'x')
  build('second', 'first', 'x')
  build('third', 'second', 'x')
  expect(made).toEqual(['first'])
  build('other source', 'third', 'y')
  writeFileSync(inFolder('second/a/b.html'), 'changed')
  build('after a change', 'second', 'x')
  expect(readFileSync(inFolder('second/a/b.html'), 'utf8')).toBe('changed')
  expect(readFileSync(inFolder('after a change/a/b.html'), 'utf8')).toBe('text')
  rmSync(inFolder('third/a/b.html'))
  build('after a loss', 'third', 'x')
  expect(made).toEqual(['first', 'other source', 'after a change', 'after a loss'])
})
