import { expect, test } from 'vitest'
import { comparedName, namesOf } from './names-of-days.ts'

const known = { current: { start: '2026-03-02', end: '2026-03-15' }, previous: { start: '2026-01-05', end: '2026-01-18' } }

test('a card says which days its change is relative to', () => {
  expect(comparedName({ range: '7d', compare: 'previous' }, {})).toBe('previous 7 days')
  expect(comparedName({ range: '16m', compare: 'previous' }, known)).toBe('previous 16 months')
  expect(comparedName({ range: { start: '2026-03-02', end: '2026-03-15' }, compare: 'previous' }, known)).toBe('previous 14 days')
  expect(comparedName({ range: '28d', compare: 'year' }, known)).toBe('previous year')
  expect(comparedName({ range: '28d', compare: { start: '2026-01-05' } }, known)).toBe('5–18 Jan')
})

test('a sentence names the chosen days and those before', () => {
  expect(namesOf({ range: '7d', compare: 'previous' }, known)).toEqual({
    now: 'in the last 7 days',
    before: 'the week before',
    earlier: 'the week before',
    both: 'in the last two weeks',
  })
  expect(namesOf({ range: '16m', compare: 'year' }, known)).toMatchObject({
    now: 'in the last 16 months',
    before: 'the same days a year earlier',
    earlier: 'on the same days a year earlier',
  })
  expect(namesOf({ range: '28d', compare: 'previous' }, known)).toMatchObject({
    before: 'the 28 days before',
    earlier: 'in the 28 days before',
  })
  expect(namesOf({ range: { start: '2026-03-02', end: '2026-03-15' }, compare: { start: '2026-01-05' } }, known)).toMatchObject({
    now: 'for 2–15 Mar 2026',
    before: '5–18 Jan 2026',
  })
})
