import { expect } from 'vitest'
import { appTest } from '../../../../test/support/app-test.ts'
import { throughConsent } from '../../../../test/support/consent.ts'
import { noJobsLeft } from '../../../../test/support/jobs.ts'
import { refresh, statusOf, stoppedAs } from '../../../../test/support/people.ts'
import { type Counts, hoursOf, today, watching } from '../../../../test/support/stored-hours.ts'
import { until } from '../../../../test/support/until.ts'
import { createSubscriptionAnswer } from '../../../contract/billing.ts'
import { addDays } from '../../../core/analytics/days.ts'

const account = 'agency@example.test'
const site = 'https://hours.example/'
const proSite = 'https://days-only.example/'

// The day after daylight saving time began, a day with 23 hours, lies within Google's ten days.
const test = appTest({ today: '2026-03-16', demo: false })
  .extend('agency', { scope: 'file' }, async ({ app }) => {
    await app.google.setMoment('2026-03-16T12:00:00-07:00')
    return watching(app, site, { email: account, plan: 'agency' })
  })
  .extend('pro', { scope: 'file' }, ({ app }) => watching(app, proSite, { email: 'pro@example.test', plan: 'pro' }))
  .extend('hours', { scope: 'file' }, ({ app, agency }) => hoursOf(app, agency, site))

test(
  'hours are stored as Google has them, from the first sync through a day in progress, refusals and plan changes to the end of a long downtime',
  { timeout: 240_000 },
  async ({ app, agency, hours: { atGoogle, stored, expectStoredAsAtGoogle, syncRow, askedAt, asked, hourRequests, laterAt, todayOf } }) => {
    // On the Agency plan, hours are stored at once, exactly as Google has them, with one request.
    {
      await asked()
      await expectStoredAsAtGoogle('2026-03-01', '2026-03-16')
      const spring = (await stored('2026-03-08', '2026-03-08')).map(({ hour }) => hour)
      expect(spring).toEqual([0, 1, ...Array.from({ length: 21 }, (_, i) => i + 3)])
      expect(await hourRequests()).toHaveLength(1)
      // They add up to the day.
      const day = await app.google.totals({ site, start: '2026-03-12', end: '2026-03-12' })
      const sum = (await stored('2026-03-12', '2026-03-12')).reduce((total, { clicks }) => total + clicks, 0)
      expect(sum).toBe(day.total.clicks)
    }

    // /api/today returns Google's figures for today and marks them as preliminary.
    {
      const answer = await todayOf()
      const google = await atGoogle('2026-03-16', '2026-03-16')
      const sum = (hours: readonly Counts[]) => hours.reduce((total, { clicks }) => total + clicks, 0)
      expect(answer).toMatchObject({ property: site, date: '2026-03-16', preliminary: true, clicks: sum(google) })
      expect(answer.hours.map(({ at, clicks, impressions }) => ({ at, clicks, impressions }))).toEqual(google)
      // At noon Google has hours up to ten; those up to six are complete.
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

    // Once an hour they are fetched again: later hours are added, revised ones replaced, none duplicated.
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

      // Not twice within the hour.
      await app.lookForDue()
      await refresh(agency, site)
      expect(await hourRequests()).toHaveLength(2)
      // Nothing is new: readers keep using the days of the last load.
      const loads = async () => {
        const query = `SELECT date, max(load) AS newest FROM facts_current WHERE grain = 'hour' GROUP BY date ORDER BY date`
        return (await (await app.stores()).clickhouse.query({ query, format: 'JSONEachRow' })).json()
      }
      const known = await loads()
      await refresh(agency, site)
      expect(await loads()).toEqual(known)
      await expectStoredAsAtGoogle('2026-03-01', '2026-03-16')
    }

    // A refresh ends when today is up to date as well.
    {
      await app.google.setMoment('2026-03-16T16:00:00-07:00')
      await app.google.delay(150, 'query')
      await refresh(agency, site)
      await app.google.delay(0)
      expect((await todayOf()).syncedAt).toBe('2026-03-16T23:00:00.000Z')
    }

    // Out of quota: the hours wait and resume without help; the days are not blamed.
    {
      await app.google.setMoment('2026-03-16T20:00:00-07:00')
      await app.google.fail({ error: 'rate429', times: 1000, kind: 'query', dims: ['hour'] })
      expect(await refresh(agency, site)).toMatchObject({ state: 'ok', message: null })
      await until(syncRow, (row) => row?.retry_at !== null)
      // A job that was enqueued while another one ran is refused as well, and sets the time of the next attempt again.
      await noJobsLeft(app, 'sync-hours')
      const retryAt = (await syncRow())?.retry_at
      expect(new Date(retryAt ?? 0) > app.google.now()).toBe(true)
      await app.google.forgetRequests()
      await app.lookForDue()
      await app.google.stopFailing()
      await laterAt(new Date(new Date(retryAt ?? 0).getTime() + 1000).toISOString())
      await asked()
      expect(await hourRequests()).toHaveLength(1)
      await expectStoredAsAtGoogle('2026-03-01', '2026-03-16')
    }

    // A dead token is recorded once, where the daily sync would record it; after reconnecting, the hours continue.
    {
      await app.google.call('POST', 'tokens/revoke', { account })
      await laterAt('2026-03-16T22:30:00-07:00')
      const status = await stoppedAs(agency, site, 'token_revoked')
      expect(status.message).toContain('Google access expired or was revoked')
      await app.google.forgetRequests()
      await laterAt('2026-03-16T23:59:00-07:00')
      await refresh(agency, site)
      expect(await hourRequests()).toEqual([])
      await throughConsent(agency, { account })
      await asked()
      await stoppedAs(agency, site, 'ok')
      await expectStoredAsAtGoogle('2026-03-01', '2026-03-16')
    }

    // A plan without hours stops them and keeps what is stored; a plan with hours restarts them at once.
    {
      const [kept, before] = [await stored('2026-03-10', '2026-03-16'), await askedAt()]
      const { status } = await agency.send('POST', '/api/create-subscription', { planType: 'free' })
      expect(status).toBe(200)
      expect((await today(agency, site)).locked).toBe("Your Free plan doesn't include hourly data. Available on the Agency plan.")
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

    // After weeks of downtime, Google's ten days are caught up; the day with 25 hours has them all, each in its place.
    {
      await laterAt('2026-11-03T12:00:00-08:00')
      await asked()
      await expectStoredAsAtGoogle('2026-10-24', '2026-11-03')
      const autumn = await stored('2026-11-01', '2026-11-01')
      expect(autumn.map(({ hour }) => hour)).toEqual([0, 1, 1, ...Array.from({ length: 22 }, (_, i) => i + 2)])
      // Earlier hours stay, although Google no longer keeps them.
      expect((await stored('2026-03-10', addDays('2026-03-10', 3))).length).toBe(4 * 24)
      expect((await statusOf(agency, site)).state).toBe('ok')
    }
  },
)

test('on other plans no hours are requested, and /api/today names the plans that have them', async ({ app, pro }) => {
  expect((await app.google.requests()).filter(({ siteUrl, dims }) => siteUrl === proSite && dims?.join() === 'hour')).toEqual([])
  const answer = await today(pro, proSite)
  expect(answer).toEqual({ locked: "Your Pro plan doesn't include hourly data. Available on the Agency plan.", today: null })
})
