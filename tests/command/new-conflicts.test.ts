import { expect, test } from 'vitest'
import { page } from '../helpers/page.ts'
import { createWorkspace } from '../helpers/workspace.ts'

const PATHS = ['/blog/001', '/blog/002', '/blog/003', '/blog/004']

const pages = (text: string) => {
  return PATHS.map((path) => page({ path, contentHtml: `<p>${text}</p>` }))
}

/** Returns the lines of a summary about conflicts, without the folder of the batches. */
const conflictsIn = (stdout: string, folder: string) => {
  const lines = stdout.replaceAll(`${folder}/`, '').split('\n')
  const start = lines.findIndex((line) => line.startsWith('Conflicts'))
  const count = lines.slice(start + 1).findIndex((line) => !line.startsWith(' '))
  return lines.slice(start, start + 1 + count).map((line) => line.replace('Conflicts', '').trim())
}

test('the conflicts of new and changed batches are named first', async () => {
  const { batch, batches, build } = createWorkspace()
  const conflicts = async () => conflictsIn((await build()).stdout, batches)

  batch('a.json', pages('A'))
  batch('b.json', pages('B').slice(0, 3))
  expect(await conflicts()).toEqual([
    '3 dropped records differ from those that were kept',
    '/blog/001: record 1 of b.json differs from record 1 of a.json in contentHtml',
    '/blog/002: record 2 of b.json differs from record 2 of a.json in contentHtml',
    '/blog/003: record 3 of b.json differs from record 3 of a.json in contentHtml',
  ])

  batch('c.json', pages('C').slice(3))
  expect(await conflicts()).toEqual([
    '4 dropped records differ from those that were kept; 1 concerns new or changed files',
    '/blog/004: record 1 of c.json (new) differs from record 4 of a.json in contentHtml',
    '/blog/001: record 1 of b.json differs from record 1 of a.json in contentHtml',
    '/blog/002: record 2 of b.json differs from record 2 of a.json in contentHtml',
    'and 1 more; --verbose names each',
  ])

  batch('a.json', pages('D'))
  expect(await conflicts()).toEqual([
    '4 dropped records differ from those that were kept; 4 concern new or changed files',
    '/blog/001: record 1 of b.json differs from record 1 of a.json (changed) in contentHtml',
    '/blog/002: record 2 of b.json differs from record 2 of a.json (changed) in contentHtml',
    '/blog/003: record 3 of b.json differs from record 3 of a.json (changed) in contentHtml',
    'and 1 more; --verbose names each',
  ])
})
