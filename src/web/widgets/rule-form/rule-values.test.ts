import { describe, expect, test } from 'vitest'
import type { ConditionType } from '../../../contract/alerts/conditions.ts'
import { defaultOf } from '../../../core/alerting/defaults.ts'
import { ApiFailure } from '../../api/client.ts'
import { changesOf, createTypedTargets, fieldsOf, refusedField, valuesOf } from './rule-values.ts'

const of = (type: ConditionType) => valuesOf(defaultOf(type, 'change'))
const [clicks, ctr, position] = [of('clicks'), of('ctr'), of('position')] as const

describe('what is sent', () => {
  test('nothing if nothing has changed', () => {
    expect(changesOf(position, { ...position, targets: '\n  \n' })).toEqual({})
  })

  test('only the changed fields', () => {
    expect(changesOf(clicks, { ...clicks, isEnabled: false })).toEqual({ isEnabled: false })
    expect(changesOf(clicks, { ...clicks, threshold: 20, comparison: 'previous_30_days' })).toEqual({
      threshold: 20,
      comparison: 'previous_30_days',
    })
    expect(changesOf(ctr, { ...ctr, minimumImpressions: 200 })).toEqual({ minimumImpressions: 200 })
  })

  test('each line of pages or queries once, without surrounding spaces', () => {
    expect(changesOf(position, { ...position, targets: ' floor lamp \n\nlamp\nfloor lamp\r\n' })).toEqual({
      targets: ['floor lamp', 'lamp'],
    })
  })

  test('a comparison only for clicks, minimum impressions for the others', () => {
    const shared = { isEnabled: true, direction: 'falls', onlyUnusual: true, targets: [], searchType: 'web', segment: null }
    expect(fieldsOf(clicks)).toEqual({ ...shared, monitor: 'top_pages', threshold: 15, comparison: 'previous_7_days' })
    expect(fieldsOf(ctr)).toEqual({ ...shared, monitor: 'top_queries', threshold: 10, minimumImpressions: 100 })
  })
})

test('typed pages and keywords are still there after something else was tried, and never become the other', () => {
  const typed = createTypedTargets()
  const saved = { monitor: 'pages', targets: 'https://site.example/saved' } as const
  const pages = 'https://site.example/a\nhttps://site.example/b'
  expect(typed({ monitor: 'pages', targets: pages }, 'site', saved)).toBe('')
  expect(typed({ monitor: 'site', targets: '' }, 'queries', saved)).toBe('')
  expect(typed({ monitor: 'queries', targets: 'oak lamp' }, 'pages', saved)).toBe(pages)
  expect(typed({ monitor: 'pages', targets: '' }, 'queries', saved)).toBe('oak lamp')
  expect(createTypedTargets()({ monitor: 'site', targets: '' }, 'pages', saved)).toBe(saved.targets)
})

test("the server's refusal is shown at its field, if it has one", () => {
  const refused = (field?: string) => new ApiFailure(400, 'Bad Request', JSON.stringify({ message: 'No', field }))
  const fields = ['targets', 'threshold'] as const
  expect(refusedField(refused('threshold'), fields)).toBe('threshold')
  expect(refusedField(refused('targets.3'), fields)).toBe('targets')
  expect([refused('monitor'), refused(), new Error('offline')].map((error) => refusedField(error, fields))).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
