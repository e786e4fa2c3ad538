/** `npm run build`: compiles the batches into the dataset, then builds the site into `dist/`. */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { messageOf } from '../src/machine/errors.ts'
import { readAddress } from '../src/page/address.ts'

refuseOptions()
refuseWithoutVite()
const address = siteAddress()

const buildData = ['--require', './scripts/tsx.cjs', 'scripts/build-data/build-data.ts']
const { status } = spawnSync(process.execPath, buildData, { stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)

// Vite is a development dependency. These load content.ts, too, whose mistakes build-data explains.
const { buildSite } = await import('../src/static/build-site.ts')
const { UnshowableError } = await import('../src/static/check-site.ts')
try {
  await buildSite({ outDir: 'dist', address })
  console.log('\nThe site is built: dist/')
} catch (error) {
  // Other errors are faults of the site's code: the stack says where.
  console.error(error instanceof UnshowableError ? `build: ${error.message}` : error)
  console.error('dist/ stays as it was.')
  process.exit(1)
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

function refuseWithoutVite(): void {
  try {
    import.meta.resolve('vite')
  } catch {
    console.error(
      'The build needs Vite, which isn\'t installed. Run "npm ci --include=dev": with NODE_ENV=production, npm leaves Vite out. If dist/ is already built, "npm run serve" serves it.',
    )
    process.exit(2)
  }
}

function siteAddress(): string | undefined {
  try {
    return readAddress(process.env.SITE_URL)
  } catch (error) {
    console.error(`build: ${messageOf(error)}`)
    process.exit(2)
  }
}
