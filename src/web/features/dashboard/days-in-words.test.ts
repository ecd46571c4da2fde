import { expect, test } from 'vitest'
import { daysInWords, type ShownFigures } from './days-in-words.ts'
import { namesOf } from './names-of-days.ts'

const week = (clicks: Partial<ShownFigures['clicks']>, others: Partial<Omit<ShownFigures, 'clicks'>> = {}): string => {
  const figures = { now: 880, before: 1_000, comparable: true, ...clicks }
  const change = figures.before ? ((figures.now - figures.before) / figures.before) * 100 : 0
  const names = namesOf({ range: '7d', compare: 'previous' }, {})
  return daysInWords({ names, type: 'web', clicks: { change, ...figures }, devices: [], openAlerts: null, ...others })
}

test('names the direction and the size of the change', () => {
  expect(week({})).toBe('Clicks fell 12.0% from the week before.')
  expect(week({ now: 1_123 })).toBe('Clicks rose 12.3% from the week before.')
  expect(week({ now: 1_000 })).toBe('Clicks were flat compared with the week before.')
})

test("a change too small to be displayed isn't one", () => {
  expect(week({ now: 100_001, before: 100_000 })).toBe('Clicks were flat compared with the week before.')
})

test('counts open alerts once they are known', () => {
  expect(week({}, { openAlerts: 0 })).toBe('Clicks fell 12.0% from the week before; no alerts are open.')
  expect(week({}, { openAlerts: 1 })).toBe('Clicks fell 12.0% from the week before; 1 alert is open.')
  expect(week({}, { openAlerts: 1_200 })).toBe('Clicks fell 12.0% from the week before; 1,200 alerts are open.')
})

test('names the device that has most of the change', () => {
  const devices = [
    { name: 'Desktop', now: 390, before: 400 },
    { name: 'Mobile', now: 490, before: 600 },
  ]
  expect(week({}, { devices })).toBe('Clicks fell 12.0% from the week before, mostly on mobile.')
})

test('names no device if none has most of it, if it moved the other way, or if there is only one', () => {
  const half = [
    { name: 'Desktop', now: 340, before: 400 },
    { name: 'Mobile', now: 540, before: 600 },
  ]
  expect(week({}, { devices: half })).toBe('Clicks fell 12.0% from the week before.')
  const against = [
    { name: 'Desktop', now: 300, before: 400 },
    { name: 'Mobile', now: 710, before: 650 },
    { name: 'Tablet', now: 60, before: 50 },
  ]
  expect(week({ now: 1_120 }, { devices: against })).toBe('Clicks rose 12.0% from the week before.')
  expect(week({}, { devices: [{ name: 'Mobile', now: 880, before: 1_000 }] })).toBe('Clicks fell 12.0% from the week before.')
})

test('names the search type, unless it is web', () => {
  expect(week({}, { type: 'discover' })).toBe('Discover clicks fell 12.0% from the week before.')
  expect(week({}, { type: 'image' })).toBe('Image clicks fell 12.0% from the week before.')
  expect(week({ before: null }, { type: 'image' })).toBe('880 image clicks in the last 7 days.')
  expect(week({ now: 0 }, { type: 'googleNews' })).toBe('No Google News clicks in the last 7 days, after 1,000 the week before.')
})

test('claims no change that Google made by counting differently', () => {
  expect(week({ comparable: false })).toBe(
    '880 clicks in the last 7 days, not comparable with the week before because Google counted differently.',
  )
})

test('without a base, says what there was', () => {
  expect(week({ before: null })).toBe('880 clicks in the last 7 days.')
  expect(week({ now: 1, before: null })).toBe('1 click in the last 7 days.')
  expect(week({ before: 0 })).toBe('880 clicks in the last 7 days, after none the week before.')
  expect(week({ now: 0 })).toBe('No clicks in the last 7 days, after 1,000 the week before.')
  expect(week({ now: 0, before: 0 })).toBe('No clicks in the last two weeks.')
  expect(week({ now: 0, before: null }, { openAlerts: 0 })).toBe('No clicks in the last 7 days; no alerts are open.')
})

test('names other days as chosen', () => {
  const names = namesOf({ range: '16m', compare: 'year' }, {})
  expect(week({}, { names })).toBe('Clicks fell 12.0% from the same weekdays a year earlier.')
  expect(week({ before: null }, { names })).toBe('880 clicks in the last 16 months.')
  expect(week({ before: 0 }, { names })).toBe('880 clicks in the last 16 months, after none on the same weekdays a year earlier.')
})
