/** Fetches Lighthouse and runs it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './child.ts'

/** The newest that runs on Node 20. */
const VERSION = '12.8.2'
export const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const

/** From 0 to 100, by category. */
export type Scores = Record<(typeof CATEGORIES)[number], number>

/**
 * The scores of one run with the mobile preset, which is Lighthouse's own default.
 *
 * @throws Error when npx cannot fetch it or it does not run
 */
export async function lighthouse(temp: string, browser: string, url: string): Promise<Scores> {
  const report = join(temp, 'lighthouse.json')
  await run(
    'npx',
    [
      '--yes',
      `lighthouse@${VERSION}`,
      url,
      '--quiet',
      '--output=json',
      `--output-path=${report}`,
      `--only-categories=${CATEGORIES.join(',')}`,
      '--chrome-flags=--headless --no-sandbox',
    ],
    { env: { CHROME_PATH: browser, TMPDIR: temp }, cwd: temp },
  )
  const { categories, runtimeError } = JSON.parse(readFileSync(report, 'utf8'))
  if (runtimeError) throw new Error(`lighthouse ${url}: ${runtimeError.message}`)
  const score = (category: string) => Math.round(categories[category].score * 100)
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    'best-practices': score('best-practices'),
    seo: score('seo'),
  }
}
