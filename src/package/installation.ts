/** The version of the package, and how it is called. */
import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from '../machine/root.ts'

const file = path.join(ROOT, 'package.json')
export const VERSION: string = JSON.parse(fs.readFileSync(file, 'utf8')).version

/** How each package manager runs an installed command. `--no` never downloads another package of the name. */
const CALLS: ReadonlyMap<string, string> = new Map([
  ['npm', 'npx --no manyurls'],
  ['pnpm', 'pnpm manyurls'],
  ['yarn', 'yarn manyurls'],
  ['bun', 'bun run manyurls'],
])

/**
 * Returns how to type the command here. A package manager names itself in the environment of what it runs,
 * as in `pnpm/10.1.0 npm/? node/v22.16.0 linux x64`; without one, the command was called by its name.
 */
export function callOf({ npm_config_user_agent: agent = '' }: NodeJS.ProcessEnv): string {
  const [name = ''] = agent.split('/')
  return CALLS.get(name) ?? 'manyurls'
}
