import { writeFileSync } from 'node:fs'
import { buildSite as build } from '../../../src/site/static/build-site.ts'

/** Builds the site from the given pages into a folder. */
export async function buildSite(pages: object[], outDir: string, address?: string): Promise<void> {
  const dataset = `${outDir}.json`
  writeFileSync(dataset, JSON.stringify(pages))
  await build({ outDir, dataset, address })
}
