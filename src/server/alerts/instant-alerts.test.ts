import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import type { TestApp } from '../../../test/support/app.ts'
import { runJob } from '../../../test/support/jobs.ts'
import { newPerson, propertyId, refresh, synced } from '../../../test/support/people.ts'
import { watchedAtOnce } from '../../../test/support/stored-history.ts'
import { until } from '../../../test/support/until.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { type Alert, alertReport, alerts, evaluateAnswer } from '../../contract/alerts/alerts.ts'
import type { PlanId } from '../../contract/user.ts'
import { addDays } from '../../core/analytics/days.ts'

// Instant alerts (SPEC §6, Agency), from hours scripted in the stand-in to the email and the outcome of the final day.

/** A Wednesday; its days are final three days later. */
const today = '2026-03-18'
const history = 36

type Site = { owner: Visitor; site: string; email: string }

const dictate = (app: TestApp, site: string, from: string, to: string, clicks: number) =>
  app.google.setDays(site, { from, to }, [{ query: 'lamp', page: `${site}lamps`, clicks, impressions: clicks * 10, position: 4 }])

/** A user with a rule about the clicks of a whole site, which gets the same number every day. */
async function monitored(app: TestApp, name: string, clicks: number, plan: PlanId = 'agency'): Promise<Site> {
  const site = `https://${name}.example/`
  const email = `${name}@example.test`
  const owner = await newPerson(app, { email, plan, sites: { [site]: 'empty' } })
  await app.google.call('PUT', 'late', { site, days: 3 })
  await dictate(app, site, addDays(today, -history), addDays(today, 6), clicks)
  if (plan === 'agency') await done(owner, 'POST', '/api/delivery-settings', { frequency: 'instant', positiveAlerts: true })
  await watchedAtOnce(app, site, { days: history })
  await done(owner, 'POST', '/api/alert-conditions', { type: 'clicks', title: 'Drop in clicks', monitor: 'site', threshold: 15 })
  return { owner, site, email }
}

async function done(person: Visitor, method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<unknown> {
  const answer = await person.send(method, path, body)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

const list = async ({ owner }: Site): Promise<Alert[]> => alerts.parse((await owner.get('/api/alerts')).body)
const only = async (site: Site): Promise<Alert> => {
  const all = await list(site)
  expect(all).toHaveLength(1)
  return all[0]!
}
const reportOf = async (site: Site) => alertReport.parse((await site.owner.get(`/api/alerts/${(await only(site)).id}`)).body)
const timeline = async (site: Site) => (await reportOf(site)).timeline.map(({ to, reason }) => [to, reason])
const received = async (app: TestApp, { email }: Site) => (await app.mail.mails(email)).filter(({ kind }) => kind === 'alerts')
const askedAt = async (app: TestApp, { site }: Site): Promise<number> => {
  const rows = await (
    await app.stores()
  ).sql<{ asked_at: Date | null }>('SELECT asked_at FROM hour_syncs WHERE property_id = $1', [await propertyId(app, site)])
  return rows[0]?.asked_at?.getTime() ?? 0
}

/** Sets the time; these sites' hours are requested, with everything that follows. */
async function at(app: TestApp, moment: string, of: readonly Site[]): Promise<void> {
  await app.google.setMoment(moment)
  await app.lookForDue()
  for (const site of of)
    await until(
      () => askedAt(app, site),
      (asked) => asked === app.google.now().getTime(),
      60_000,
    )
  await runJob(app, 'alerts-due')
  await runJob(app, 'delivery-due')
}

/** Noon on that day, with everything that is final by then stored and evaluated. */
async function onDay(app: TestApp, day: string, of: readonly Site[]): Promise<void> {
  app.google.setNow(day)
  await app.google.setMoment(`${day}T12:00:00-07:00`)
  for (const { owner, site } of of) {
    await refresh(owner, site)
    await synced(owner, site, 60_000)
  }
  await runJob(app, 'alerts-due')
  await runJob(app, 'delivery-due')
}

const drop = (factor: number, final: 'confirms' | 'withdraws' = 'confirms') => [
  { from: `${today}T02:00:00-07:00`, until: `${addDays(today, 1)}T00:00:00-07:00`, factor, final },
]

const test = appTest({ today, demo: false }).extend('sites', { scope: 'file' }, async ({ app }) => {
  await app.google.setMoment(`${today}T09:00:00-07:00`)
  const sites = {
    confirmed: await monitored(app, 'confirmed', 2000),
    withdrawn: await monitored(app, 'withdrawn', 2000),
    lasting: await monitored(app, 'lasting', 2000),
    deleted: await monitored(app, 'deleted', 2000),
    small: await monitored(app, 'small', 60),
    pro: await monitored(app, 'pro', 2000, 'pro'),
  }
  return sites
})

test(
  'a drop in the hours is sent immediately as preliminary, and confirmed or withdrawn by its final day',
  { tags: ['full'] },
  async ({ app, sites: { confirmed, withdrawn, lasting, deleted, small, pro } }) => {
    // A usual day raises no alert.
    await at(app, `${today}T11:05:00-07:00`, [confirmed, withdrawn, lasting, deleted, small])
    for (const site of [confirmed, withdrawn, lasting, deleted, small, pro]) expect(await list(site)).toEqual([])

    // A drop in the hours becomes an alert at the next sync, and is sent immediately as preliminary.
    {
      for (const { site } of [confirmed, lasting, deleted, small, pro]) await app.google.changeHours(site, drop(0.1))
      await app.google.changeHours(withdrawn.site, drop(0.1, 'withdraws'))
      await at(app, `${today}T14:05:00-07:00`, [confirmed, withdrawn, lasting, deleted, small])

      const alert = await only(confirmed)
      expect(alert).toMatchObject({
        severity: 'critical',
        state: 'firing',
        type: 'clicks',
        entity: { kind: 'site', name: confirmed.site },
        current: { start: today, end: today },
        hours: { day: today, through: 8, weeks: 1, status: 'preliminary' },
        title: 'Clicks dropped across the site so far on 18 Mar (through 08:00 Pacific), preliminary',
      })
      const [mail, ...others] = await received(app, confirmed)
      expect(others).toEqual([])
      expect(mail!.subject).toContain('Clicks dropped')
      expect(mail!.text).toMatch(/so far on Wednesday, 18 Mar \(through\s+08:00\s+Pacific\)/)
      expect(mail!.text).toContain('preliminary')

      // The report's hourly chart shows the alert's figures.
      const { byHour = [], timeline: life } = await reportOf(confirmed)
      const until8 = byHour.filter(({ hour }) => hour < 8)
      expect(until8.reduce((sum, { value }) => sum + (value ?? 0), 0)).toBe(alert.currentValue)
      expect(until8.reduce((sum, { usual }) => sum + (usual ?? 0), 0)).toBeCloseTo(alert.previousValue ?? 0)
      expect(life).toMatchObject([{ to: 'firing', reason: 'hours_found', by: null }])
      await only(withdrawn)
    }

    // A small site doesn't alert for a handful of clicks, and plans without hours never do.
    expect([await list(small), await list(pro)]).toEqual([[], []])

    // Later hours, and evaluating the days, don't open a second one.
    {
      await at(app, `${today}T16:05:00-07:00`, [confirmed])
      expect((await only(confirmed)).hours).toMatchObject({ through: 10, status: 'preliminary' })
      for (let round = 0; round < 2; round++)
        expect(evaluateAnswer.parse(await done(confirmed.owner, 'POST', '/api/alerts/evaluate'))).toEqual({ count: 0, leftOut: 0 })
      expect(await received(app, confirmed)).toHaveLength(1)
    }

    // Deleting the rule meanwhile ends it, and nothing else happens.
    {
      const { conditionId, id } = await only(deleted)
      await done(deleted.owner, 'POST', '/api/alerts/acknowledge', { ids: [id] })
      await done(deleted.owner, 'DELETE', `/api/alert-conditions/${conditionId}`)
      expect(await timeline(deleted)).toEqual([
        ['firing', 'hours_found'],
        ['acknowledged', 'acknowledged'],
        ['recovered', 'rule_deleted'],
      ])
    }

    // The final day confirms it, and the timeline says so with figures.
    {
      await done(confirmed.owner, 'POST', '/api/alerts/acknowledge', { ids: [(await only(confirmed)).id] })
      await dictate(app, lasting.site, addDays(today, 1), addDays(today, 6), 300)
      await onDay(app, addDays(today, 3), [confirmed, withdrawn, lasting])

      const alert = await only(confirmed)
      expect(alert).toMatchObject({ state: 'acknowledged', severity: 'critical', hours: { status: 'confirmed' } })
      expect(alert.title).toBe('Clicks dropped across the site on 18 Mar')
      const day = await app.google.totals({ site: confirmed.site, start: today, end: today })
      expect([alert.currentValue, Math.round(alert.previousValue ?? 0)]).toEqual([day.total.clicks, 2000])
      const { timeline: life, byHour = [] } = await reportOf(confirmed)
      expect(life.at(-1)).toMatchObject({
        from: 'acknowledged',
        to: 'acknowledged',
        reason: 'day_confirmed',
        detail: expect.stringMatching(/^Final data for Wednesday, 18 Mar: [\d,]+ clicks vs the usual 2,000 \(−\d\d\.\d%\)\.$/),
      })
      expect(byHour.reduce((sum, { value }) => sum + (value ?? 0), 0)).toBe(day.total.clicks)
    }

    // Another is withdrawn when its clicks arrive late, and announced as withdrawn.
    {
      const { state, hours, timeline: life } = await reportOf(withdrawn)
      expect([state, hours?.status]).toEqual(['recovered', 'withdrawn'])
      expect(life.at(-1)).toMatchObject({ to: 'recovered', reason: 'day_withdrew' })
      expect(life.at(-1)?.detail).toBe('Final data for Wednesday, 18 Mar: 2,000 clicks vs the usual 2,000 (0.0%).')
      const [recovery, , ...others] = await received(app, withdrawn)
      expect(others).toEqual([])
      expect(recovery!.subject).toMatch(/^Withdrawn: Clicks dropped/)
      expect(recovery!.text).toContain("final data doesn't show this change")
    }

    // A drop that lasts continues as an alert about days, as the same alert; one of a single day ends with the next.
    {
      await onDay(app, addDays(today, 5), [confirmed, lasting])
      expect((await timeline(confirmed)).at(-1)).toEqual(['recovered', 'back'])
      expect(await timeline(lasting)).toEqual([
        ['firing', 'hours_found'],
        ['firing', 'day_confirmed'],
        ['firing', 'week_agrees'],
      ])
      const alert = await only(lasting)
      expect(alert).toMatchObject({ state: 'firing', current: { end: addDays(today, 2) }, hours: { status: 'confirmed' } })
      // "Unusual clicks" found it as well as the rule with a threshold, and it is one alert.
      expect(alert.title).toBe('Clicks unusually low across the site')
    }
  },
)
