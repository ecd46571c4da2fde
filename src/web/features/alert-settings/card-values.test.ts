import { describe, expect, test } from 'vitest'
import type { RuleValues } from '../../widgets/rule-form/rule-values.ts'
import { brokenFields, changedCards, settingsForm, settingsOf } from './card-values.ts'
import { cardsOf } from './condition-cards.ts'

const cards = cardsOf([])
const defaults = settingsOf(cards)
const { ctr } = defaults

test('only a card that differs from what is saved is unsaved', () => {
  const titles = (change: Partial<typeof defaults>) =>
    changedCards(cards, defaults, { ...defaults, ...change }).map(({ condition }) => condition.title)
  expect(titles({})).toEqual([])
  expect(titles({ position: { ...defaults.position, targets: ' \n' } })).toEqual([])
  expect(titles({ ctr: { ...ctr, threshold: Number.NaN }, clicks: { ...defaults.clicks, isEnabled: false } })).toEqual([
    'Clicks drop',
    'CTR drop',
  ])
})

describe('limits (SPEC §5)', () => {
  const messages = (change: Partial<RuleValues>, type: keyof typeof defaults = 'ctr') =>
    settingsForm
      .safeParse({ ...defaults, [type]: { ...defaults[type], ...change } })
      .error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? []

  test('the defaults keep them', () => expect(messages({})).toEqual([]))

  test.each([
    [{ threshold: 0 }, 'The threshold must be at least 1'],
    [{ threshold: Number.NaN }, 'Enter a number'],
    [{ threshold: 2.5 }, 'Enter a whole number'],
    [{ threshold: 101 }, "A percentage can't be over 100"],
    [{ threshold: 1001 }, "A percentage can't be over 100"],
  ])('threshold %j', (change, message) => expect(messages(change)).toEqual([['ctr.threshold', message]]))

  test('positions may be more than 100', () => expect(messages({ threshold: 101 }, 'position')).toEqual([]))

  test('minimum impressions are at least 1', () => {
    expect(messages({ minimumImpressions: 0 })).toEqual([['ctr.minimumImpressions', 'Minimum impressions must be at least 1']])
  })

  test('at most 100 pages or queries, none of them endless', () => {
    const many = Array.from({ length: 101 }, (_, index) => `query ${index}`).join('\n')
    expect(messages({ targets: many }, 'position')).toEqual([['position.targets', 'You can add up to 100 pages or keywords']])
    expect(messages({ targets: `short\n${'x'.repeat(2049)}` }, 'position')).toEqual([
      ['position.targets', 'A page or keyword can have up to 2,048 characters'],
    ])
  })

  test('the invalid fields are known by name', () => {
    expect(brokenFields('ctr', { ...ctr, threshold: 101, minimumImpressions: 0 })).toEqual(['threshold', 'minimumImpressions'])
    expect(brokenFields('ctr', { ...ctr, threshold: 101 })).toEqual(['threshold'])
    expect(brokenFields('ctr', ctr)).toEqual([])
  })
})
