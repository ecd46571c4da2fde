import { expect, test } from 'vitest'
import { readView, writeView } from '../../lib/address-view.ts'
import { keywordAddress, pageAddress } from './drill-down.ts'
import { askingFor, periodIn, periodView } from './period-view.ts'

const shown = (search: string) => periodIn(readView(periodView, new URLSearchParams(search)))

test('every screen shows the last 7 days vs the previous 7 by day until something else is chosen (SPEC §9)', () => {
  const usual = { range: '7d', compare: 'previous', grain: 'day' }
  for (const search of ['', 'range=30d&compare=never&grain=hour', 'days=8']) expect(shown(search)).toEqual(usual)
  expect(shown('days=90')).toEqual({ ...usual, range: '90d' })
  expect(shown('range=2026-01-01_2026-01-31&compare=2025-01-02&grain=week')).toEqual({
    range: { start: '2026-01-01', end: '2026-01-31' },
    compare: { start: '2025-01-02' },
    grain: 'week',
  })
})

test('chosen days are written even if they are the default; other choices are kept', () => {
  const after = (search: string, change: Parameters<typeof askingFor>[0]) => {
    const before = new URLSearchParams(search)
    return writeView(periodView, { ...readView(periodView, before), ...askingFor(change) }, before).toString()
  }
  expect(after('', { range: '7d' })).toBe('range=7d')
  expect(after('range=16m&compare=year&tab=decay', { range: '28d' })).toBe('range=28d&compare=year&tab=decay')
  expect(after('days=90', { range: '7d' })).toBe('range=7d')
  expect(after('range=7d', { compare: 'year', grain: 'month' })).toBe('range=7d&compare=year&grain=month')
})

test('details of keywords and pages open for the same property, days, comparison, interval and segment', () => {
  const from = { property: 'sc-domain:a.example', range: '16m', compare: 'year', grain: 'week', segment: '7' } as const
  const carried = 'property=sc-domain%3Aa.example&range=16m&compare=year&grain=week&segment=7'
  expect(keywordAddress('oak & lamp', from)).toBe(`/keyword-opportunities?tab=analysis&keyword=oak+%26+lamp&${carried}`)
  expect(pageAddress('https://a.example/', from)).toBe(`/page-analytics?page=https%3A%2F%2Fa.example%2F&${carried}`)
  expect(pageAddress('p', { ...from, grain: 'day', segment: '' })).toBe(
    '/page-analytics?page=p&property=sc-domain%3Aa.example&range=16m&compare=year',
  )
})
