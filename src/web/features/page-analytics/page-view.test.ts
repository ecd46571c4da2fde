import { expect, test } from 'vitest'
import { readView } from '../../lib/address-view.ts'
import { filterOf, listOf, pagesView } from './page-view.ts'

const viewOf = (search: string) => readView(pagesView, new URLSearchParams(search))

test('a URL without parameters requests the last 7 days, most clicks first', () => {
  expect(listOf(viewOf(''))).toEqual({ range: '7d', compare: 'previous', search: undefined, sort: 'clicks', order: 'desc' })
})

test('invalid parameters are ignored', () => {
  expect(listOf(viewOf('days=8&range=5m&sort=page&order=up&compare=x&tab=y'))).toEqual(listOf(viewOf('')))
})

test("a search is truncated to the server's limit, and spaces alone aren't a search", () => {
  expect(filterOf(viewOf(`search=${'a'.repeat(500)}`)).search).toHaveLength(200)
  expect(filterOf(viewOf('search=+++')).search).toBeUndefined()
})
