/**
 * The tests that `npm run test:mutation` runs: those of the modules that decide, and the builds that
 * show what these decide together. Of them, Stryker runs for each change those that reach it.
 */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: `${import.meta.dirname}/..`,
  test: {
    include: [
      'tests/**/{rules,precedence,accept,records,fix,punctuation,repair,numbers,lookup,request}.test.ts',
      'tests/{command/delivered,build/build,build/{link-check,references},sample/every-problem,static/check-site,text/natural-order}.test.ts',
    ],
    setupFiles: 'tests/helpers/english.ts',
    testTimeout: 60_000,
  },
})
