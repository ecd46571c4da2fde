import { describe, expect, test } from 'vitest'
import { type AlertCondition, type Direction, newCondition } from '../../../contract/alerts/conditions.ts'
import { type Condition, defaultOf, fourConditions } from '../../../core/alerting/defaults.ts'
import {
  happened,
  ruleSummary,
  someOf,
  thresholdLabel,
  thresholdUnit,
  backtestDetails,
  backtestedOf,
  backtestSentence,
  triedRule,
  watchesNothing,
} from './copy.ts'
import { valuesOf } from './rule-values.ts'

test('the threshold says what is looked for: a drop, an increase or either (SPEC §5)', () => {
  const label = (rule: Condition) => `${thresholdLabel(rule)} ${rule.threshold} ${thresholdUnit(rule)}`
  expect(fourConditions.map(label)).toEqual([
    'Alert when drops by 15 % or more',
    'Alert when drops by 10 % or more',
    'Alert when increases by 50 % or more',
    'Alert when drops by 3 positions or more',
  ])
  expect(label({ ...defaultOf('clicks', 'change'), direction: 'both' })).toBe('Alert when changes by 15 % or more')
})

test('for new or lost rankings the threshold is the last position that counts', () => {
  const label = (kind: 'new_query' | 'lost_query' | 'new_page') => {
    const rule = defaultOf('position', kind)
    return `${thresholdLabel(rule)} ${rule.threshold} ${thresholdUnit(rule)}`
  }
  expect([label('new_query'), label('lost_query'), label('new_page')]).toEqual([
    'Alert when it enters the top 10 positions',
    'Alert when it drops out of the top 10 positions',
    'Alert when it enters the top 20 positions',
  ])
})

test('selecting pages or queries without choosing any watches nothing', () => {
  expect(watchesNothing('queries', [])).toBe("No keywords added yet, so this rule doesn't monitor anything.")
  expect(watchesNothing('pages', ['/a'])).toBeNull()
  expect(watchesNothing('site', [])).toBeNull()
})

test('a rule without a card is described in a line', () => {
  const rule: AlertCondition = {
    id: '1',
    property: 'sc-domain:example.com',
    type: 'clicks',
    kind: 'change',
    title: 'Traffic spike',
    icon: 'ads_click',
    isEnabled: true,
    direction: 'rises',
    onlyUnusual: false,
    monitor: 'site',
    monitorOptions: [{ value: 'site', label: 'Whole site' }],
    searchType: 'web',
    targets: [],
    threshold: 40,
    thresholdUnit: '%',
    problem: null,
    leftOut: 0,
  }
  expect(ruleSummary(rule)).toBe('Clicks · Whole site · increases by 40% or more')
  expect(ruleSummary({ ...rule, comparison: 'previous_30_days' })).toBe(
    'Clicks · Whole site · increases by 40% or more vs previous 30 days',
  )
  expect(ruleSummary({ ...rule, type: 'position', direction: 'falls', threshold: 3, thresholdUnit: 'positions' })).toBe(
    'Position · Whole site · drops by 3 positions or more',
  )
  expect(ruleSummary({ ...rule, onlyUnusual: true })).toBe('Clicks · Whole site · increases by 40% or more · only when unusual')
  const ranking = { ...rule, type: 'position', threshold: 10, thresholdUnit: 'positions' } as const
  expect(ruleSummary({ ...ranking, kind: 'new_query' })).toBe('Whole site · new in the top 10')
  expect(ruleSummary({ ...ranking, kind: 'lost_query' })).toBe('Whole site · out of the top 10')
})

const day = (date: string, ...entities: string[]) => ({ date, alerts: entities.length, silenced: 0, entities })
const unknown = { alertsAYear: null, usual: null, expected: null }
const sentence = (from: string, through: string, ...days: ReturnType<typeof day>[]) => backtestSentence({ from, through, days, ...unknown })

describe('a backtest, in a line', () => {
  test('on how many days it would have alerted, and since when it was evaluated', () => {
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

test("days on which a usual change was silenced aren't alerts", () => {
  const silent = { ...day('2026-02-01'), silenced: 2, entities: ['/a', '/b'] }
  expect(sentence('2025-07-22', '2026-03-15', silent)).toBe('No alerts in 8 months')
  expect([happened(silent), happened({ alerts: 1, silenced: 1 })]).toEqual(['2 ignored as normal', '1 alert, 1 ignored as normal'])
})

const pages = { type: 'clicks', thresholdUnit: '%', monitor: 'top_pages' } as const
const places = { type: 'position', thresholdUnit: 'positions', monitor: 'queries' } as const

test('how often a rule alerts here, and at what change', () => {
  const usual = { entity: '/lamp', varies: 38.4, alertsFrom: -52.1 }
  expect(backtestDetails({ ...unknown, alertsAYear: 3.4, usual }, pages)).toEqual([
    'About 3 alerts a year.',
    '/lamp varies by 38% from week to week; alerts start at −52%.',
  ])
  expect(backtestDetails({ ...unknown, alertsAYear: 0.4, usual: { entity: 'lamp', varies: 0.62, alertsFrom: 3 } }, places)).toEqual([
    'Less than 1 alert a year.',
    'lamp varies by 0.6 positions from week to week; alerts start at +3 positions.',
  ])
  expect(backtestDetails(unknown, pages)).toEqual([])
})

test('what a smart rule expects here, and at what figure it alerts', () => {
  const site = { entity: 'sc-domain:lamps.example', value: 5312.4, low: 4612.6, high: 6390.2 }
  type Details = typeof backtestDetails
  const textsOf = (expected: Parameters<Details>[0]['expected'], rule: Parameters<Details>[1]) =>
    backtestDetails({ ...unknown, expected }, rule)
  expect(backtestDetails({ ...unknown, alertsAYear: 1.2, expected: site }, { ...pages, monitor: 'site' })).toEqual([
    'About 1 alert a year.',
    'lamps.example: about 5,312 clicks expected in a week; alerts when below 4,613 or above 6,390.',
  ])
  expect(textsOf({ ...site, high: null }, { ...pages, monitor: 'site' })).toEqual([
    'lamps.example: about 5,312 clicks expected in a week; alerts when below 4,613.',
  ])
  const ctr = { type: 'ctr', thresholdUnit: '%', monitor: 'top_queries' } as const
  expect(textsOf({ entity: 'lamp', value: 0.052, low: 0.031, high: null }, ctr)).toEqual([
    'lamp: CTR of 5.20% expected; alerts when below 3.10%.',
  ])
  const position = { entity: 'lamp', value: 3.2, low: null, high: 5.4 }
  expect(textsOf(position, places)).toEqual(['lamp: Position of 3.2 expected; alerts when worse than 5.4.'])
  expect(textsOf(position, { ...places, monitor: 'all_queries' })).toEqual([
    'lamp: Position of 3.2 expected; alerts when worse than 5.4 if clicks also change.',
  ])
  expect(textsOf({ ...position, high: null }, places)).toEqual(['lamp: Position of 3.2 expected; never alerts.'])
})

test('nothing was tested if no day could be evaluated', () => {
  expect(backtestedOf({ from: null, through: null, days: [], ...unknown })).toBeNull()
  expect(backtestedOf({ from: null, through: '2026-03-15', days: [], ...unknown })).toBeNull()
  expect(backtestedOf({ from: '2026-03-10', through: '2026-03-15', days: [], ...unknown })).toEqual({
    from: '2026-03-10',
    through: '2026-03-15',
    days: [],
    ...unknown,
  })
})

test('the first of many names', () => {
  expect(someOf(['a', 'b'], 2)).toEqual({ names: ['a', 'b'], more: null })
  expect(someOf(['a', 'b', 'c'], 2)).toEqual({ names: ['a', 'b'], more: 'and 1 more' })
  expect(someOf(['a'], 2, 3)).toEqual({ names: ['a'], more: 'and 2 more' })
  expect(someOf([], 2, 3)).toEqual({ names: [], more: '3 with long names' })
})

describe('the tested rule', () => {
  const position = defaultOf('position', 'change')
  const values = { ...valuesOf(position), targets: 'lamp\n\nshade\n' }

  test('has its fields, and is one the server accepts', () => {
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
