import { expect, test } from 'vitest'
import { markText } from '../../charts/time-series/copy.ts'
import type { AnomalyMetric } from '../../../contract/annotations.ts'
import { anomaliesWithin } from '../../../core/analytics/anomalies.ts'
import { eventsWithin, marksOf } from './marks.ts'

const incident = (id: string, start: string, end: string | null) => ({ id, title: id, start, end, url: 'https://x.example/' })
const note = (id: string, date: string, text: string) => ({ id, date, text, property: null, inReports: false })
const period = { start: '2026-03-01', end: '2026-03-15' }

test('a chart marks what happened on its days, and ongoing events where they begin', () => {
  const known = {
    notes: [note('1', '2026-03-16', 'After'), note('2', '2026-03-15', 'Last day'), note('3', '2026-02-28', 'Before')],
    incidents: [
      incident('Goes on', '2026-03-10', null),
      incident('Lasted into it', '2026-02-05', '2026-03-01'),
      incident('Over', '2026-02-01', '2026-02-28'),
      incident('One day', '2026-03-02', '2026-03-02'),
    ],
    anomalies: [],
  }
  const marks = marksOf(eventsWithin(known, period), period, 'clicks')
  expect(marks.map((mark) => [mark.date, markText(mark)])).toEqual([
    ['2026-03-10', 'Google: Goes on, since 10 Mar 2026'],
    ['2026-03-01', 'Google: Lasted into it, 5 Feb–1 Mar 2026'],
    ['2026-03-02', 'Google: One day, 2 Mar 2026'],
    ['2026-03-15', 'Note: Last day, 15 Mar 2026'],
  ])
})

test("a chart of web search doesn't mark an update of Discover; a chart of Discover does", () => {
  const known = { notes: [], incidents: [incident('February 2026 Discover update', '2026-03-02', null)], anomalies: [] }
  expect(eventsWithin(known, period).incidents).toEqual([])
  expect(eventsWithin(known, period, 'discover').incidents).toHaveLength(1)
})

test('the same note on one property and on all of them is one mark', () => {
  const notes = [note('1', '2026-03-02', 'Sale'), note('2', '2026-03-02', 'Sale')]
  expect(marksOf({ notes, incidents: [], anomalies: [] }, period, 'clicks')).toHaveLength(1)
})

test('days that were counted differently are marked where that begins or ends, on the charts of the affected metrics', () => {
  const april = { start: '2026-04-20', end: '2026-05-03' }
  const known = { notes: [], incidents: [], anomalies: anomaliesWithin('web', undefined, undefined) }
  const texts = (metric: AnomalyMetric, days = april) => marksOf(eventsWithin(known, days), days, metric).map(markText)
  expect(texts('impressions')).toEqual([
    'Measurement: Impression counts corrected in stages; clicks are not affected, 3–27 Apr 2026',
    'Measurement: Impressions overcounted; clicks are not affected, 13 May 2025–27 Apr 2026',
  ])
  expect(texts('clicks')).toEqual([])
  const discover = { start: '2026-05-01', end: '2026-05-10' }
  expect(marksOf(eventsWithin(known, discover, 'discover'), discover, 'clicks').map(markText)).toEqual([
    'Measurement: Discover: clicks and impressions not fully logged, 7–8 May 2026',
  ])
  // There is no step in its middle.
  expect(texts('impressions', period)).toEqual([])
})
