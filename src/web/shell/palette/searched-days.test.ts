import { expect, test } from 'vitest'
import { daysText, searchedDays, withinDays } from './searched-days.ts'

test('the palette searches the days on screen; on a screen without any, the last 28', () => {
  const on = (pathname: string, search = '') => searchedDays({ pathname, search })
  expect(on('/dashboard', '?range=16m&compare=year')).toEqual({ range: '16m', compare: 'year' })
  expect(on('/page-analytics')).toEqual({ range: '7d', compare: 'previous' })
  expect(on('/explore', '?days=90')).toEqual({ range: '90d', compare: 'previous' })
  expect(on('/explore', '?range=2026-03-01_2026-03-08&compare=none')).toEqual({
    range: { start: '2026-03-01', end: '2026-03-08' },
    compare: 'none',
  })
  expect(on('/settings', '?range=16m')).toEqual({ range: '28d', compare: 'previous' })
})

test('it says which days these are', () => {
  const chosen = { start: '2026-03-01', end: '2026-03-08' }
  expect([daysText('16m'), daysText('all'), daysText(chosen)]).toEqual(['last 16 months', 'all stored days', '1–8 Mar 2026'])
  expect([withinDays('7d'), withinDays('all'), withinDays(chosen)]).toEqual([
    'in the last 7 days',
    'across all stored days',
    'on 1–8 Mar 2026',
  ])
})
