/** `npm run test:long`: the same tests, with more runs of each property (see long.ts). */
import config from './vitest.config.ts'

// Processes that the tests start inherit it.
process.env.LONG = 'yes'

export default config
