import { expect, test } from 'vitest'
import { detailLink, detailLinkOn, detailOf, showing } from './detail-link.ts'

test('a link opens one panel and keeps the rest of the URL', () => {
  const search = 'days=28&tab=insights&keyword=lamp'
  expect(detailLink({ kind: 'page', name: 'https://a.example/?b=c&d#e' }, search)).toBe(
    '?days=28&tab=insights&page=https%3A%2F%2Fa.example%2F%3Fb%3Dc%26d%23e',
  )
  expect(detailLink({ kind: 'keyword', name: 'a&b=c' })).toBe('?keyword=a%26b%3Dc')
})

test("a report's rows open panels on the report's days", () => {
  const march = { start: '2026-03-01', end: '2026-03-31' }
  const link = detailLinkOn(march, { kind: 'keyword', name: 'lamp' }, new URLSearchParams('kind=month&days=28&range=7d'))
  expect(link).toBe('?kind=month&range=2026-03-01_2026-03-31&keyword=lamp')
})

test.each(['javascript:alert(1)', '<b>&"\'', '💡 Lampe', 'מנורה', '%zz', 'a+b c'])('%j survives the round trip through a URL', (name) => {
  for (const kind of ['page', 'keyword'] as const) {
    const params = new URLSearchParams(detailLink({ kind, name }))
    expect(detailOf({ page: params.get('page') ?? '', keyword: params.get('keyword') ?? '' })).toEqual({ kind, name })
  }
})

test('without a page or query in the URL the panel is closed', () => {
  expect(detailOf({ page: '', keyword: '' })).toBeNull()
  expect(showing(null)).toEqual({ page: '', keyword: '' })
  expect(detailOf(showing({ kind: 'keyword', name: 'lamp' }))).toEqual({ kind: 'keyword', name: 'lamp' })
})
