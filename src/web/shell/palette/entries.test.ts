import { expect, test } from 'vitest'
import { type Entry, fitting, foundGroups, recentGroup } from './entries.ts'
import { metricsGroup, screensGroup } from './places.ts'

const figures = { impressions: 10, ctr: 0.1, position: 3 }
const property = 'sc-domain:a.example'
const labels = (groups: readonly { items: readonly Entry[] }[]): string[] => groups.flatMap(({ items }) => items.map(({ label }) => label))

test('the best match comes first, and empty groups are omitted', () => {
  const found = fitting([screensGroup, metricsGroup], 'settings')
  expect(found.map(({ value }) => value)).toEqual(['Go to'])
  expect(labels(found)).toEqual(['Settings', 'Alert Settings'])
})

test('each of the four metrics is found, also by its other names', () => {
  for (const [words, label] of [
    ['traffic', 'Clicks'],
    ['click-through rate', 'CTR'],
    ['ranking', 'Position'],
    ['impr', 'Impressions'],
  ] as const) {
    expect(labels(fitting([metricsGroup], words))[0]).toBe(label)
  }
})

test('keywords and pages lead to their filtered screens, whatever their names contain, without days of their own', () => {
  const [keywords, pages] = foundGroups(
    { keywords: [{ ...figures, query: 'a & b?', clicks: 1 }], pages: [{ ...figures, page: 'https://a.example/?x=1&y=#z', clicks: 1_200 }] },
    property,
    false,
  )
  expect(keywords?.items[0]).toMatchObject({
    note: '1 click',
    choose: { to: '/keyword-opportunities?tab=analysis&search=a+%26+b%3F&keyword=a+%26+b%3F&property=sc-domain%3Aa.example' },
  })
  const address = 'https%3A%2F%2Fa.example%2F%3Fx%3D1%26y%3D%23z'
  expect(pages?.items[0]).toMatchObject({
    note: '1,200 clicks',
    choose: { to: `/page-analytics?search=${address}&page=${address}&property=sc-domain%3Aa.example` },
  })
})

test("items opened for another property aren't offered", () => {
  const recent = [
    { kind: 'keyword', name: 'oak', property },
    { kind: 'page', name: 'https://b.example/', property: 'sc-domain:b.example' },
  ] as const
  expect(labels([recentGroup(recent, property)])).toEqual(['oak'])
  expect(labels([recentGroup(recent, null)])).toEqual([])
})
