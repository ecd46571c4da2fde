import { describe, expect, test } from 'vitest'
import { readView, type ViewSpec } from '../../lib/address-view.ts'
import { analysisParams, competingParams, isFiltered, limits, movementParams, opportunitiesParams } from './keyword-params.ts'
import {
  analysisView,
  asTableSort,
  competingView,
  keywordSorts,
  movementSorts,
  movementView,
  opportunitiesView,
  sortedBy,
} from './keyword-views.ts'

const view = <S extends ViewSpec>(spec: S, address = '') => readView(spec, new URLSearchParams(address))

describe('what a tab requests', () => {
  test('opportunities: 7 days, positions 5 to 15, the best score first', () => {
    expect(opportunitiesParams(view(opportunitiesView))).toEqual({
      range: '7d',
      compare: 'previous',
      positionMin: 5,
      positionMax: 15,
      sort: 'opportunityScore',
      order: 'desc',
    })
    expect(limits.opportunities).toBe(100)
  })

  test('the other position ranges', () => {
    expect(opportunitiesParams(view(opportunitiesView, 'position=11-20'))).toMatchObject({ positionMin: 11, positionMax: 20 })
    const all = opportunitiesParams(view(opportunitiesView, 'position=all'))
    expect([all.positionMin, all.positionMax]).toEqual([undefined, undefined])
  })

  test('analysis: at any position, whatever the URL says about one', () => {
    expect(analysisParams(view(analysisView, 'position=11-20&days=90&sort=position'))).toEqual({
      range: '90d',
      compare: 'previous',
      sort: 'position',
      order: 'asc',
    })
    expect(limits.analysis).toBe(200)
  })

  test("new and lost: by clicks if the URL names the score, which they don't have", () => {
    expect(movementParams(view(movementView, 'presence=lost&sort=opportunityScore&compare=year'))).toEqual({
      range: '7d',
      compare: 'year',
      presence: 'lost',
      sort: 'clicks',
      order: 'desc',
    })
  })

  test("text without surrounding spaces, truncated to the server's limit, and the brand", () => {
    expect(competingParams(view(competingView, 'search=%20lamp%20&brand=non-brand'))).toMatchObject({ search: 'lamp', brand: 'non-brand' })
    expect(competingParams(view(competingView, `search=${'x'.repeat(400)}`)).search).toHaveLength(200)
    expect(competingParams(view(competingView, 'search=%20&brand=nonsense'))).toEqual({
      range: '7d',
      compare: 'previous',
      sort: 'atStake',
      order: 'desc',
    })
  })
})

test('only text and brand count as filters that can be cleared', () => {
  expect(isFiltered(view(analysisView, 'days=90&sort=clicks'))).toBe(false)
  expect(isFiltered(view(analysisView, 'search=%20'))).toBe(false)
  expect(isFiltered(view(analysisView, 'search=lamp'))).toBe(true)
  expect(isFiltered(view(analysisView, 'brand=brand'))).toBe(true)
})

test('a table’s order is the one of the URL, whichever column it is by', () => {
  expect(asTableSort(view(opportunitiesView))).toEqual({ by: 'opportunityScore', order: 'desc' })
  expect(asTableSort(view(analysisView, 'sort=query'))).toEqual({ by: 'name', order: 'asc' })
  expect(asTableSort(view(analysisView, 'sort=clicksChange&order=reversed'))).toEqual({ by: 'clicksChange', order: 'asc' })
  expect(sortedBy(keywordSorts, { by: 'name', order: 'asc' })).toEqual({ sort: 'query', order: 'usual' })
  expect(sortedBy(keywordSorts, { by: 'position', order: 'desc' })).toEqual({ sort: 'position', order: 'reversed' })
  expect(sortedBy(keywordSorts, { by: 'positionChange', order: 'desc' })).toEqual({ sort: 'positionChange', order: 'usual' })
  expect(sortedBy(movementSorts, { by: 'clicksChange', order: 'desc' })).toBeNull()
})
