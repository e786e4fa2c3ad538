import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findNamedPlace } from '../../src/build/place.ts'
import { batchSource } from '../../src/build/source.ts'
import { look } from '../../src/command/watch-batches.ts'
import { siteOf } from '../helpers/build-site.ts'
import { content } from '../helpers/content.ts'
import { createWorkspace, SCHEMA } from '../helpers/workspace.ts'

test('a saved batch is noticed, also beside a link that leads to nothing', async () => {
  const { batches, batch } = createWorkspace()
  batch('a.json', [])
  symlinkSync('nowhere.json', join(batches, 'b.json'))
  const open = async () => [siteOf(batchSource(findNamedPlace([batches])), SCHEMA, content)]
  const before = await look(open)
  expect(await look(open)).toBe(before)
  batch('a.json', [1])
  expect(await look(open)).not.toBe(before)
})
