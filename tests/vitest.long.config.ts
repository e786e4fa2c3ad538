/** `npm run test:long`: the same tests, with more runs of each property (see long.ts). */
import type { Reporter } from 'vitest/node'
import config, { reporters } from './vitest.config.ts'

// Processes that the tests start inherit it.
process.env.LONG = 'yes'

/** Names at the end what this machine cannot run. Only here: `npm test` skips on purpose, too. */
const skips: Reporter = {
  onTestRunEnd(modules) {
    const skipped = modules.flatMap(({ children }) => [...children.allTests('skipped')])
    const names = skipped.map(({ fullName, module }) => `  ${module.moduleId}  ${fullName}\n`)
    if (names.length === 0) return
    console.log(
      `Skipped, because this machine lacks what they need: ${names.length}\n${names.join('')}`,
    )
  },
}

export default { ...config, test: { ...config.test, reporters: [...reporters, skips] } }
