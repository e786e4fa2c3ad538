/** The tests that `npm run test:mutation` runs: only those of the modules that decide. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: `${import.meta.dirname}/..`,
  test: {
    include: ['tests/**/{rules,precedence,read,records,fix,numbers,links,lookup,request}.test.ts'],
    testTimeout: 60_000,
  },
})
