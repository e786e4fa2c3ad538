/** How `npm run build-data` is called, and where this repository keeps what it needs. */
import type { Command } from './terminal.ts'

export const TEMPLATE: Command = {
  name: 'build-data',
  usage: 'npm run build-data --',
  howToInstall: 'run "npm ci"',
  isSite: true,
  task: 'build',
  config: 'src/content.ts',
  withoutConfig: 'there is no src/content.ts',
  out: 'src/generated',
  check: 'npm run build-data -- --check',
  build: 'npm run build-data',
  fix: '--fix',
}
