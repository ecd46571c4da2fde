import { expect, test } from 'vitest'
import { byShownName, noRows } from './listed.ts'

test('search appearances sort by their names on screen, whichever part is asked for', async () => {
  const figures = { clicks: 1, impressions: 10, ctr: 0.1, position: 3, previous: null }
  const rows = ['AMP_BLUE_LINK', 'MERCHANT_LISTINGS', 'TPF_FAQ', 'VIDEO'].map((name) => ({ ...figures, name }))
  const list = byShownName({ ...noRows, rows: () => Promise.resolve(rows) }, 'search_appearance', 'asc')
  const namesOf = async (limit: number, offset: number) => (await list.rows({ limit, offset })).map(({ name }) => name)
  expect(await namesOf(10, 0)).toEqual(['AMP_BLUE_LINK', 'TPF_FAQ', 'MERCHANT_LISTINGS', 'VIDEO'])
  expect(await namesOf(2, 1)).toEqual(['TPF_FAQ', 'MERCHANT_LISTINGS'])
})
