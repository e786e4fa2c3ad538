/** Builds a site from the same pages with this project and with its peers. */
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Cost, measure, run } from './child.ts'

const HERE = import.meta.dirname
const SITE = join(HERE, '../../../src/site')
const VITE = join(HERE, '../../../node_modules/vite/bin/vite.js')

export interface Generator {
  /** Includes the version. */
  name: string
  /** Builds the documents of a dataset into a folder, which is emptied first. */
  build(dataset: string, out: string): Promise<Cost>
}

/** This project's own `vite build`, with a configuration that takes a dataset. */
export function ownGenerator(temp: string): Generator {
  const config = join(HERE, 'vite.config.ts')
  const command = [VITE, 'build', '--config', config, '--logLevel', 'error']
  return {
    name: 'This site',
    build(dataset, out) {
      rmSync(out, { recursive: true, force: true })
      return measure(temp, command, { env: { BENCH_DATASET: dataset, BENCH_OUT: out } })
    },
  }
}

const PEERS = [
  { name: 'Astro', folder: 'astro', module: 'astro', command: ['astro.js', 'build', '--silent'] },
  {
    name: 'Eleventy',
    folder: 'eleventy',
    module: '@11ty/eleventy',
    command: ['cmd.cjs', '--quiet'],
  },
]

const INSTALL = ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']

/**
 * Installs the peers into the folder for temporary files, each with the stylesheet and the icon of
 * this site. Those that cannot be installed are named on standard error and left out.
 */
export async function installPeers(temp: string): Promise<Generator[]> {
  const peers: Generator[] = []
  for (const { name, folder, module, command } of PEERS) {
    const root = join(temp, folder)
    cpSync(join(HERE, 'peers', folder), root, { recursive: true })
    mkdirSync(join(root, 'public'))
    cpSync(join(SITE, 'style.css'), join(root, 'public/style.css'))
    cpSync(join(SITE, 'favicon.svg'), join(root, 'public/favicon.svg'))
    try {
      await run('npm', INSTALL, { cwd: root })
    } catch (error) {
      console.error(`${name} is left out: ${(error as Error).message}`)
      continue
    }
    const installed = join(root, 'node_modules', module)
    const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    const [program = '', ...args] = command
    peers.push({
      name: `${name} ${version}`,
      build(dataset, out) {
        rmSync(out, { recursive: true, force: true })
        const env = { BENCH_DATASET: dataset, BENCH_OUT: out, ASTRO_TELEMETRY_DISABLED: '1' }
        return measure(temp, [join(installed, program), ...args], { cwd: root, env })
      },
    })
  }
  return peers
}
