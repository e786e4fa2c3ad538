import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { placeSite } from '../../src/static/place-site.ts'
import { canMount, run } from '../helpers/workspace.ts'

/** Returns a folder with an old site, `dist`, and the draft of a new one. */
function createSites() {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-place-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [dist, draft] = [join(folder, 'dist'), join(folder, 'draft')]
  for (const [site, file] of [
    [dist, 'old.html'],
    [draft, 'new.html'],
  ] as const) {
    mkdirSync(join(site, 'blog'), { recursive: true })
    for (const name of [file, `blog/${file}`, 'site.json']) writeFileSync(join(site, name), file)
  }
  return { folder, dist, draft }
}

test('a site takes the place of the last one', () => {
  const { folder, dist, draft } = createSites()
  placeSite(dist, draft)
  expect(readdirSync(folder)).toEqual(['dist'])
  expect(readdirSync(dist, { recursive: true }).sort()).toEqual([
    ...['blog', 'blog/new.html', 'new.html', 'site.json'],
  ])
  expect(readFileSync(join(dist, 'site.json'), 'utf8')).toBe('new.html')
})

test.runIf(process.platform !== 'win32')('every user can read it, whatever the umask is', () => {
  const umask = process.umask(0o077)
  onTestFinished(() => void process.umask(umask))
  const { dist, draft } = createSites()
  placeSite(dist, draft)
  for (const name of ['', 'blog', 'new.html', 'blog/new.html', 'site.json']) {
    const { mode } = statSync(join(dist, name))
    expect((mode & 0o777).toString(8), name).toBe(name.includes('.') ? '644' : '755')
  }
})

test.runIf(canMount)('it replaces what is in a folder where a disk is mounted', async () => {
  const { folder, dist, draft } = createSites()
  const code = `import { placeSite } from './src/static/place-site.ts'
    import { readdirSync } from 'node:fs'
    placeSite(${JSON.stringify(dist)}, ${JSON.stringify(draft)})
    console.log(JSON.stringify(readdirSync(${JSON.stringify(dist)}).sort()))`
  const { stdout, stderr } = await run(['--import', 'tsx', '--input-type=module', '--eval', code], {
    mayMount: true,
    prelude: `mount -t tmpfs none ${dist}; touch ${dist}/old.html`,
  })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual(['blog', 'new.html', 'site.json'])
  expect(readdirSync(folder).sort()).toEqual(['dist', 'draft'])
})
