import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { AlertReport } from '../../../contract/alerts/alerts.ts'
import { lifeOf, worseByHours } from './copy.ts'

type Event = AlertReport['timeline'][number]
const event = (at: string, from: Event['from'], to: Event['to'], reason: string, by: string | null = null): Event => ({
  at: `2026-03-${at}:00.000Z`,
  from,
  to,
  reason,
  by,
})

test('a timeline is in order, in words, with who did what', () => {
  const timeline = [
    event('18T20:00', null, 'firing', 'condition_met'),
    event('18T21:00', 'firing', 'snoozed', 'snoozed', 'Ursula'),
    event('19T21:00', 'snoozed', 'firing', 'snooze_over'),
    event('19T22:00', 'firing', 'acknowledged', 'acknowledged', 'Ursula'),
    event('24T20:00', 'acknowledged', 'recovered', 'back'),
  ]
  const events = lifeOf({ timeline, viewedAt: '2026-03-18T20:30:00.000Z' }, 'Ursula')
  expect(events.map(({ title, text, by }) => [title, text, by])).toEqual([
    ['Opened', "The rule's condition was met.", null],
    ['Viewed', null, 'Ursula'],
    ['Snoozed', null, 'Ursula'],
    ['Snooze ended', 'The alert is still active.', null],
    ['Acknowledged', null, 'Ursula'],
    ['Recovered', 'The metric is back near its previous level.', null],
  ])
})

test("an alert that somebody ended hasn't recovered", () => {
  for (const reason of ['rule_changed', 'rule_off', 'rule_deleted', 'not_monitored', 'counted_otherwise'])
    expect(lifeOf({ timeline: [event('18T20:00', 'firing', 'recovered', reason)], viewedAt: null }, '')[0]?.title).toBe('Ended')
})

test('an alert that another rule took over stays open', () => {
  expect(lifeOf({ timeline: [event('18T20:00', 'firing', 'firing', 'handed_over', 'Ursula')], viewedAt: null }, '')).toMatchObject([
    { kind: 'confirmed', title: 'Stays open', text: 'Another rule found the same change.', by: 'Ursula' },
  ])
})

test('what hours show beyond an alert is mentioned until its days show it', () => {
  const detail = '120 clicks so far on 18 Mar (through 14:00 Pacific) vs the usual 1,400 (−91.4%).'
  // 18:00 on 18 March in California.
  const timeline = [event('10T20:00', null, 'firing', 'condition_met'), { ...event('19T01:00', 'firing', 'firing', 'hours_worse'), detail }]
  const of = (end: string, state: AlertReport['state'] = 'firing') =>
    worseByHours({ timeline, state, current: { start: '2026-03-11', end } })
  expect(of('2026-03-17')).toBe(`Hourly data shows a much larger change: ${detail}`)
  expect([of('2026-03-18'), of('2026-03-17', 'recovered')]).toEqual([null, null])
  expect(worseByHours({ timeline: timeline.slice(0, 1), state: 'firing', current: null })).toBeNull()
})

test('an alert whose own change is over, but not its parts, says why', () => {
  for (const reason of ['own_back', 'own_new_level', 'own_revised', 'own_counted_otherwise', 'own_rule_changed']) {
    const [life] = lifeOf({ timeline: [event('18T20:00', 'firing', 'firing', reason)], viewedAt: null }, '')
    expect(life).toMatchObject({ kind: 'confirmed', text: 'Other findings with the same cause are still open.' })
    expect(life?.title).not.toBe('Confirmed')
  }
})

test('an unknown reason is still readable', () => {
  expect(lifeOf({ timeline: [event('18T20:00', 'firing', 'recovered', 'moon_full')], viewedAt: null }, '')[0]).toMatchObject({
    title: 'Recovered',
    text: 'Moon full.',
  })
})

/** The server files that record why something happened. */
const sources = ['server/alerts/incidents/alerts-store', 'server/alerts/evaluate', 'server/alerts/evaluation-store']
  .concat(['server/alerts/rules/conditions-store', 'server/alerts/connection-alerts', 'core/alerting/lifecycle'])
  .map((file) => readFileSync(new URL(`../../../${file}.ts`, import.meta.url), 'utf8'))
  .join('\n')
const places = [
  /reason: .*/g,
  /type RecoveryReason = .*/g,
  /endAlertsOf\(.*/g,
  /const of(?:Account|Property) = .*/g,
  /const lateState = .*/g,
]

test('every reason that the server records is known', () => {
  const lines = places.flatMap((place) => sources.match(place) ?? [])
  const noted = new Set(lines.flatMap((line) => line.match(/(?<=')[a-z_]+(?=')/g) ?? []))
  expect(noted.size).toBeGreaterThan(15)
  const isReadableOnly = (reason: string): boolean => {
    const [first] = lifeOf({ timeline: [event('18T20:00', null, 'firing', reason)], viewedAt: null }, '')
    return first?.text?.toLowerCase() === `${reason.replaceAll('_', ' ')}.`
  }
  expect(isReadableOnly('moon_full')).toBe(true)
  expect([...noted].filter(isReadableOnly)).toEqual([])
})
