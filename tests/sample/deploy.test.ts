import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { headers } from '../../src/static/policy.ts'

const CONFIG = readFileSync(new URL('../../deploy/nginx.conf', import.meta.url), 'utf8')

it('nginx sends the headers of the policy, and no others', () => {
  const sent = [...CONFIG.matchAll(/add_header (\S+) (?:"(.*)"|(\S+)) always;/g)].map(
    ([, name, quoted, plain]) => [name, quoted ?? plain],
  )
  expect(Object.fromEntries(sent)).toEqual({
    ...headers,
    'Cache-Control': '$manyurls_cache_control',
    'Retry-After': '$manyurls_retry_after',
  })
})
