import { expect, test } from 'vitest'
import { readFilters } from '../../../contract/explore/explore.ts'
import { addressOfView, type ExploreView, narrowed, ofType, sortedBy } from './explore-view.ts'

const view: ExploreView = {
  range: '28d',
  compare: 'previous',
  grain: 'day',
  type: 'web',
  by: 'page',
  segment: '',
  segmentFilters: [],
  filters: [],
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

test('the same row chosen twice is one filter, in the URL and in links that repeat it', () => {
  const lamp = { name: 'lamp' }
  const keywords = { ...view, by: 'query' } as const
  const twice = { ...view, ...narrowed({ ...keywords, ...narrowed(keywords, lamp), by: 'query' }, lamp) }
  const where = new URLSearchParams(addressOfView('a', twice)).get('where')
  expect(where).toBe('query is lamp')
  expect(readFilters(`${where}\n${where}`)).toEqual({ filters: readFilters('query is lamp').filters, problem: null })
})
