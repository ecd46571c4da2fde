import { describe, expect, test } from 'vitest'
import type { Alert } from '../../contract/alerts/alerts.ts'
import { alertInSearchConsole, searchConsoleReport } from './search-console.ts'

type About = Pick<Alert, 'target' | 'entity' | 'current' | 'searchType'>

const alert: About = {
  target: 'sc-domain:shop.example',
  entity: { kind: 'site', name: 'sc-domain:shop.example' },
  current: { start: '2026-11-03', end: '2026-11-09' },
}

test('the target is the resource that Search Console opens', () => {
  expect(alertInSearchConsole({ ...alert, target: 'https://a.example/?x&y' })).toBe(
    'https://search.google.com/search-console?resource_id=https%3A%2F%2Fa.example%2F%3Fx%26y',
  )
})

test('Search Console opens on a page or query as it is written, and on the same days', () => {
  const days = { start: '2026-03-09', end: '2026-03-15' }
  const report = (kind: 'page' | 'keyword', name: string, of: typeof days | null) =>
    new URL(searchConsoleReport('sc-domain:a.example', { kind, name }, of)).searchParams
  expect([...report('page', 'https://a.example/?x&y', days)]).toEqual([
    ['resource_id', 'sc-domain:a.example'],
    ['page', '!https://a.example/?x&y'],
    ['start_date', '20260309'],
    ['end_date', '20260315'],
  ])
  expect([...report('keyword', 'a & b', null)]).toEqual([
    ['resource_id', 'sc-domain:a.example'],
    ['query', '!a & b'],
  ])
})

describe('"View in GSC" of an alert', () => {
  const opened = (changes: Partial<About>) => new URL(alertInSearchConsole({ ...alert, ...changes }))
  const days = [
    ['start_date', '20261103'],
    ['end_date', '20261109'],
  ]

  test('about a page or query opens its report on the days that the alert is about', () => {
    const page = opened({ entity: { kind: 'page', name: 'https://shop.example/?a&b' } })
    expect(page.pathname).toBe('/search-console/performance/search-analytics')
    expect([...page.searchParams]).toEqual([['resource_id', alert.target], ['page', '!https://shop.example/?a&b'], ...days])
    const query = opened({ entity: { kind: 'query', name: 'oak lamp' } })
    expect([...query.searchParams]).toEqual([['resource_id', alert.target], ['query', '!oak lamp'], ...days])
    expect([...opened({ entity: { kind: 'query', name: 'oak lamp' }, current: null }).searchParams.keys()]).toEqual([
      'resource_id',
      'query',
    ])
  })

  test.each([
    ['image', 'search-analytics', 'IMAGE'],
    ['video', 'search-analytics', 'VIDEO'],
    ['news', 'search-analytics', 'NEWS'],
    ['discover', 'discover', null],
    ['googleNews', 'google-news', null],
  ] as const)('opens the report on its search type: %s', (searchType, path, chosen) => {
    const { pathname, searchParams } = opened({ entity: { kind: 'page', name: 'https://shop.example/' }, searchType })
    expect(pathname).toBe(`/search-console/performance/${path}`)
    expect(searchParams.get('search_type')).toBe(chosen)
    expect(searchParams.get('page')).toBe('!https://shop.example/')
  })

  test.each([
    { kind: 'site', name: alert.target },
    { kind: 'segment', name: 'Lamps' },
    { kind: 'connection', name: 'token_revoked' },
  ] as const)('about anything else opens the property: %o', (entity) => {
    expect(opened({ entity }).href).toBe(`https://search.google.com/search-console?resource_id=sc-domain%3Ashop.example`)
  })
})
