import { describe, expect, test } from 'vitest'
import { alert } from '../../../contract/alerts/alerts.ts'
import { severityOf } from '../../../core/alerting/severity.ts'
import { fourConditions } from '../../../core/alerting/defaults.ts'
import { sampleAlerts } from './sample-alerts.ts'

const now = new Date('2026-03-18T20:00:00Z')
const samples = sampleAlerts(now)

describe('the sample rows', () => {
  test('are alerts as the server would return them, latest first', () => {
    expect(samples.map((sample) => alert.parse(sample))).toEqual(samples)
    const moments = samples.map(({ timestamp }) => timestamp)
    expect(moments).toEqual(moments.toSorted().toReversed())
    expect(moments[0]).toBe(now.toISOString())
  })

  test('show each severity of the filter, rated like real changes', () => {
    for (const { type, change, severity } of samples) {
      const threshold = fourConditions.find((condition) => condition.type === type)?.threshold ?? 0
      expect(severityOf(type, change ?? 0, threshold)).toBe(severity)
    }
    expect(new Set(samples.map(({ severity }) => severity))).toEqual(new Set(['critical', 'warning', 'positive']))
  })

  test('are worded like real ones', () => {
    expect(samples[0]).toMatchObject({
      title: 'Clicks dropped: https://example.com/desk-lamps',
      description: 'Clicks for <code>https://example.com/desk-lamps</code> fell from 1,240 to 806 (−35.0%), 9–15 Mar vs 2–8 Mar.',
    })
  })
})
