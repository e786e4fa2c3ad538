/**
 * `npm run build-data`: compiles the delivered batches into the dataset. The package.json beside it
 * makes it CommonJS: tsx starts in half the time then. It does not reach `import()` of our
 * own modules, so this file loads those that are loaded on demand.
 */
import { runCommand } from '../../src/command/run-command.ts'
import { TEMPLATE } from '../../src/command/template.ts'
import type { ReportRoom } from '../../src/command/terminal.ts'
import { tsxLoader } from '../../src/machine/tsx-modules.ts'

const program = {
  command: TEMPLATE,
  load: tsxLoader(require),
  async loadExplain(): Promise<typeof import('../../src/explain/explain.ts')> {
    return require('../../src/explain/explain.ts')
  },
  async loadReport(): Promise<ReportRoom> {
    // Without this, React checks what it renders, which takes twice as long.
    process.env.NODE_ENV ??= 'production'
    return require('../../src/report/html/write-report.ts')
  },
}

runCommand(process.argv.slice(2), program)
