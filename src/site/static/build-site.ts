/** Builds the site with Vite into a folder, which is replaced only by a finished site. */
import { existsSync, realpathSync, renameSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { makeFolder, remove, sweep, temporaryName } from '../../machine/files.ts'
import { baseOf } from '../../page/address.ts'
import config from '../vite.config.ts'
import { UnshowableError } from './showable.ts'
import { documents, type Options } from './static-site.ts'

/**
 * Builds the site into the folder `outDir`. If that fails, the folder stays as it was.
 *
 * @throws {UnshowableError} if the site cannot show a page
 */
export async function buildSite(options: Options & { outDir: string }): Promise<void> {
  const { outDir, address } = options
  const folder = existsSync(outDir) ? realpathSync(outDir) : resolve(outDir)
  const parent = dirname(folder)
  makeFolder(parent)
  sweep(parent)
  // Beside the folder, so that a rename suffices. Two builds at once have a draft each.
  const draft = join(parent, temporaryName())
  try {
    await build({
      ...config,
      configFile: false,
      // Vite would list each file under the name of the draft.
      logLevel: 'warn',
      plugins: [react(), documents(options)],
      base: `${baseOf(address)}/`,
      build: { ...config.build, outDir: draft },
    })
    replaceFolder(folder, draft)
  } catch (error) {
    // Vite puts the error of a plugin into a list.
    const [cause] = (error as { errors?: unknown[] }).errors ?? []
    throw cause instanceof UnshowableError ? cause : error
  } finally {
    remove(draft)
  }
}

/** Two renames: no system replaces a folder that has files in one. */
function replaceFolder(folder: string, draft: string): void {
  const old = join(dirname(folder), temporaryName())
  if (existsSync(folder)) renameSync(folder, old)
  try {
    renameSync(draft, folder)
  } catch (error) {
    // Unless another build has put its site there in the meantime.
    if (existsSync(old) && !existsSync(folder)) renameSync(old, folder)
    throw error
  } finally {
    remove(old)
  }
}
