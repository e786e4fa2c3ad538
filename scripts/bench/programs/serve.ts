// Serves a built site and receives its forms, as `npm run serve`.
import { serve } from '../../../src/forms/receive/serve.ts'
import { openSite } from '../../../src/site/static/open-site.ts'

const { BENCH_OUT = '' } = process.env
const { env, stdout, stderr } = process
process.exitCode = await serve([], {
  env,
  stdout,
  stderr,
  openSite: () => openSite(BENCH_OUT),
  onReady: () => {},
})
