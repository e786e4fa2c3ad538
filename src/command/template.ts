/** How `npm run build-data` is called, and where this repository keeps what it needs. */
import path from 'node:path'
import type { SiteCommand } from './terminal.ts'

export const TEMPLATE: SiteCommand = {
  name: 'build-data',
  usage: 'npm run build-data --',
  howToInstall: 'run "npm ci"',
  content: { file: path.join(import.meta.dirname, '../content.ts'), name: 'src/content.ts' },
  delivery: { batches: 'raw-batches', schema: 'schema/batch.schema.json' },
  out: 'src/generated',
}
