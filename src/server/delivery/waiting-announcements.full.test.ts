import { describe, expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { fallenSite } from '../../../test/support/falling-site.ts'
import { runJob } from '../../../test/support/jobs.ts'
import { announceOf } from '../../../test/support/opened-alerts.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { alertReport, alerts } from '../../contract/alerts/alerts.ts'
import type { DeliverySettingsChange } from '../../contract/delivery/delivery.ts'

// What happens to an alert while a message about it waits for the end of quiet hours or for a digest.

const today = '2026-03-18'
const hourMs = 3_600_000
let people = 0

const test = appTest({ today, demo: false })
  .extend('clock', { scope: 'file' }, ({ app }) => app.google)
  .extend('reader', { scope: 'file' }, ({ app }) => async (settings: DeliverySettingsChange) => {
    const prepare = async (person: Visitor) => {
      await person.send('POST', '/api/delivery-settings', {
        frequency: 'instant',
        positiveAlerts: true,
        timeZone: 'Europe/Berlin',
        ...settings,
      })
    }
    const { owner, site, email } = await fallenSite(app, `waiting${++people}`, { plan: 'agency', prepare })
    const [critical, warning] = alerts.parse((await owner.get('/api/alerts')).body)
    const { sql } = await app.stores()
    return {
      owner,
      email,
      critical: critical!.id,
      warning: warning!.id,
      deliver: () => runJob(app, 'delivery-due'),
      received: async () => (await app.mail.mails(email)).filter(({ kind }) => kind === 'alerts' || kind === 'digest'),
      announcements: async (id: string) =>
        alertReport.parse((await owner.get(`/api/alerts/${id}`)).body).deliveries.map(({ event, state, detail }) => [event, state, detail]),
      /** The hours show how much so far. */
      worsen: async (id: string, change: number) => {
        await sql(`UPDATE alerts SET severity = 'critical', opening = opening || '{"firstDay": "2026-03-09"}' WHERE id = $1`, [id])
        await announceOf(app, site, { worsened: [{ id: Number(id), isMoreUrgent: false, hours: { change, soFar: 'so far on 18 Mar' } }] })
      },
      recover: async (id: string) => {
        await sql(`UPDATE alerts SET state = 'recovered', recovered_at = $2 WHERE id = $1`, [id, app.google.now()])
        await announceOf(app, site, { recovered: [Number(id)] })
      },
    }
  })
test.beforeEach(async ({ app, clock }) => {
  clock.setNow(today)
  await app.mail.clear()
})

/** Noon in California is 20:00 in Berlin. */
const quietHours = { from: 19, until: 7 }
const night = 12 * hourMs
const acknowledge = (owner: Visitor, id: string) => owner.send('POST', '/api/alerts/acknowledge', { ids: [id] })

describe('in quiet hours', () => {
  test('an alert that was acknowledged in the app and then became far worse is sent in the morning, and just once', async ({
    clock,
    reader,
  }) => {
    const { owner, warning, deliver, received, announcements, worsen } = await reader({ quietHours })
    expect(await announcements(warning)).toEqual([['opened', 'waiting', null]])
    clock.advance(hourMs)
    await acknowledge(owner, warning)
    clock.advance(hourMs)
    await worsen(warning, -60)
    clock.advance(hourMs)
    await worsen(warning, -61)
    clock.advance(night)
    await deliver()
    await deliver()
    expect(await announcements(warning)).toEqual([
      ['opened', 'suppressed', 'The alert became much worse before this was due.'],
      ['worsened', 'sent', null],
    ])
    const mails = await received()
    expect(mails).toHaveLength(1)
    expect(mails[0]!.text.replaceAll(/\s+/g, ' ')).toContain('This alert has become much worse: was −25.0%, now −60.0% so far on 18 Mar.')
  })

  test("it isn't, if somebody acknowledged what it had become", { tags: ['full'] }, async ({ clock, reader }) => {
    const { owner, warning, deliver, announcements, worsen } = await reader({ quietHours })
    clock.advance(hourMs)
    await worsen(warning, -60)
    await acknowledge(owner, warning)
    clock.advance(night)
    await deliver()
    expect(await announcements(warning)).toEqual([
      ['opened', 'suppressed', 'The alert became much worse before this was due.'],
      ['worsened', 'suppressed', 'The alert was acknowledged before this was due.'],
    ])
  })

  test(
    'the end of an alert is sent to everybody who was told, even if “much worse” was still waiting',
    { tags: ['full'] },
    async ({ clock, reader }) => {
      const { warning, deliver, received, announcements, worsen, recover } = await reader({ quietHours })
      clock.advance(night)
      await deliver()
      expect(await received()).toHaveLength(1)
      clock.advance(night)
      await worsen(warning, -60)
      clock.advance(hourMs)
      await recover(warning)
      clock.advance(night)
      await deliver()
      expect(await announcements(warning)).toEqual([
        ['opened', 'sent', null],
        ['worsened', 'suppressed', 'The alert ended before this was due.'],
        ['recovered', 'sent', null],
      ])
      expect(await received()).toHaveLength(2)
    },
  )

  test(
    'somebody who was told only that a snooze is over is told about the end, too',
    { tags: ['full'] },
    async ({ app, clock, reader }) => {
      const { owner, critical, deliver, received, announcements, recover } = await reader({ quietHours })
      clock.advance(hourMs)
      await owner.send('POST', `/api/alerts/${critical}/snooze`, { until: new Date(clock.now().getTime() + night).toISOString() })
      clock.advance(night - hourMs / 2)
      await deliver()
      clock.advance(hourMs)
      await runJob(app, 'alerts-due')
      await deliver()
      clock.advance(hourMs)
      await recover(critical)
      await deliver()
      expect(await announcements(critical)).toEqual([
        ['opened', 'suppressed', 'The alert was snoozed before this was due.'],
        ['woken', 'sent', null],
        ['recovered', 'sent', null],
      ])
      expect((await received()).map(({ text }) => /Snooze ended|recovered/.exec(text)?.[0]).filter(Boolean)).toEqual(
        expect.arrayContaining(['Snooze ended', 'recovered']),
      )
    },
  )
})

test('a digest names an alert once, whatever happened to it since the last one', { tags: ['full'] }, async ({ app, clock, reader }) => {
  const { owner, critical, warning, deliver, announcements, worsen, recover } = await reader({ frequency: 'weekly' })
  await owner.send('POST', `/api/alerts/${critical}/snooze`, { until: new Date(clock.now().getTime() + hourMs).toISOString() })
  clock.advance(2 * hourMs)
  await runJob(app, 'alerts-due')
  clock.advance(7 * 24 * hourMs)
  await deliver()
  expect(await announcements(critical)).toEqual([['opened', 'sent', null]])
  await worsen(warning, -60)
  await recover(warning)
  // A weekly digest that was sent days late keeps its interval.
  clock.advance(14 * 24 * hourMs)
  await deliver()
  expect(await announcements(warning)).toEqual([
    ['opened', 'sent', null],
    ['worsened', 'suppressed', 'The alert ended before this was due.'],
    ['recovered', 'sent', null],
  ])
})
