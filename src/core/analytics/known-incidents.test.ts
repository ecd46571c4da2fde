import { expect, test } from 'vitest'
import type { SearchType } from '../../contract/common.ts'
import { incidentsWithin, knownIncidents, mergeIncidents } from './known-incidents.ts'

const incident = (id: string, start: string, end: string | null = null) => ({ id, title: id, start, end, url: 'https://x.example/' })

test('each known incident is there once, newest first, and ends after it began', () => {
  expect(new Set(knownIncidents.map(({ id }) => id)).size).toBe(knownIncidents.length)
  const starts = knownIncidents.map(({ start }) => start)
  expect(starts).toEqual(starts.toSorted().toReversed())
  for (const { start, end } of knownIncidents) expect(end && end >= start).toBe(true)
})

test('incidents that were read replace known ones, and all are sorted by day', () => {
  const known = [incident('b', '2026-02-01'), incident('a', '2026-01-01')]
  const read = [incident('c', '2026-01-15'), incident('a', '2026-01-01', '2026-01-09')]
  expect(mergeIncidents(read, known).map(({ id, end }) => [id, end])).toEqual([
    ['b', null],
    ['c', null],
    ['a', '2026-01-09'],
  ])
})

test('a period includes incidents that began before and lasted into it, and ongoing ones', () => {
  const all = [incident('still', '2026-01-01'), incident('into', '2026-01-01', '2026-02-03'), incident('after', '2026-03-01')]
  const ids = (from?: string, to?: string) => incidentsWithin(all, from, to).map(({ id }) => id)
  expect(ids('2026-02-03', '2026-02-10')).toEqual(['still', 'into'])
  expect(ids('2026-02-04', '2026-02-10')).toEqual(['still'])
  expect(ids(undefined, '2025-12-31')).toEqual([])
  expect(ids()).toEqual(['still', 'into', 'after'])
})

test('a Discover update concerns Discover only; any other update may concern every search type', () => {
  const all = [incident('February 2026 Discover update', '2026-02-05'), incident('May 2026 core update', '2026-05-21')]
  const titles = (type?: SearchType) => incidentsWithin(all, undefined, undefined, type).map(({ title }) => title.split(' ')[2])
  expect([titles('web'), titles('news'), titles('discover'), titles()]).toEqual([
    ['core'],
    ['core'],
    ['Discover', 'core'],
    ['Discover', 'core'],
  ])
})
