import { expect, test } from 'vitest'
import { emitManifest, type Manifest } from '../src/dataset/output.ts'
import { findTakeovers } from '../src/dataset/takeovers.ts'

const batch = (file: string) => ({ file, sha256: '', records: 1, kept: 1, dropped: 0 })
const dropped = (name: string) => ({
  batch: name,
  index: 0,
  kind: 'identical' as const,
  fields: [],
})
const now = {
  batches: ['a.json', 'b.json', 'c.json'].map(batch),
  duplicates: [
    { path: '/x', kept: { batch: 'a.json', index: 0 }, dropped: ['c.json', 'b.json'].map(dropped) },
    { path: '/y', kept: { batch: 'b.json', index: 0 }, dropped: [dropped('c.json')] },
  ],
}
const TOTALS = { records: 0, kept: 0, withForms: 0, dropped: 0, identical: 0, conflicting: 0 }
const manifestOf = (...files: string[]) => {
  const manifest: Manifest = {
    generatedBy: 'npm run build-data',
    dataset: { file: 'dataset.json', sha256: '', bytes: 0 },
    schema: { sha256: '' },
    totals: { batches: files.length, ...TOTALS },
    batches: files.map(batch),
    duplicates: now.duplicates,
  }
  return [...emitManifest(manifest)].join('')
}

test('a page that a new batch keeps and a known one lost is a takeover', () => {
  const takeover = { path: '/x', batch: 'a.json', from: 'b.json' }
  expect(findTakeovers(manifestOf('b.json'), now)).toEqual([takeover])
})

test('there is none without a new batch, without a known one, or without a manifest', () => {
  for (const before of [manifestOf('a.json', 'b.json', 'c.json'), manifestOf('z.json'), '', '{}']) {
    expect(findTakeovers(before, now)).toEqual([])
  }
})
