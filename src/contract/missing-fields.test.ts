import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { alertCondition } from './alerts/conditions.ts'
import { alert } from './alerts/alerts.ts'
import { deliverySettings, deliverySettingsChange } from './delivery/delivery.ts'
import { keyword } from './keywords.ts'
import { metrics, metricsRead } from './metrics.ts'
import { page } from './pages.ts'
import { property } from './user.ts'

describe('missing fields take the defaults of SPEC §3', () => {
  test('metrics: 0, or an empty list', () => {
    const figures = { clicks: 0, impressions: 0, ctr: 0, position: 0 }
    expect(metricsRead.parse({})).toMatchObject({ ...figures, clicksChange: 0, positionChange: 0, clicksData: [], positionData: [] })
    expect(metricsRead.parse({ clicks: null, ctrData: null })).toMatchObject({ clicks: 0, ctrData: [] })
  })

  test('an alert: warning, clicks, Unknown Alert, No description available, 0, no series', () => {
    expect(alert.parse({ id: '1', timestamp: '2026-03-18T19:00:00Z', target: 'sc-domain:shop.example' })).toEqual({
      id: '1',
      severity: 'warning',
      type: 'clicks',
      title: 'Unknown Alert',
      description: 'No description available',
      currentValue: 0,
      previousValue: 0,
      timestamp: '2026-03-18T19:00:00Z',
      target: 'sc-domain:shop.example',
      data: [],
      viewed: false,
      state: 'firing',
      snoozedUntil: null,
      entity: { kind: 'site', name: '' },
      change: null,
      current: null,
      previous: null,
      conditionId: null,
      verdict: null,
      action: null,
      findings: [],
    })
  })

  test("an alert's values may be text; null says that there was nothing", () => {
    const values = (currentValue: unknown, previousValue: unknown) => {
      const read = alert.parse({ id: '1', timestamp: '2026-03-18T19:00:00Z', currentValue, previousValue })
      return [read.currentValue, read.previousValue]
    }
    expect(values('1,204', '0')).toEqual([1204, 0])
    expect(values(null, 'many')).toEqual([null, null])
  })
})

test.each<[string, z.ZodType, object]>([
  ['page', page, { page: 'https://shop.example/', clicks: 1, impressions: 2, ctr: '50.00', position: '3.0' }],
  ['keyword row', keyword, { query: 'lamp', page: 'https://shop.example/', position: 3, clicks: 1, impressions: 2, ctr: 0.5 }],
  ['property', property, { id: '1', name: 'sc-domain:shop.example' }],
  [
    'alert condition',
    alertCondition,
    { id: '1', title: 'Clicks drop', icon: 'x', isEnabled: true, monitor: 'top_pages', threshold: 15, thresholdUnit: '%' },
  ],
  ['delivery settings', deliverySettings, { id: '1' }],
])('a %s with only the fields of SPEC §3 can be read', (_name, schema, fields) => {
  expect(schema.parse(fields)).toMatchObject(fields)
})

test('missing delivery settings default to SPEC §9, and changing one says nothing about the others', () => {
  const usual = { emailEnabled: true, criticalAlerts: true, warningAlerts: true, positiveAlerts: false, slackEnabled: false }
  expect(deliverySettings.parse({ id: '1' })).toMatchObject(usual)
  expect(deliverySettingsChange.parse({ slackEnabled: true })).toEqual({ slackEnabled: true })
})

test('a response must have all fields', () => {
  expect(z.safeEncode(metrics, {} as never).success).toBe(false)
  expect(z.safeEncode(property, { id: '1', name: 'x' } as never).success).toBe(false)
})
