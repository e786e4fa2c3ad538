/** Builds the site with Vite into a folder, which is replaced only by a finished site. */
import { existsSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { build, type LogLevel } from 'vite'
import config from '../vite.config.ts'
import { documents, UnshowableError } from './static-site.ts'

interface SiteOptions {
  /** The folder of the site. */
  outDir: string
  /** As for {@link documents}. */
  dataset?: string
  base?: string | undefined
  logLevel?: LogLevel
}

/**
 * Builds the site. If that fails, the folder stays as it was.
 *
 * @throws {UnshowableError} if the site cannot show a page
 */
export async function buildSite({ outDir, dataset, base, logLevel }: SiteOptions): Promise<void> {
  const folder = existsSync(outDir) ? realpathSync(outDir) : resolve(outDir)
  // Beside the folder, so that a rename suffices. A killed build may leave them.
  const [draft, old] = [`${folder}.new`, `${folder}.old`]
  try {
    await build({
      ...config,
      configFile: false,
      ...(logLevel && { logLevel }),
      plugins: [react(), documents({ ...(dataset && { dataset }), ...(base && { base }) })],
      build: { ...config.build, outDir: draft },
    })
    rmSync(old, { recursive: true, force: true })
    if (existsSync(folder)) renameSync(folder, old)
    renameSync(draft, folder)
    rmSync(old, { recursive: true, force: true })
  } catch (error) {
    // Vite puts the error of a plugin into a list.
    const [cause] = (error as { errors?: unknown[] }).errors ?? []
    throw cause instanceof UnshowableError ? cause : error
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/**
 * Returns the address of the site without a path.
 *
 * @param text the environment variable SITE_URL
 * @returns undefined if it is not set
 * @throws Error in one line, if it is no address
 */
export function baseOf(text: string | undefined): string | undefined {
  if (!text) return undefined
  if (/^https?:/i.test(text) && URL.canParse(text)) return new URL(text).origin
  throw new Error(
    `SITE_URL is "${text}", but must be the address of the site, such as https://example.com`,
  )
}
