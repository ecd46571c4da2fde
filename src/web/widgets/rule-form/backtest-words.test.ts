import { describe, expect, test } from 'vitest'
import { defaultOf } from '../../../core/alerting/defaults.ts'
import { type Direction, newCondition } from '../../../contract/alerts/conditions.ts'
import { happened, someOf, trialDetails, trialOf, trialSentence, triedRule } from './backtest-words.ts'
import { valuesOf } from './rule-values.ts'

const day = (date: string, ...entities: string[]) => ({ date, alerts: entities.length, silenced: 0, entities })
const unknown = { alertsAYear: null, usual: null }
const sentence = (from: string, through: string, ...days: ReturnType<typeof day>[]) => trialSentence({ from, through, days, ...unknown })

describe('what a rule would have done, in a line', () => {
  test('on how many days it would have alerted, and since when it was judged', () => {
    const five = ['01', '02', '03', '04', '05'].map((date) => day(`2026-02-${date}`, '/a'))
    expect(sentence('2025-07-22', '2026-03-15', ...five)).toBe('Would have alerted on 5 days since 22 Jul 2025')
    expect(sentence('2025-07-22', '2026-03-15', ...five.slice(0, 1))).toBe('Would have alerted on 1 day since 22 Jul 2025')
  })

  test.each([
    ['2024-11-15', '2026-03-15', '16 months'],
    ['2026-01-15', '2026-03-15', '2 months'],
    ['2026-02-01', '2026-03-15', '6 weeks'],
    ['2026-03-09', '2026-03-15', '7 days'],
    ['2026-03-15', '2026-03-15', '1 day'],
  ])('without an alert from %s to %s: in %s', (from, through, length) => {
    expect(sentence(from, through)).toBe(`No alerts in ${length}`)
  })
})

test('days on which a usual change was silenced are no alerts', () => {
  const silent = { ...day('2026-02-01'), silenced: 2, entities: ['/a', '/b'] }
  expect(sentence('2025-07-22', '2026-03-15', silent)).toBe('No alerts in 8 months')
  expect([happened(silent), happened({ alerts: 1, silenced: 1 })]).toEqual(['2 silenced as usual', '1 alert, 1 silenced as usual'])
})

test('what a rule costs here, and from which change on it alerts', () => {
  const usual = { entity: '/lamp', varies: 38.4, alertsFrom: -52.1 }
  expect(trialDetails({ alertsAYear: 3.4, usual }, '%')).toEqual([
    'About 3 alerts a year.',
    '/lamp varies by 38% from week to week; alerts from −52%.',
  ])
  expect(trialDetails({ alertsAYear: 0.4, usual: { entity: 'lamp', varies: 0.62, alertsFrom: 3 } }, 'positions')).toEqual([
    'Less than 1 alert a year.',
    'lamp varies by 0.6 positions from week to week; alerts from +3 positions.',
  ])
  expect(trialDetails(unknown, '%')).toEqual([])
})

test('nothing was tried while no day could be judged', () => {
  expect(trialOf({ from: null, through: null, days: [], ...unknown })).toBeNull()
  expect(trialOf({ from: null, through: '2026-03-15', days: [], ...unknown })).toBeNull()
  expect(trialOf({ from: '2026-03-10', through: '2026-03-15', days: [], ...unknown })).toEqual({
    from: '2026-03-10',
    through: '2026-03-15',
    days: [],
    ...unknown,
  })
})

test('of many names the first ones', () => {
  expect(someOf(['a', 'b'], 2)).toEqual({ names: ['a', 'b'], more: null })
  expect(someOf(['a', 'b', 'c'], 2)).toEqual({ names: ['a', 'b'], more: 'and 1 more' })
})

describe('the rule that is tried', () => {
  const position = defaultOf('position', 'change')
  const values = { ...valuesOf(position), targets: 'lamp\n\nshade\n' }

  test('has its fields, and is one the server takes', () => {
    const rule = triedRule(position, values)
    expect(newCondition.parse(rule)).toMatchObject({
      type: 'position',
      kind: 'change',
      monitor: 'queries',
      targets: ['lamp', 'shade'],
      threshold: 3,
      minimumImpressions: 50,
    })
    expect('comparison' in rule).toBe(false)
  })

  test('looks for what the form says, whatever its title', () => {
    const tried = (direction: Direction, title: string) => triedRule({ ...position, title }, { ...values, direction })
    expect(tried('falls', '')).toEqual(tried('falls', 'A Spike'))
    expect(newCondition.parse(tried('rises', 'Drop'))).toMatchObject({ direction: 'rises', onlyUnusual: true })
  })
})
