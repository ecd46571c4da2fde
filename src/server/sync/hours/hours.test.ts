import { expect } from 'vitest'
import type { TestApp } from '../../../../test/support/app.ts'
import { appTest } from '../../../../test/support/app-test.ts'
import { throughConsent } from '../../../../test/support/consent.ts'
import { noJobsLeft } from '../../../../test/support/jobs.ts'
import { newPerson, propertyId, refresh, select, shortenHistory, statusOf, stoppedAs, synced } from '../../../../test/support/people.ts'
import { until } from '../../../../test/support/until.ts'
import type { Visitor } from '../../../../test/support/visitor.ts'
import { createSubscriptionAnswer } from '../../../contract/billing.ts'
import type { PlanId } from '../../../contract/user.ts'
import { todayAnswer, type TodaySoFar } from '../../../contract/today.ts'
import { addDays } from '../../../core/analytics/days.ts'
import { type HourFigures, hourTotals } from '../../facts/hours.ts'

const account = 'agency@example.test'
const site = 'https://hours.example/'
const proSite = 'https://days-only.example/'

/** The hours of a property of somebody's. */
function hoursOf(app: TestApp, person: Visitor, property: string) {
  async function atGoogle(start: string, end: string): Promise<Counts[]> {
    const { rows } = await app.google.totals({ site: property, start, end, dims: 'hour', dataState: 'hourly_all' })
    return rows.map(({ keys: [key = ''], clicks, impressions }) => ({ at: new Date(key).toISOString(), clicks, impressions }))
  }
  async function stored(start: string, end: string): Promise<HourFigures[]> {
    const { clickhouse } = await app.stores()
    return hourTotals(clickhouse, { property: await propertyId(app, property), from: start, to: end })
  }
  /** Hours without figures are known, where Google leaves them out. */
  async function expectStoredAsAtGoogle(start: string, end: string): Promise<void> {
    const hours = (await stored(start, end)).filter(({ impressions }) => impressions > 0)
    const google = await atGoogle(start, end)
    expect(google.length).toBeGreaterThan(10)
    expect(hours.map(({ at, clicks, impressions }) => ({ at, clicks, impressions }))).toEqual(google)
  }
  const syncRow = async (): Promise<SyncRow | undefined> =>
    (await (await app.stores()).sql<SyncRow>('SELECT * FROM hour_syncs WHERE property_id = $1', [await propertyId(app, property)]))[0]
  const askedAt = async (): Promise<number> => new Date((await syncRow())?.asked_at ?? 0).getTime()
  /** Waits until Google was asked at the present moment. */
  const asked = () => until(askedAt, (at) => at === app.google.now().getTime())
  const hourRequests = async (status?: number) =>
    (await app.google.requests()).filter(
      ({ dims, siteUrl, ...request }) =>
        dims?.join() === 'hour' && siteUrl === property && (status === undefined || request.status === status),
    )
  /** It is so late now, for Google and for us, and the minute's look at what is due happens. */
  async function laterAt(moment: string): Promise<void> {
    await app.google.setMoment(moment)
    await app.lookForDue()
  }
  async function todayOf(): Promise<TodaySoFar> {
    const answer = await today(person, property)
    if (!answer.today) throw new Error('There is nothing of today')
    return answer.today
  }
  return { atGoogle, stored, expectStoredAsAtGoogle, syncRow, askedAt, asked, hourRequests, laterAt, todayOf }
}

/** Somebody with a property of which three days are stored. */
async function watching(app: TestApp, name: string, who: { email: string; plan: PlanId }): Promise<Visitor> {
  const person = await newPerson(app, { ...who, sites: { [name]: 'local' } })
  await shortenHistory(app, name, 3)
  await select(person, name)
  await synced(person, name)
  return person
}

// The day after summer time began, and so a day with 23 hours, lies within the ten that Google has.
const test = appTest({ today: '2026-03-16', demo: false })
  .extend('agency', { scope: 'file' }, async ({ app }) => {
    await app.google.setMoment('2026-03-16T12:00:00-07:00')
    return watching(app, site, { email: account, plan: 'agency' })
  })
  .extend('pro', { scope: 'file' }, ({ app }) => watching(app, proSite, { email: 'pro@example.test', plan: 'pro' }))
  .extend('hours', { scope: 'file' }, ({ app, agency }) => hoursOf(app, agency, site))

type Counts = Pick<HourFigures, 'at' | 'clicks' | 'impressions'>

type SyncRow = { asked_at: Date | null; retry_at: Date | null; to_tell: boolean; complete_through: Date | null }

async function today(person: Visitor, name: string) {
  return todayAnswer.parse((await person.get(`/api/today?property=${encodeURIComponent(name)}`)).body)
}

test(
  'hours are stored as Google has them, from the first sync over a day that fills, refusals and other plans to the end of a long downtime',
  { timeout: 240_000 },
  async ({ app, agency, hours: { atGoogle, stored, expectStoredAsAtGoogle, syncRow, askedAt, asked, hourRequests, laterAt, todayOf } }) => {
    // On the Agency plan hours are stored at once, exactly as Google has them, in one request.
    {
      await asked()
      await expectStoredAsAtGoogle('2026-03-01', '2026-03-16')
      const spring = (await stored('2026-03-08', '2026-03-08')).map(({ hour }) => hour)
      expect(spring).toEqual([0, 1, ...Array.from({ length: 21 }, (_, i) => i + 3)])
      expect(await hourRequests()).toHaveLength(1)
      // Their sum is the day.
      const day = await app.google.totals({ site, start: '2026-03-12', end: '2026-03-12' })
      const sum = (await stored('2026-03-12', '2026-03-12')).reduce((total, { clicks }) => total + clicks, 0)
      expect(sum).toBe(day.total.clicks)
    }

    // /api/today says what Google has of today, and marks it as preliminary.
    {
      const answer = await todayOf()
      const google = await atGoogle('2026-03-16', '2026-03-16')
      const sum = (hours: readonly Counts[]) => hours.reduce((total, { clicks }) => total + clicks, 0)
      expect(answer).toMatchObject({ property: site, date: '2026-03-16', preliminary: true, clicks: sum(google) })
      expect(answer.hours.map(({ at, clicks, impressions }) => ({ at, clicks, impressions }))).toEqual(google)
      // At noon Google has hours up to ten; those up to six are done.
      expect(answer.through).toBe('2026-03-16T17:00:00.000Z')
      expect(answer.complete?.through).toBe('2026-03-16T13:00:00.000Z')
      const sixHours = async (date: string) => sum((await atGoogle(date, date)).slice(0, 6))
      expect(answer.complete).toMatchObject({
        clicks: sum(google.slice(0, 6)),
        yesterday: { clicks: await sixHours('2026-03-15') },
        usual: { clicks: await sixHours('2026-03-09'), weeks: 1 },
      })
      expect(answer.syncedAt).toBe('2026-03-16T19:00:00.000Z')
    }

    // Once an hour they are asked for again: later hours come, revised ones are replaced, none is doubled.
    {
      const before = await stored('2026-03-16', '2026-03-16')
      await app.google.forgetRequests()
      await laterAt('2026-03-16T14:30:00-07:00')
      await asked()
      const after = await stored('2026-03-16', '2026-03-16')
      expect(after.length).toBe(before.length + 2)
      expect(after.find(({ at }) => at === before.at(-1)?.at)?.impressions).toBeGreaterThan(before.at(-1)?.impressions ?? 0)
      await expectStoredAsAtGoogle('2026-03-01', '2026-03-16')
      expect((await syncRow())?.to_tell).toBe(false)
      expect((await todayOf()).hours).toHaveLength(after.length)

      // Not twice within its hour.
      await app.lookForDue()
      await refresh(agency, site)
      expect(await hourRequests()).toHaveLength(2)
      // Nothing is new: the days of the last load stay those to read.
      const loads = async () => {
        const query = `SELECT date, max(load) AS newest FROM facts_current WHERE grain = 'hour' GROUP BY date ORDER BY date`
        return (await (await app.stores()).clickhouse.query({ query, format: 'JSONEachRow' })).json()
      }
      const known = await loads()
      await refresh(agency, site)
      expect(await loads()).toEqual(known)
      await expectStoredAsAtGoogle('2026-03-01', '2026-03-16')
    }

    // Refresh is done when today is up to date as well.
    {
      await app.google.setMoment('2026-03-16T16:00:00-07:00')
      await app.google.delay(150, 'query')
      await refresh(agency, site)
      await app.google.delay(0)
      expect((await todayOf()).syncedAt).toBe('2026-03-16T23:00:00.000Z')
    }

    // Quota used up: the hours wait and come by themselves, the days are not held responsible.
    {
      await app.google.setMoment('2026-03-16T20:00:00-07:00')
      await app.google.fail({ error: 'rate429', times: 1000, kind: 'query', dims: ['hour'] })
      expect(await refresh(agency, site)).toMatchObject({ state: 'ok', message: null })
      const { retry_at: retryAt } = await until(syncRow, (row) => row?.retry_at !== null).then((row) => row ?? { retry_at: null })
      expect(new Date(retryAt ?? 0) > app.google.now()).toBe(true)
      await noJobsLeft(app, 'sync-hours')
      await app.google.forgetRequests()
      await app.lookForDue()
      await app.google.stopFailing()
      await laterAt(new Date(new Date(retryAt ?? 0).getTime() + 1000).toISOString())
      await asked()
      expect(await hourRequests()).toHaveLength(1)
      await expectStoredAsAtGoogle('2026-03-01', '2026-03-16')
    }

    // A dead token is noted once, where the days would note it; after reconnecting the hours go on.
    {
      await app.google.call('POST', 'tokens/revoke', { account })
      await laterAt('2026-03-16T22:30:00-07:00')
      const status = await stoppedAs(agency, site, 'token_revoked')
      expect(status.message).toContain('Google no longer accepts our access')
      await app.google.forgetRequests()
      await laterAt('2026-03-16T23:59:00-07:00')
      await refresh(agency, site)
      expect(await hourRequests()).toEqual([])
      await throughConsent(agency, { account })
      await asked()
      await stoppedAs(agency, site, 'ok')
      await expectStoredAsAtGoogle('2026-03-01', '2026-03-16')
    }

    // A plan without hours ends it, what is stored stays; a plan with hours begins it again at once.
    {
      const [kept, before] = [await stored('2026-03-10', '2026-03-16'), await askedAt()]
      const { status } = await agency.send('POST', '/api/create-subscription', { planType: 'free' })
      expect(status).toBe(200)
      expect((await today(agency, site)).locked).toBe('Your Free plan has no hourly figures. Available on the Agency plan.')
      await app.google.forgetRequests()
      await laterAt('2026-03-17T12:00:00-07:00')
      await refresh(agency, site)
      expect(await hourRequests()).toEqual([])
      expect(await askedAt()).toBe(before)
      expect(await stored('2026-03-10', '2026-03-16')).toEqual(kept)

      const paying = createSubscriptionAnswer.parse((await agency.send('POST', '/api/create-subscription', { planType: 'agency' })).body)
      await app.stripe.pay('clientSecret' in paying ? paying.clientSecret : '')
      await asked()
      await expectStoredAsAtGoogle('2026-03-08', '2026-03-17')
    }

    // After weeks of downtime the ten days that Google has are caught up; the day with 25 hours has them, and its ends are in place.
    {
      await laterAt('2026-11-03T12:00:00-08:00')
      await asked()
      await expectStoredAsAtGoogle('2026-10-24', '2026-11-03')
      const autumn = await stored('2026-11-01', '2026-11-01')
      expect(autumn.map(({ hour }) => hour)).toEqual([0, 1, 1, ...Array.from({ length: 22 }, (_, i) => i + 2)])
      // Those of before stay, beyond what Google keeps.
      expect((await stored('2026-03-10', addDays('2026-03-10', 3))).length).toBe(4 * 24)
      expect((await statusOf(agency, site)).state).toBe('ok')
    }
  },
)

test('on other plans no hours are asked for, and /api/today says on which they are', async ({ app, pro }) => {
  expect((await app.google.requests()).filter(({ siteUrl, dims }) => siteUrl === proSite && dims?.join() === 'hour')).toEqual([])
  const answer = await today(pro, proSite)
  expect(answer).toEqual({ locked: 'Your Pro plan has no hourly figures. Available on the Agency plan.', today: null })
})

test('a server that stops while it asks goes on after its start', { tags: ['full'] }, async ({ app }) => {
  const broken = 'https://broken-off.example/'
  await app.google.setMoment('2026-03-16T12:00:00-07:00')
  const person = await watching(app, broken, { email: 'broken@example.test', plan: 'agency' })
  const { expectStoredAsAtGoogle, asked, hourRequests } = hoursOf(app, person, broken)
  await asked()
  await app.google.setMoment('2026-03-16T19:00:00-07:00')
  await app.google.forgetRequests()
  await app.google.fail({ error: 'hang', times: 1, kind: 'query', dims: ['hour'] })
  await person.send('POST', '/api/sync', { property: broken })
  await until(
    async () => (await hourRequests()).length,
    (count) => count >= 1,
  )
  await app.restart()
  await asked()
  // The job that was broken off is run again, besides the one that the start asked for.
  await noJobsLeft(app, 'sync-hours')
  await expectStoredAsAtGoogle('2026-03-01', '2026-03-16')
})
