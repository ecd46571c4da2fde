import { expect, test } from 'vitest'
import { type ExploreView, ofType, sortedBy } from './explore-view.ts'

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
