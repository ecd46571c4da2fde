import { expect, test } from 'vitest'
import { type Filter, readFilters, writeFilters } from '../../../contract/explore/explore.ts'
import { readView } from '../../lib/address-view.ts'
import { addressOfView, type ExploreView, filtersIn, narrowed, ofType, paramsOf, sortedBy } from './explore-view.ts'

const view: ExploreView = {
  range: '28d',
  compare: 'previous',
  grain: 'day',
  type: 'web',
  by: 'page',
  segment: '',
  segmentFilters: [],
  filters: [],
  unfit: '',
  sort: 'clicks',
  order: 'desc',
  shown: ['clicks'],
}

test.for(['discover', 'googleNews'] as const)('%s has no positions to sort by, whether chosen or in a link', (type) => {
  const clicks = { sort: 'clicks', order: 'desc' }
  for (const sort of ['position', 'positionChange'] as const) {
    expect(ofType({ ...view, sort, order: 'asc' }, type)).toMatchObject({ type, by: 'page', ...clicks })
    expect(sortedBy({ ...view, type, sort, order: 'asc' })).toEqual(clicks)
  }
  expect(ofType({ ...view, by: 'date', sort: 'position', order: 'asc' }, type)).toMatchObject({ sort: 'name', order: 'desc' })
  expect(ofType({ ...view, sort: 'ctr', order: 'asc' }, type)).toMatchObject({ sort: 'ctr', order: 'asc' })
})

test('another search type with positions keeps the order', () => {
  expect(ofType({ ...view, sort: 'position', order: 'asc' }, 'image')).toMatchObject({ sort: 'position', order: 'asc' })
})

const explored = {
  period: { start: '2026-03-09', end: '2026-03-15' },
  compared: { start: '2026-03-02', end: '2026-03-08' },
}

test('a day leads to its rows, compared with the day it was compared with; bounds of days aren’t bounds of rows', () => {
  const lamps: Filter = { field: 'query', not: false, operator: 'contains', value: 'lamp' }
  const filters: Filter[] = [lamps, { field: 'clicks', not: false, operator: 'from', value: '100' }]
  const byDate = { ...view, by: 'date', filters } as const
  const day = { name: '2026-03-11', end: '2026-03-11' }
  const range = { start: '2026-03-11', end: '2026-03-11' }
  expect(narrowed(byDate, day, explored)).toMatchObject({ range, by: 'query', compare: { start: '2026-03-04' }, filters: [lamps] })
  const chosen = { ...explored, compared: { start: '2025-12-01', end: '2025-12-07' } }
  expect(narrowed({ ...byDate, compare: { start: '2025-12-01' } }, day, chosen)).toMatchObject({ compare: { start: '2025-12-03' } })
  expect(narrowed({ ...byDate, compare: 'year' }, day, chosen)).not.toHaveProperty('compare')
  expect(narrowed(byDate, day, { ...explored, compared: null })).not.toHaveProperty('compare')
})

test('the same row chosen twice is one filter, in the URL and in links that repeat it', () => {
  const lamp = { name: 'lamp' }
  const keywords = { ...view, by: 'query' } as const
  const twice = { ...view, ...narrowed({ ...keywords, ...narrowed(keywords, lamp, explored), by: 'query' }, lamp, explored) }
  const where = new URLSearchParams(addressOfView('a', twice)).get('where')
  expect(where).toBe('query is lamp')
  expect(readFilters(`${where}\n${where}`)).toEqual({ filters: readFilters('query is lamp').filters, problem: null })
})

const whereOf = (address: string): string => readView({ where: 'text' } as const, new URLSearchParams(address)).where

test('a row with the longest URL leads to this page', () => {
  const name = `https://shop.example/search?q=${'a'.repeat(2_018)}`
  expect(name).toHaveLength(2_048)
  const is: Filter = { field: 'page', not: false, operator: 'is', value: name }
  expect(filtersIn(whereOf(addressOfView('a', { ...view, ...narrowed(view, { name }, explored) })))).toEqual({ filters: [is], unfit: '' })
})

test('filters as long as they can be are all in a link, none of them cut', () => {
  const filters = [1, 2, 3, 4, 5, 6].map((digit): Filter => {
    return { field: 'page', not: true, operator: 'contains', value: `${digit}`.repeat(850) }
  })
  expect(filtersIn(whereOf(addressOfView('a', { ...view, filters })))).toEqual({ filters, unfit: '' })
})

test('if not all filters of a link can be used, all are sent to the server, which refuses them', () => {
  const bounds = Array.from({ length: 20 }, (_, at): Filter => ({ field: 'clicks', not: false, operator: 'from', value: `${at}` }))
  const tooMany = whereOf(
    addressOfView('a', { ...view, filters: bounds, ...narrowed({ ...view, filters: bounds }, { name: 'b' }, explored) }),
  )
  for (const where of [tooMany, `clicks from 1\npage contains ${'a'.repeat(1_001)}`, writeFilters(bounds).padEnd(6_001)]) {
    const read = filtersIn(where)
    expect(paramsOf('a', { ...view, ...read }).where).toBe(where)
  }
})
