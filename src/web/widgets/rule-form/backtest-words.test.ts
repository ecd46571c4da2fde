import { describe, expect, test } from 'vitest'
import { defaultOf } from '../../../core/alerting/defaults.ts'
import { newCondition } from '../../../contract/alert-conditions.ts'
import { someOf, trialOf, trialSentence, triedRule } from './backtest-words.ts'
import { valuesOf } from './rule-values.ts'

const day = (date: string, ...entities: string[]) => ({ date, alerts: entities.length, entities })
const sentence = (from: string, through: string, ...days: ReturnType<typeof day>[]) => trialSentence({ from, through, days })

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

test('nothing was tried while no day could be judged', () => {
  expect(trialOf({ from: null, through: null, days: [] })).toBeNull()
  expect(trialOf({ from: null, through: '2026-03-15', days: [] })).toBeNull()
  expect(trialOf({ from: '2026-03-10', through: '2026-03-15', days: [] })).toEqual({ from: '2026-03-10', through: '2026-03-15', days: [] })
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

  test('is the same whatever its title, but for what the title says is watched; and whether it is on or off', () => {
    const tried = (title: string, isEnabled = true) => triedRule({ ...position, title }, { ...values, isEnabled })
    expect(tried('', false)).toEqual(tried('My own'))
    expect(tried('A Spike')).not.toEqual(tried('My own'))
    expect(tried('A Spike')).toEqual(tried('another spike'))
  })
})
