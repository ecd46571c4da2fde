import { expect, test } from 'vitest'
import type { Filter } from '../../contract/explore/explore.ts'
import { textOperators } from '../../contract/explore/explore.ts'
import { filterWork } from './filter-sql.ts'

const filter = (operator: Filter['operator'], value: string): Filter => ({ field: 'query', not: false, operator, value })

test('every filter on a text costs something, and so do brand terms', () => {
  for (const operator of textOperators) expect(filterWork({ where: [filter(operator, 'lamp')], brandTerms: [] })).toBeGreaterThan(0)
  const both = [filter('contains', 'lamp'), filter('matches', '.{0,900}q')]
  expect(filterWork({ where: both, brandTerms: [] })).toBe(
    both.reduce((sum, each) => sum + filterWork({ where: [each], brandTerms: [] }), 0),
  )
  // A page is also searched as it is read.
  const ofPage = (value: string): number => filterWork({ where: [{ ...filter('contains', value), field: 'page' }], brandTerms: [] })
  expect(ofPage('лампа')).toBe(2 * ofPage('lamp'))
  expect(filterWork({ where: [], brandTerms: ['lamp', 'lamps'] })).toBeGreaterThan(filterWork({ where: [], brandTerms: ['lamp'] }))
})
