import { describe, expect, test } from 'vitest'
import { brokenFields, type CardValues, changesOf, fieldsOf, formOf, settingsForm } from './card-values.ts'
import { cardsOf } from './condition-cards.ts'

const defaults = formOf(cardsOf([]))
const { clicks, ctr, position } = defaults

describe('what is sent', () => {
  test('nothing when nothing is other than before', () => {
    expect(changesOf(position, { ...position, targets: '\n  \n' })).toEqual({})
  })

  test('only the fields that are', () => {
    expect(changesOf(clicks, { ...clicks, isEnabled: false })).toEqual({ isEnabled: false })
    expect(changesOf(clicks, { ...clicks, threshold: 20, comparison: 'previous_30_days' })).toEqual({
      threshold: 20,
      comparison: 'previous_30_days',
    })
    expect(changesOf(ctr, { ...ctr, minimumImpressions: 200 })).toEqual({ minimumImpressions: 200 })
  })

  test('each line of pages or queries once, without blanks around it', () => {
    expect(changesOf(position, { ...position, targets: ' floor lamp \n\nlamp\nfloor lamp\r\n' })).toEqual({
      targets: ['floor lamp', 'lamp'],
    })
  })

  test('a comparison for clicks only, minimum impressions for the others', () => {
    expect(fieldsOf(clicks)).toEqual({ isEnabled: true, monitor: 'top_pages', targets: [], threshold: 15, comparison: 'previous_7_days' })
    expect(fieldsOf(ctr)).toEqual({ isEnabled: true, monitor: 'top_queries', targets: [], threshold: 10, minimumImpressions: 100 })
  })
})

describe('limits (SPEC §5)', () => {
  const messages = (change: Partial<CardValues>, type: keyof typeof defaults = 'ctr') =>
    settingsForm
      .safeParse({ ...defaults, [type]: { ...defaults[type], ...change } })
      .error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? []

  test('the defaults keep them', () => expect(messages({})).toEqual([]))

  test.each([
    [{ threshold: 0 }, 'The threshold must be at least 1'],
    [{ threshold: Number.NaN }, 'Enter a number'],
    [{ threshold: 2.5 }, 'Enter a whole number'],
    [{ threshold: 101 }, 'A percentage is at most 100'],
    [{ threshold: 1001 }, 'A percentage is at most 100'],
  ])('threshold %j', (change, message) => expect(messages(change)).toEqual([['ctr.threshold', message]]))

  test('positions may be more than 100', () => expect(messages({ threshold: 101 }, 'position')).toEqual([]))

  test('minimum impressions are at least 1', () => {
    expect(messages({ minimumImpressions: 0 })).toEqual([['ctr.minimumImpressions', 'Minimum impressions must be at least 1']])
  })

  test('at most 100 pages or queries, none of them endless', () => {
    const many = Array.from({ length: 101 }, (_, index) => `query ${index}`).join('\n')
    expect(messages({ targets: many }, 'position')).toEqual([['position.targets', 'At most 100 pages or queries']])
    expect(messages({ targets: `short\n${'x'.repeat(2049)}` }, 'position')).toEqual([
      ['position.targets', 'A page or query may have at most 2,048 characters'],
    ])
  })

  test('the fields at fault are known by name', () => {
    expect(brokenFields('ctr', { ...ctr, threshold: 101, minimumImpressions: 0 })).toEqual(['threshold', 'minimumImpressions'])
    expect(brokenFields('ctr', { ...ctr, threshold: 101 })).toEqual(['threshold'])
    expect(brokenFields('ctr', ctr)).toEqual([])
  })
})
