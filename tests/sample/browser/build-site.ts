import { writeFileSync } from 'node:fs'
import { buildSite as build } from '../../../src/static/build-site.ts'
import type { Options } from '../../../src/static/read-pages.ts'

/** Builds the site from the given pages into a folder. */
export async function buildSite(
  pages: object[],
  outDir: string,
  options: Pick<Options, 'address' | 'shows'> = {},
): Promise<void> {
  const dataset = `${outDir}.json`
  writeFileSync(dataset, JSON.stringify(pages))
  await build({ outDir, dataset, ...options })
}
