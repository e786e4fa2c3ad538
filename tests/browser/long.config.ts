/** The browser tests of `npm run test:long`: every look of every screen, and every document. */
import config from './playwright.config.ts'

// The workers inherit it.
process.env.LONG = 'yes'

export default {
  ...config,
  testMatch: [
    ...['accessibility.spec.ts', 'documents.spec.ts', 'hydration.spec.ts', 'paths.spec.ts'],
    ...['receiver.spec.ts', 'report.spec.ts'],
  ],
}
