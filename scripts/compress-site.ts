/** The last step of `npm run build`: makes the site in `dist/`, or another, ready for `npm start`. */
import { resolve } from 'node:path'
import { headers } from '../src/site/policy.ts'
import { compressSite } from '../src/site/precompress.ts'

const [site = 'dist'] = process.argv.slice(2)
await compressSite(resolve(site), headers)
