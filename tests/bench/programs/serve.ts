// Serves a built site and receives its forms, as `npm run serve`.

import { openSite } from '../../../src/forms/files/open-site.ts'
import { serve } from '../../../src/forms/serve.ts'

const { BENCH_OUT = '' } = process.env
const { env, stdout, stderr } = process
process.exitCode = await serve([], {
  env,
  stdout,
  stderr,
  openSite: () => openSite(BENCH_OUT),
  onReady: () => {},
})
