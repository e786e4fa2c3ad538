/** The browser tests of `npm run test:long`: every look of every screen, and every document. */
import config from './playwright.config.ts'

// The workers inherit it.
process.env.LONG = 'yes'

export default {
  ...config,
  testMatch: [
    'tests/browser/{receiver,report,site}.spec.ts',
    'sample/browser/{accessibility,hydration,layout,look,paths,receiver}.spec.ts',
  ],
}
