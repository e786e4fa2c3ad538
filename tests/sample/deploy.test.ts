import { expect, it } from 'vitest'
import { headers } from '../../src/site/static/policy.ts'
import { ADDED } from '../nginx.ts'

it('nginx sends the headers of the policy, and no others', () => {
  expect(ADDED).toEqual({
    ...headers,
    'Cache-Control': '$manyurls_cache_control',
    'Retry-After': '$manyurls_retry_after',
  })
})
