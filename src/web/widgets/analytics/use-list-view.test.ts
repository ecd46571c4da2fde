import { expect, test } from 'vitest'
import { comparableOrder } from './use-list-view.ts'

test('without a comparison, a list is not sorted by change', () => {
  const usual = { sort: 'clicks', order: 'desc' }
  const chosen = { compare: '', sort: 'ctrChange', order: 'asc', search: 'lamp' }
  expect(comparableOrder(chosen, usual)).toEqual(chosen)
  expect(comparableOrder({ ...chosen, compare: 'none' }, usual)).toEqual({ ...usual, compare: 'none', search: 'lamp' })
  expect(comparableOrder({ ...chosen, compare: 'none', sort: 'ctr' }, usual)).toMatchObject({ sort: 'ctr', order: 'asc' })
})
