import { expect, test as vitest } from 'vitest'
import { startTestApp } from '../../../test/support/app.ts'
import { startClickHouseFront } from '../../../test/support/clickhouse-front.ts'
import { hasten } from '../../../test/support/jobs.ts'
import { backfillFrom, newPerson, synced } from '../../../test/support/people.ts'
import { until } from '../../../test/support/until.ts'
import { type ReportRun, reportRun } from '../../contract/reports/reports.ts'

// A report is made later if ClickHouse is down, or the server stops, in the middle of it.

const site = 'https://first.example/'

const test = vitest
  .extend('front', { scope: 'file' }, async ({}, { onCleanup }) => {
    const front = await startClickHouseFront()
    onCleanup(() => front.close())
    return front
  })
  .extend('app', { scope: 'file' }, async ({ front }, { onCleanup }) => {
    const app = await startTestApp({ today: '2026-03-18', demo: false, env: { CLICKHOUSE_URL: front.url }, graceMs: 1_000 })
    onCleanup(async () => {
      await front.fail({ kind: 'none' })
      await app.close()
    })
    return app
  })
  .extend('owner', { scope: 'file' }, async ({ app }) => {
    const owner = await newPerson(app, { email: 'owner@example.test', sites: { [site]: 'local' }, plan: 'pro' })
    await backfillFrom((await app.stores()).sql, site, '2026-03-02')
    expect((await owner.send('POST', '/api/gsc-properties/monitor', { sites: [site] })).status).toBe(200)
    await synced(owner, site, 120_000)
    return owner
  })
  .extend('runs', { scope: 'file' }, ({ app, owner }) => {
    const sql = async <Row extends object>(text: string, values: unknown[] = []) => (await app.stores()).sql<Row>(text, values)
    async function started(start: string): Promise<string> {
      const answer = await owner.send('POST', '/api/report-runs', { subject: { property: site }, kind: 'week', paper: 'a4', start })
      return reportRun.parse(answer.body).id
    }
    const look = async (id: string): Promise<ReportRun> => reportRun.parse((await owner.get(`/api/report-runs/${id}`)).body)
    /** Skips the pauses between attempts. */
    const hastened = async <T>(answer: () => Promise<T>): Promise<T> => {
      await hasten((await app.stores()).sql, 'report-runs')
      return answer()
    }
    const finished = (id: string) =>
      until(
        () => hastened(() => look(id)),
        ({ state }) => state === 'done' || state === 'failed',
      )
    const attemptsOf = async (id: string) =>
      Number((await sql<{ attempts: number }>('SELECT attempts FROM report_runs WHERE id = $1', [id]))[0]?.attempts)
    /** The queue's retries of the run. */
    const retriesOf = async (id: string) =>
      Number(
        (await sql<{ n: number }>(`SELECT retry_count AS n FROM jobs.job WHERE name = 'report-runs' AND singleton_key = $1`, [id]))[0]?.n ??
          0,
      )
    return { sql, started, look, hastened, finished, attemptsOf, retriesOf }
  })

test('ClickHouse can be down for longer than three attempts take', async ({
  front,
  runs: { started, look, hastened, finished, attemptsOf, retriesOf },
}) => {
  await front.fail({ kind: 'refuse' })
  const id = await started('2026-03-09')
  await until(
    () => hastened(() => retriesOf(id)),
    (retries) => retries >= 3,
  )
  expect((await look(id)).state).not.toBe('failed')
  await front.fail({ kind: 'none' })
  expect(await finished(id)).toMatchObject({ state: 'done', detail: null })
  expect(await attemptsOf(id)).toBe(1)
})

test('a report is abandoned with a message when ClickHouse is down for a day', async ({
  front,
  app,
  runs: { started, finished, retriesOf },
}) => {
  await front.fail({ kind: 'refuse' })
  const id = await started('2026-03-02')
  await until(
    () => retriesOf(id),
    (retries) => retries >= 1,
  )
  const now = app.google.now()
  app.google.advance(25 * 3_600_000)
  await app.send('report-runs', { run: Number(id) })
  const { state, detail } = await finished(id)
  expect([state, detail]).toEqual([
    'failed',
    expect.stringContaining("We couldn't read the data because part of this installation was down for a full day"),
  ])
  app.google.advance(now.getTime() - app.google.now().getTime())
  await front.fail({ kind: 'none' })
})

test('a server that stops midway doesn’t use up an attempt', async ({ front, app, runs: { started, finished, attemptsOf } }) => {
  // Longer than the server waits for work in progress.
  await front.fail({ kind: 'delay', ms: 60_000 })
  const id = await started('2026-03-02')
  await until(
    () => attemptsOf(id),
    (attempts) => attempts === 1,
  )
  await app.restart(() => front.fail({ kind: 'none' }))
  expect(await finished(id)).toMatchObject({ state: 'done' })
  expect(await attemptsOf(id)).toBe(1)
})
