import { writeFileSync } from 'node:fs'
import type { Options } from '../../../src/static/read-pages.ts'

/** Builds the site from the given pages into a folder. */
export async function buildSite(
  pages: object[],
  outDir: string,
  options: Pick<Options, 'address' | 'shows'> = {},
): Promise<void> {
  const dataset = `${outDir}.json`
  writeFileSync(dataset, JSON.stringify(pages))
  // Vite is loaded only by the processes that build, not by each that reads the tests.
  const { buildSite: build } = await import('../../../src/static/build-site.ts')
  await build({ outDir, dataset, ...options })
}
