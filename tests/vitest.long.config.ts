/** `npm run test:long`: the same tests, with more runs of each property (see long.ts). */
import config from './vitest.config.ts'

// The processes of the tests inherit it.
process.env.LONG = 'yes'

export default config
