import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { startGoogle } from '../../../emulators/google/server.ts'
import { generousQuotas, unused } from '../../../test/support/app.ts'
import { throughConsent } from '../../../test/support/consent.ts'
import { createControl } from '../../../test/support/google-control.ts'
import { googleEnv } from '../../../test/support/google-env.ts'
import { sendJob } from '../../../test/support/jobs.ts'
import { backfillFrom, select } from '../../../test/support/people.ts'
import { startServerProcess } from '../../../test/support/server-process.ts'
import { openHome } from '../../../test/support/snapshots.ts'
import { openSql, type Sql } from '../../../test/support/stores.ts'
import { until } from '../../../test/support/until.ts'
import { createVisitor } from '../../../test/support/visitor.ts'
import { evaluateAnswer } from '../../contract/alerts/alerts.ts'
import { addDays, pacificDay } from '../../core/analytics/days.ts'

const site = 'https://falls.example/'
const account = 'owner@example.test'

test('an evaluation killed with kill -9 stores nothing, and the next start opens each alert once', async () => {
  const home = await openHome(unused)
  const google = await startGoogle()
  const control = createControl(google.url)
  const start = () => startServerProcess({ DATA_DIR: home.dataDir, DATABASE_URL: home.databaseUrl, DEMO: '0', ...googleEnv(google) })
  let server = await start()
  const { sql, close } = await openSql(home.dataDir)
  const reader = new pg.Client({ connectionString: home.databaseUrl })
  await reader.connect()
  onTestFinished(async () => {
    await Promise.all([reader.end(), close(), server.stop()])
    await google.close()
    await home.remove()
  })
  await control.call('PUT', 'quotas', generousQuotas)
  await control.account(account, { [site]: 'empty' })
  const today = pacificDay(new Date())
  const through = addDays(today, -3)
  await control.call('PUT', 'late', { site, days: 3 })
  const page = (clicks: number) => [{ query: 'lamp', page: `${site}lamps`, clicks, impressions: clicks * 10, position: 4 }]
  await control.setDays(site, { from: addDays(today, -70), to: addDays(through, -7) }, page(100))
  await control.setDays(site, { from: addDays(through, -6), to: today }, page(20))
  const owner = createVisitor(() => server.url)
  await throughConsent(owner, { account })
  await backfillFrom(sql, site, addDays(today, -70))

  // The alerts are written, and recording their events has to wait.
  await reader.query('BEGIN')
  await reader.query('LOCK TABLE alert_events IN SHARE MODE')
  await select(owner, site)
  await until(
    () => noting(sql),
    (count) => count === 1,
    120_000,
  )
  await server.kill()
  await reader.query('COMMIT')
  await until(
    () => noting(sql),
    (count) => count === 0,
    30_000,
  )
  expect(await stored(sql)).toEqual({ alerts: 0, events: 0, due: 1 })

  server = await start()
  await sendJob(home.dataDir, 'alerts-due')
  const found = await until(
    () => stored(sql),
    ({ due }) => due === 0,
    120_000,
  )
  expect(found.alerts).toBeGreaterThan(0)
  expect(found.events).toBe(found.alerts)
  const entities = await sql<{ leads: boolean; entityKind: string; state: string }>(
    `SELECT part_of IS NULL AS leads, entity_kind AS "entityKind", state FROM alerts WHERE type = 'clicks' ORDER BY part_of NULLS FIRST, id`,
  )
  expect(entities.filter(({ leads }) => leads)).toHaveLength(1)
  expect(new Set(entities.map(({ state }) => state))).toEqual(new Set(['firing']))
  // A manual evaluation finds nothing new.
  const again = await owner.send('POST', `/api/alerts/evaluate?property=${encodeURIComponent(site)}`)
  expect(evaluateAnswer.parse(again.body).count).toBe(0)
  expect(await stored(sql)).toEqual(found)
}, 300_000)

/** Evaluations that wait to record what happened to their alerts. */
async function noting(sql: Sql): Promise<number> {
  const rows = await sql(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query ILIKE 'insert into "alert_events"%' AND wait_event_type = 'Lock'`,
  )
  return rows.length
}

async function stored(sql: Sql): Promise<{ alerts: number; events: number; due: number }> {
  const [row] = await sql<{ alerts: number; events: number; due: number }>(
    `SELECT (SELECT count(*)::int FROM alerts) AS alerts, (SELECT count(*)::int FROM alert_events) AS events,
       (SELECT count(*)::int FROM property_syncs LEFT JOIN alert_watches USING (property_id)
         WHERE judged_version IS DISTINCT FROM facts_version) AS due`,
  )
  return row ?? { alerts: -1, events: -1, due: -1 }
}
