import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findNamedPlace } from '../../src/build/place.ts'
import { look } from '../../src/command/watch-batches.ts'
import { createWorkspace, SCHEMA } from '../helpers/workspace.ts'

test('a saved batch is noticed, also beside a link that leads to nothing', async () => {
  const { batches, batch } = createWorkspace()
  batch('a.json', [])
  symlinkSync('nowhere.json', join(batches, 'b.json'))
  const place = findNamedPlace([batches])
  const before = await look(place, SCHEMA)
  expect(await look(place, SCHEMA)).toBe(before)
  batch('a.json', [1])
  expect(await look(place, SCHEMA)).not.toBe(before)
})
