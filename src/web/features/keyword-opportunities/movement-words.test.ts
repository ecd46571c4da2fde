import { expect, test } from 'vitest'
import { doubtsOf, meaningOf } from './movement-words.ts'

const current = { start: '2026-03-09', end: '2026-03-15' }
const previous = { start: '2026-03-02', end: '2026-03-08' }

test('new and lost say on which days a keyword was shown, and on which not', () => {
  expect(meaningOf('new', current, previous)).toBe('Shown in search results on 9–15 Mar, and not on 2–8 Mar.')
  expect(meaningOf('lost', current, { start: '2025-03-10', end: '2025-03-16' })).toBe(
    'Shown in search results on 10–16 Mar 2025, and not on 9–15 Mar 2026; the figures are those they had.',
  )
})

test('days that are not stored are owned up to', () => {
  const stored = { current, previous, currentFrom: current.start, previousFrom: previous.start, comparedGrains: ['query' as const] }
  expect(doubtsOf('new', stored)).toHaveLength(1)
  expect(doubtsOf('new', { ...stored, previousFrom: '2026-03-05' })[1]).toBe(
    'To compare with, figures are stored from 5 Mar on: what was shown only before that day counts as not shown.',
  )
  expect(doubtsOf('new', { ...stored, comparedGrains: [] })[1]).toBe(
    'The keywords of some of these days are not stored: what was shown only on those counts as not shown.',
  )
  expect(doubtsOf('lost', { ...stored, currentFrom: '2026-03-11' })[1]).toBe('Of this period, figures are stored from 11 Mar on.')
})
