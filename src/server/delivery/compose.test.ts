import { expect, test } from 'vitest'
import type { Metrics } from '../../contract/metrics.ts'
import type { MessageAlert } from '../alerts/service.ts'
import { messageItem, section, standing } from '../../../test/support/message-items.ts'
import { digestMessage, itemsOf, standingOf } from './compose.ts'
import { standingSentence } from './outbound/copy.ts'
import { message } from './message.ts'

const metrics: Metrics = {
  property: 'https://a.example/',
  current: { start: '2026-11-03', end: '2026-11-09' },
  previous: { start: '2026-10-27', end: '2026-11-02' },
  completeThrough: '2026-11-09',
  dates: [],
  isStored: true,
  clicks: 12,
  clicksPrevious: 10,
  clicksChange: 20,
  clicksData: [],
  impressions: 100,
  impressionsPrevious: 100,
  impressionsChange: 0,
  impressionsData: [],
  ctr: 0.12,
  ctrPrevious: 0.1,
  ctrChange: 20,
  ctrData: [],
  position: 8,
  positionPrevious: 10,
  positionChange: -20,
  positionData: [],
}

test("a property's summary has the figures of its dashboard", () => {
  expect(standingOf(metrics)).toMatchObject({
    clicks: { value: 12, previous: 10, change: 20 },
    impressions: { value: 100, previous: 100, change: 0 },
    position: { value: 8, previous: 10, change: -20 },
  })
  expect(standingOf({ ...metrics, clicksPrevious: null, clicksChange: 0 }).clicks).toEqual({ value: 12, previous: null, change: null })
})

test('a rise from zero has no percentage, rather than 0%', () => {
  const { clicks, ctr, impressions } = standingOf({
    ...metrics,
    clicksPrevious: 0,
    clicksChange: 0,
    ctrPrevious: 0,
    ctrChange: 0,
    impressions: 0,
    impressionsPrevious: 0,
  })
  expect([clicks, ctr].map(({ previous, change }) => [previous, change])).toEqual([
    [0, null],
    [0, null],
  ])
  expect(impressions).toEqual({ value: 0, previous: 0, change: 0 })
  const said = standingOf({ ...metrics, clicks: 35, clicksPrevious: 0, clicksChange: 0 })
  expect(standingSentence({ standing: said, open: 0 })).toBe('35 clicks, up from 0 the week before; no open alerts.')
})

test('a position of 0 is unknown: nothing is compared with it', () => {
  expect(standingOf({ ...metrics, position: 0, positionChange: -100 }).position).toEqual({ value: 0, previous: 10, change: null })
  expect(standingOf({ ...metrics, positionPrevious: 0, positionChange: 0 }).position).toEqual({ value: 8, previous: 0, change: null })
  expect(standingOf({ ...metrics, position: 0, positionPrevious: 0, positionChange: 0 }).position.change).toBeNull()
})

test('figures that Google counted differently in the two weeks have no change, and say why', () => {
  const across = { ...metrics, current: { start: '2026-04-28', end: '2026-05-04' }, previous: { start: '2026-04-21', end: '2026-04-27' } }
  const { clicks, ...others } = standingOf({ ...across, impressionsChange: -25 })
  expect(clicks).toEqual({ value: 12, previous: 10, change: 20 })
  expect(others).toMatchObject({
    impressions: { value: 100, previous: 100, change: null, incomparable: why },
    ctr: { change: null, incomparable: why },
    position: { previous: 10, change: null, incomparable: why },
  })
})
const why = 'Google counted this differently on some of these days'

test("names anywhere in a message have no control characters or lone surrogates, which PostgreSQL can't store", () => {
  const odd = 'lamp\0\r\nBcc: \uD800'
  const entity = { kind: 'query', name: odd } as const
  const figures = { currentValue: 1, previousValue: 9, change: -89 }
  const alert: MessageAlert = {
    ...figures,
    alertId: '1',
    propertyId: 1,
    property: 'https://a.example/',
    severity: 'critical',
    state: 'firing',
    type: 'clicks',
    title: odd,
    sentence: [odd, { name: odd }],
    entity,
    current: null,
    previous: null,
    action: null,
    openedAt: '2026-11-10T00:00:00Z',
    contributors: [{ ...figures, name: odd }],
    series: [],
    findings: [{ ...figures, id: '2', severity: 'critical', state: 'firing', type: 'ctr', title: odd, entity }],
  }
  const [item] = itemsOf([{ event: 'opened', alert }])
  expect(item?.findings).toMatchObject([{ title: 'lamp Bcc: \uFFFD', entity: { name: 'lamp Bcc: \uFFFD' } }])
  expect(JSON.stringify(item)).not.toMatch(/\\u0000|\\[rn]|\\ud800/i)
})

test("a digest starts with the property that did worst: by its alerts, then by its clicks; improvements don't count as worse", () => {
  const clicks = (change: number) => ({ standing: standing({ clicks: { value: 1, previous: 2, change } }) })
  const { properties } = digestMessage('weekly', [
    section('new', { standing: null }),
    section('up', clicks(20)),
    section('better', { ...clicks(40), items: [messageItem({ severity: 'positive' })] }),
    section('down', clicks(-12)),
    section('warned', { ...clicks(30), items: [messageItem({ severity: 'warning' })] }),
    section('critical', { ...clicks(5), items: [messageItem()] }),
  ])
  expect(properties.map(({ name }) => name)).toEqual(['critical', 'warned', 'down', 'up', 'better', 'new'])
})

test('a message stored by an earlier version, about one property, is still sent', () => {
  const item = messageItem()
  expect(message.parse({ kind: 'alerts', property: 'a.example', items: [item] })).toEqual({
    kind: 'alerts',
    properties: [{ name: 'a.example', items: [item] }],
    monitored: 1,
  })
})
