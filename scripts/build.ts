/** `npm run build`: compiles the batches into the dataset, then builds the site into `dist/`. */
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'

refuseOptions()
const vite = findVite()
for (const command of [
  ['--import', 'tsx', 'scripts/build-data.ts'],
  [vite, 'build', 'src/site'],
]) {
  const { status } = spawnSync(process.execPath, command, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

function refuseOptions(): void {
  try {
    parseArgs()
  } catch {
    console.error(
      'build: takes no options; "npm run build-data -- --help" lists those of the batches',
    )
    process.exit(2)
  }
}

/** Returns the path of Vite's program. Without Vite, exits before anything is written. */
function findVite(): string {
  try {
    const manifest = createRequire(import.meta.url).resolve('vite/package.json')
    return join(dirname(manifest), 'bin/vite.js')
  } catch {
    console.error(
      'The build needs Vite, a development dependency: "npm ci" installs it. "npm run serve" serves what is built already.',
    )
    process.exit(2)
  }
}
