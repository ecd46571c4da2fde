import { describe, expect, test } from 'vitest'
import { pagesOf, readHistorySearch, severityChoices, writeHistorySearch } from './history-search.ts'

const read = (search: string) => readHistorySearch(new URLSearchParams(search))

describe('the URL says what is shown', () => {
  test.each([
    ['', { severity: 'all', page: 1, size: 25 }],
    ['severity=critical', { severity: 'critical', page: 1, size: 25 }],
    ['severity=warning&page=3&size=50', { severity: 'warning', page: 3, size: 50 }],
  ] as const)('%j, and back', (search, expected) => {
    expect(read(search)).toEqual(expected)
    expect(String(writeHistorySearch(expected))).toBe(search)
  })

  test.each(['severity=info', 'severity=loud', 'page=0', 'page=-1', 'page=1e3', 'page=2.5', 'page=9999999', 'size=26', 'size=all'])(
    '%j is invalid and ignored',
    (search) => {
      expect(read(search)).toEqual(read(''))
    },
  )
})

test('the filter offers all, critical, warning and positive', () => {
  expect(severityChoices).toEqual(['all', 'critical', 'warning', 'positive'])
})

test('there is always a page, and the last one may be short', () => {
  expect([0, 1, 25, 26, 50, 51].map((total) => pagesOf(total, 25))).toEqual([1, 1, 1, 2, 2, 3])
  expect(pagesOf(51, 50)).toBe(2)
})
