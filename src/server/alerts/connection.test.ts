import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { throughConsent } from '../../../test/support/consent.ts'
import { sendJob } from '../../../test/support/jobs.ts'
import { refresh, stoppedAs } from '../../../test/support/people.ts'
import { ownerAtOnce } from '../../../test/support/stored-history.ts'
import { until } from '../../../test/support/until.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { alertReport, alerts, type Alert } from '../../contract/alerts.ts'

const site = 'https://connected.example/'
const email = 'owner@example.test'
const dayMs = 24 * 3_600_000
let app: TestApp
let owner: Visitor

beforeAll(async () => {
  app = await startTestApp({ today: '2026-03-18', demo: false })
  owner = await ownerAtOnce(app, site, { profile: 'local', days: 15, email })
})
afterAll(() => app.close())

const all = async (): Promise<Alert[]> =>
  alerts.parse((await owner.get('/api/alerts')).body).filter(({ entity }) => entity.kind === 'connection')
const look = () => sendJob(app.dataDir, 'alerts-due')
const lookUntil = async (isWanted: (found: Alert[]) => boolean): Promise<Alert[]> => {
  await look()
  return until(all, isWanted)
}

describe('a token that dies', { tags: ['full'] }, () => {
  test('is one alert, with the way to mend it', async () => {
    expect(await all()).toEqual([])
    await app.google.call('POST', 'tokens/expire-refresh', { account: email })
    await app.google.call('POST', 'tokens/expire-access', { account: email })
    await refresh(owner, site)
    await stoppedAs(owner, site, 'token_revoked')
    const [alert] = await lookUntil((found) => found.length > 0)
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
    expect(alert!.description).toContain('Connect your Google account again')
  })

  test('is told once, not daily', async () => {
    for (let day = 0; day < 3; day++) {
      app.google.advance(dayMs)
      await look()
      await app.lookForDue()
    }
    await until(
      async () =>
        (await (await app.stores()).sql(`SELECT 1 FROM jobs.job WHERE name = 'alerts-due' AND state IN ('created', 'active', 'retry')`))
          .length,
      (left) => left === 0,
    )
    expect(await all()).toHaveLength(1)
  })

  test('recovers when the account is connected again', async () => {
    app.google.setNow('2026-03-18')
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

describe('a permission that is taken away', () => {
  test('is an alert of that property, and its return ends it', async () => {
    await app.google.permit(email, site, null)
    await refresh(owner, site)
    await stoppedAs(owner, site, 'permission_missing')
    const open = (found: Alert[]) => found.filter(({ state }) => state === 'firing')
    expect(open(await lookUntil((found) => open(found).length > 0))).toMatchObject([
      { title: 'No permission to read this property', action: { label: 'Open Search Console' } },
    ])
    await app.google.permit(email, site, 'siteOwner')
    await refresh(owner, site)
    await lookUntil((found) => open(found).length === 0)
  })
})

describe('data that stays away', () => {
  test('for more than four days beyond the usual three is an alert; the next complete day ends it', { tags: ['full'] }, async () => {
    const open = (found: Alert[]) => found.filter(({ state }) => state === 'firing')
    await app.google.call('PUT', 'late', { site, days: 7 })
    await app.google.setToday('2026-03-22')
    await refresh(owner, site)
    await look()
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

  test('because nobody asked for it, the server having been off, is none', async () => {
    app.google.advance(30 * dayMs)
    await look()
    expect((await all()).filter(({ state }) => state === 'firing')).toEqual([])
  })
})
