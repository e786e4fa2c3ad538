import { expect, test } from 'vitest'
import type { Shown } from '../../src/page/page.ts'

test('each kind of page keeps the keys of its own, which a screen finds by the kind', () => {
  type Common = { path: string; title: string; contentHtml: string }
  type Kinds = Common & ({ kind: 'event'; date: string } | { kind: 'member'; role: string })
  // The compiler checks this: it knows `date` only of an event.
  const detailOf = (page: Shown<Kinds>) => (page.kind === 'event' ? page.date : page.role)
  const common = { path: '/a', title: 'A', contentHtml: '<p>A</p>' }
  expect(detailOf({ ...common, kind: 'event', date: '2026-07-11' })).toBe('2026-07-11')
  expect(detailOf({ ...common, kind: 'member', role: 'Cox' })).toBe('Cox')
})
