/** The tests that `npm run test:mutation` runs: those of the modules that decide, and no others. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: `${import.meta.dirname}/..`,
  test: {
    include: ['tests/{rules,dedupe,validate,lookup,submission}.test.ts'],
    testTimeout: 60_000,
  },
})
