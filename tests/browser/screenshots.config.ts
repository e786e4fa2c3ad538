/** `npm run screenshots`: the pictures of the README, taken from the built site. */
import config from './playwright.config.ts'

export default { ...config, testMatch: 'screenshots.ts' }
