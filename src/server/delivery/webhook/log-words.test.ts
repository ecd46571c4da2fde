import { expect, test } from 'vitest'
import type { NewsItem } from '../message.ts'
import { wordsOf } from './log-words.ts'

const item = (event: NewsItem['event']): NewsItem => ({
  alertId: '1',
  event,
  severity: 'warning',
  state: 'firing',
  type: 'clicks',
  title: 'Clicks dropped',
  sentence: [],
  entity: { kind: 'site', name: 'https://site.example/' },
  currentValue: 1,
  previousValue: 2,
  change: -50,
  current: null,
  previous: null,
  openedAt: '2026-03-18T20:00:00.000Z',
  contributors: [],
  series: [],
  action: null,
})
const alerts = (...events: NewsItem['event'][]) =>
  wordsOf({ kind: 'alerts', properties: [{ name: 'https://site.example/', items: events.map(item) }], monitored: 1 })

test('what a message tells of is said by what happened', () => {
  expect(alerts('opened')).toBe('1 alert opened')
  expect(alerts('opened', 'opened', 'recovered')).toBe('2 alerts opened, 1 recovered')
  expect(alerts('woken')).toBe('1 alert back from snooze')
  expect(wordsOf({ kind: 'test', property: null })).toBe('Test message')
  expect(wordsOf({ kind: 'digest', frequency: 'weekly', properties: [] })).toBe('Site summary')
  expect(wordsOf(null)).toBe('Content no longer stored')
})
