/** The version of the package, and how it is called. */
import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from '../machine/root.ts'

const file = path.join(ROOT, 'package.json')
export const VERSION: string = JSON.parse(fs.readFileSync(file, 'utf8')).version

/** How a package manager runs what is installed, as people type it. */
export interface Manager {
  /** The command: `npx --no manyurls`. */
  call: string
  /** What precedes the name of a script of `package.json`: `npm run`. */
  script: string
  /** What stands between the name of a script and its options: ` --`. */
  beforeOptions: string
}

/** `--no` never downloads another package of the name. */
const NPM: Manager = { call: 'npx --no manyurls', script: 'npm run', beforeOptions: ' --' }

/** Without `run`, `yarn check` is a command of Yarn 1, even if a script has this name. */
const MANAGERS: ReadonlyMap<string, Manager> = new Map([
  ['npm', NPM],
  ['pnpm', { call: 'pnpm manyurls', script: 'pnpm run', beforeOptions: '' }],
  ['yarn', { call: 'yarn manyurls', script: 'yarn run', beforeOptions: '' }],
  ['bun', { call: 'bun run manyurls', script: 'bun run', beforeOptions: '' }],
])

/** Without a package manager, the command was called by its name. npm, which Node brings, runs scripts. */
const NO_MANAGER: Manager = { ...NPM, call: 'manyurls' }

/**
 * Returns the package manager that runs this command. It names itself in the environment of what it runs,
 * as in `pnpm/10.1.0 npm/? node/v22.16.0 linux x64`.
 */
export function managerOf({ npm_config_user_agent: agent = '' }: NodeJS.ProcessEnv): Manager {
  const [name = ''] = agent.split('/')
  return MANAGERS.get(name) ?? NO_MANAGER
}
