import { describe, expect, onTestFinished } from 'vitest'
import type { TestApp } from '../../../test/support/app.ts'
import { appTest } from '../../../test/support/app-test.ts'
import { throughConsent } from '../../../test/support/consent.ts'
import { noJobsLeft, runJob } from '../../../test/support/jobs.ts'
import { refresh, stoppedAs } from '../../../test/support/people.ts'
import { ownerAtOnce } from '../../../test/support/stored-history.ts'
import { until } from '../../../test/support/until.ts'
import { alertReport, alerts, type Alert } from '../../contract/alerts/alerts.ts'

const today = '2026-03-18'
const dayMs = 24 * 3_600_000
/** A user with stored days, and the alerts about their connection. */
async function connected(app: TestApp, name: string) {
  const [site, email] = [`https://${name}.example/`, `${name}@example.test`]
  const owner = await ownerAtOnce(app, site, { profile: 'local', days: 15, email })
  const all = async (): Promise<Alert[]> =>
    alerts.parse((await owner.get('/api/alerts')).body).filter(({ entity }) => entity.kind === 'connection')
  const lookUntil = async (isWanted: (found: Alert[]) => boolean): Promise<Alert[]> => {
    await app.send('alerts-due')
    return until(all, isWanted)
  }
  return { site, email, owner, all, lookUntil }
}
const open = (found: Alert[]) => found.filter(({ state }) => state === 'firing')

const test = appTest({ today, demo: false })

describe('a token that dies', { tags: ['full'] }, () => {
  async function revoked(app: TestApp, name: string) {
    const person = await connected(app, name)
    expect(await person.all()).toEqual([])
    await app.google.call('POST', 'tokens/expire-refresh', { account: person.email })
    await app.google.call('POST', 'tokens/expire-access', { account: person.email })
    await refresh(person.owner, person.site)
    await stoppedAs(person.owner, person.site, 'token_revoked')
    const [alert] = await person.lookUntil((found) => found.length > 0)
    return { ...person, alert }
  }

  test('is one alert, with the way to fix it', async ({ app }) => {
    const { site, alert } = await revoked(app, 'revoked')
    expect(alert).toMatchObject({
      severity: 'critical',
      title: 'Google access was revoked',
      entity: { kind: 'connection', name: 'token_revoked' },
      state: 'firing',
      target: site,
      currentValue: null,
      data: [],
      action: { label: 'Reconnect Google', href: '/api/auth/google?redirect=/dashboard' },
    })
    expect(alert!.description).toContain('Reconnect your Google account')
  })

  test('is sent once, not daily', async ({ app }) => {
    const { all } = await revoked(app, 'daily')
    onTestFinished(() => app.google.setNow(today))
    for (let day = 0; day < 3; day++) {
      app.google.advance(dayMs)
      await runJob(app, 'alerts-due')
      await app.lookForDue()
    }
    await noJobsLeft(app, 'alerts-due')
    expect(await all()).toHaveLength(1)
  })

  test('recovers when the account is reconnected', async ({ app }) => {
    const { site, email, owner, lookUntil } = await revoked(app, 'again')
    await throughConsent(owner, { account: email })
    await refresh(owner, site)
    const [alert] = await lookUntil((found) => found.every(({ state }) => state === 'recovered'))
    const { timeline } = alertReport.parse((await owner.get(`/api/alerts/${alert!.id}`)).body)
    expect(timeline).toMatchObject([
      { from: null, to: 'firing', reason: 'token_revoked', by: null },
      { from: 'firing', to: 'recovered', reason: 'works_again', by: null },
    ])
  })
})

describe('a revoked permission', () => {
  test('is an alert about that property, which ends when the permission returns', async ({ app }) => {
    const { site, email, owner, lookUntil } = await connected(app, 'permitted')
    await app.google.permit(email, site, null)
    await refresh(owner, site)
    await stoppedAs(owner, site, 'permission_missing')
    expect(open(await lookUntil((found) => open(found).length > 0))).toMatchObject([
      { title: 'No permission to read this property', action: { label: 'Open Search Console' } },
    ])
    await app.google.permit(email, site, 'siteOwner')
    await refresh(owner, site)
    await lookUntil((found) => open(found).length === 0)
  })
})

describe('what is only hidden', () => {
  const states = async (app: TestApp, site: string, { account = 'ok', own = 'ok' }) => {
    const { sql } = await app.stores()
    await sql(
      `UPDATE google_connections SET state = $2 FROM properties WHERE properties.name = $1 AND google_connections.user_id = properties.user_id`,
      [site, account],
    )
    await sql(`UPDATE property_syncs SET state = $2 FROM properties WHERE properties.name = $1 AND properties.id = property_id`, [
      site,
      own,
    ])
    await runJob(app, 'alerts-due')
  }
  const causes = (found: Alert[]) => open(found).map(({ entity }) => entity.name)

  test(
    "a problem that another one hides stays open: nobody is told that it was resolved, and it isn't sent again",
    { tags: ['full'] },
    async ({ app }) => {
      const { site, all } = await connected(app, 'hidden')
      await states(app, site, { own: 'permission_missing' })
      for (const account of ['api_disabled', 'token_revoked', 'ok']) {
        await states(app, site, { account, own: 'google_unavailable' })
        expect(causes(await all())).toContain('permission_missing')
      }
      expect(causes(await all())).toEqual(['permission_missing'])
      await states(app, site, { own: 'permission_missing' })
      await states(app, site, {})
      const found = await all()
      expect(causes(found)).toEqual([])
      expect(found.map(({ entity }) => entity.name).toSorted()).toEqual(['api_disabled', 'permission_missing', 'token_revoked'])
    },
  )

  test(
    "a paused property's problem stays open and isn't sent again when it resumes; once it works, that is announced",
    { tags: ['full'] },
    async ({ app }) => {
      const { site, all } = await connected(app, 'paused')
      const pause = async (isPaused: boolean) => {
        const { sql } = await app.stores()
        const pausedAt = isPaused ? app.google.now() : null
        await sql('UPDATE properties SET monitored = $2, paused_at = $3 WHERE name = $1', [site, !isPaused, pausedAt])
      }
      for (const problem of [{ own: 'permission_missing' }, { account: 'token_revoked' }]) {
        await states(app, site, problem)
        const [first, ...others] = open(await all())
        expect(others).toEqual([])
        await pause(true)
        await states(app, site, problem)
        await pause(false)
        await states(app, site, problem)
        expect(open(await all()).map(({ id }) => id)).toEqual([first?.id])
        await states(app, site, {})
        expect(open(await all())).toEqual([])
      }
    },
  )

  test(
    'an account that can be asked again, but not for its data, has a different problem than before',
    { tags: ['full'] },
    async ({ app }) => {
      const { site, all } = await connected(app, 'another')
      await states(app, site, { account: 'scope_missing' })
      await states(app, site, { account: 'token_revoked' })
      expect(causes(await all()).toSorted()).toEqual(['scope_missing', 'token_revoked'])
      await states(app, site, { account: 'scope_missing' })
      expect(causes(await all())).toEqual(['scope_missing'])
    },
  )

  test(
    'a late-data alert stays open while access is revoked, and after hours without a server, until new days come',
    { tags: ['full'] },
    async ({ app }) => {
      const { site, all } = await connected(app, 'overdue')
      onTestFinished(() => app.google.setNow(today))
      const { sql } = await app.stores()
      const through = (day: string, hours: number) =>
        sql(
          `UPDATE property_syncs SET complete_through = $2, last_synced_at = $3::timestamptz - make_interval(hours => $4)
          FROM properties WHERE properties.name = $1 AND properties.id = property_id`,
          [site, day, app.google.now(), hours],
        )
      await through('2026-03-08', 1)
      await states(app, site, {})
      expect(causes(await all())).toEqual(['data_late'])
      await states(app, site, { account: 'token_revoked' })
      expect(causes(await all()).toSorted()).toEqual(['data_late', 'token_revoked'])
      await through('2026-03-08', 13)
      await states(app, site, {})
      expect(causes(await all())).toEqual(['data_late'])
      await through('2026-03-15', 0)
      await states(app, site, {})
      expect(causes(await all())).toEqual([])
      expect(await all()).toHaveLength(2)
    },
  )
})

describe('missing data', () => {
  test('for more than four days beyond the usual three is an alert; the next complete day ends it', { tags: ['full'] }, async ({ app }) => {
    const { site, owner, all, lookUntil } = await connected(app, 'late')
    onTestFinished(() => app.google.setToday(today))
    await app.google.call('PUT', 'late', { site, days: 7 })
    await app.google.setToday('2026-03-22')
    await refresh(owner, site)
    await runJob(app, 'alerts-due')
    expect(open(await all())).toEqual([])
    await app.google.call('PUT', 'late', { site, days: 20 })
    await app.google.setToday('2026-03-27')
    await refresh(owner, site)
    expect(open(await lookUntil((found) => open(found).length > 0))).toMatchObject([
      { title: 'Data is late', severity: 'warning', entity: { name: 'data_late' } },
    ])
    await app.google.call('PUT', 'late', { site, days: 3 })
    await refresh(owner, site)
    await lookUntil((found) => open(found).length === 0)
  })

  test('causes none if nobody asked for it because the server was off', async ({ app }) => {
    const { all } = await connected(app, 'off')
    onTestFinished(() => app.google.setNow(today))
    app.google.advance(30 * dayMs)
    await runJob(app, 'alerts-due')
    expect(open(await all())).toEqual([])
  })
})
