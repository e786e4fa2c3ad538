import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Returns a folder with a dataset of the given pages, and the options that build a site from it. */
export function datasetFolder(pages: object[], atEnd = onTestFinished) {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-build-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  const dataset = join(folder, 'dataset.json')
  writeFileSync(dataset, JSON.stringify(pages))
  return { folder, dataset, outDir: join(folder, 'dist') }
}
