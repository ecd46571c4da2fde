import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { changesIn, localTimeZone, saveDelivery, unsavedSettings } from './delivery-settings.ts'

const saved = { ...unsavedSettings('pro'), id: '7' }

describe('before anything was saved', () => {
  test("the defaults of SPEC §9 are shown, with the plan's most frequent digest", () => {
    expect(unsavedSettings('free')).toMatchObject({
      id: '',
      emailEnabled: true,
      criticalAlerts: true,
      warningAlerts: true,
      positiveAlerts: false,
      slackEnabled: false,
      smsEnabled: false,
      webhookEnabled: false,
      frequency: 'weekly',
      quietHours: null,
    })
    expect(unsavedSettings('pro').frequency).toBe('daily')
  })

  test("the time zone is the browser's, or UTC if that one is unknown", () => {
    const zone = vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions')
    const options = new Intl.DateTimeFormat('en', { timeZone: 'Asia/Kolkata' }).resolvedOptions()
    zone.mockReturnValue({ ...options, timeZone: 'Europe/Lisbon' })
    expect(localTimeZone()).toBe('Europe/Lisbon')
    zone.mockReturnValue({ ...options, timeZone: '+05:30' })
    expect(localTimeZone()).toBe('Asia/Kolkata')
    zone.mockReturnValue({ ...options, timeZone: 'Etc/Unknown' })
    expect(localTimeZone()).toBe('UTC')
    zone.mockRestore()
  })
})

describe('saving (SPEC §7)', () => {
  let asked: { method: string | undefined; body: unknown }[]
  beforeEach(() => {
    asked = []
    vi.stubGlobal('fetch', async (_path: string, { method, body }: { method: string; body: string }) => {
      asked.push({ method, body: JSON.parse(body) })
      return new Response(JSON.stringify(saved))
    })
  })
  afterEach(() => vi.unstubAllGlobals())

  test('creates settings with the displayed switches and the changes', async () => {
    await saveDelivery({ ...unsavedSettings('pro'), timeZone: 'Europe/Lisbon' }, { positiveAlerts: true })
    expect(asked).toEqual([
      {
        method: 'POST',
        body: {
          emailEnabled: true,
          criticalAlerts: true,
          warningAlerts: true,
          positiveAlerts: true,
          slackEnabled: false,
          timeZone: 'Europe/Lisbon',
        },
      },
    ])
  })

  test('updates only the changed fields of existing ones', async () => {
    await saveDelivery(saved, { quietHours: { from: 22, until: 7 } })
    expect(asked).toEqual([{ method: 'PATCH', body: { quietHours: { from: 22, until: 7 } } }])
  })
})

test('only differences count as changes', () => {
  const quietHours = { from: 22, until: 7 }
  expect(changesIn({ ...saved, quietHours }, { quietHours: { from: 22, until: 7 }, criticalAlerts: true })).toEqual({})
  expect(changesIn({ ...saved, quietHours }, { quietHours: { from: 22, until: 8 }, criticalAlerts: true })).toEqual({
    quietHours: { from: 22, until: 8 },
  })
  expect(changesIn({ ...saved, quietHours }, { quietHours: null })).toEqual({ quietHours: null })
  expect(changesIn({ ...saved, timeZone: 'UTC' }, { timeZone: 'UTC' })).toEqual({})
  expect(changesIn({ ...saved, timeZone: 'UTC', unknownTimeZone: '+05:17' }, { timeZone: 'UTC' })).toEqual({ timeZone: 'UTC' })
})
