import { expect, onTestFinished } from 'vitest'
import type { Person } from '../../src/server/accounts/service.ts'
import { createEngine, type EngineDeps } from '../../src/server/reports/engine.ts'
import { makeRun } from '../../src/server/reports/make-run.ts'
import { WaitedTooLong } from '../../src/server/platform/active-time.ts'
import { openQueue } from '../../src/server/platform/queue.ts'
import { databaseTest, type TestDatabase } from '../support/database.ts'
import { sampleReport } from '../support/periodic-report.ts'
import { silentLog } from '../support/platform.ts'
import { until } from '../support/until.ts'

// An account whose reports take as long as they may, one after the other.

const test = databaseTest()
const month = { start: '2026-10-01', end: '2026-10-31' }

/** What a process makes reports from; those on slow properties are read until `end` is called. */
async function desk({ db, pool, url, property }: TestDatabase) {
  const queue = await openQueue({ url, log: silentLog, worker: true })
  onTestFinished(() => queue.close(1000))
  const reading = Promise.withResolvers<void>()
  const deps = {
    db,
    queue,
    config: {},
    accounts: { person: async (id: string) => ({ id, plan: 'agency' }) as Person },
    periodic: {
      async report(_: Person, { name }: { name: string }) {
        if (name.includes('slow')) await reading.promise
        return sampleReport(name)
      },
    },
    brands: { inForce: async () => null },
    pageOf: async () => null,
    clock: { now: () => new Date() },
    log: silentLog,
  } as unknown as EngineDeps
  async function run(name: string, count = 1) {
    const id = await property(name)
    const { rows } = await pool.query<{ id: number; userId: string }>(
      `INSERT INTO report_runs (user_id, property_id, scheduled, title, kind, paper, period_start, state, total, recipients, created_at)
      SELECT user_id, id, false, name, 'month', 'a4', $2, 'waiting', 1, '{}', now() FROM properties, generate_series(1, $3) WHERE id = $1
      RETURNING id::int, user_id AS "userId"`,
      [id, month.start, count],
    )
    return rows
  }
  const stored = async (title: string) =>
    (await pool.query<object>('SELECT state, attempts, detail FROM report_runs WHERE title = $1 ORDER BY id', [title])).rows as {
      state: string
      attempts: number
      detail: string | null
    }[]
  return { deps, run, stored, end: reading.resolve }
}

test("one account's slow reports leave a place for everybody else's", { timeout: 120_000 }, async ({ database }) => {
  const { deps, run, stored, end } = await desk(database)
  const engine = await createEngine(deps)
  const [slow, quick] = ['https://slow.example/', 'https://quick.example/']
  for (const each of await run(slow, 5)) await engine.enqueue(each, deps.db)
  await engine.work()
  const states = async (title: string) => (await stored(title)).map(({ state }) => state)
  await until(
    () => states(slow),
    (all) => all.includes('running'),
  )
  for (const each of await run(quick)) await engine.enqueue(each, deps.db)
  await until(
    () => states(quick),
    ([state]) => state === 'done',
    60_000,
  )
  expect((await states(slow)).toSorted()).toEqual(['running', 'waiting', 'waiting', 'waiting', 'waiting'])
  end()
  await until(
    () => states(slow),
    (all) => all.every((state) => state === 'done'),
    60_000,
  )
})

test('a report whose data takes too long to read ends at once, and says what helps', async ({ database }) => {
  const { deps, run, stored } = await desk(database)
  const title = 'https://slow.example/all/'
  const [made] = await run(title)
  const limited = (activeMs: number, waitMs: number) =>
    makeRun({ ...deps, sendSoon: async () => {}, limits: { activeMs, waitMs } }, made!.id, new AbortController().signal)

  // Others' queries are no fault of its own.
  await expect(limited(60_000, 0)).rejects.toThrow(WaitedTooLong)
  expect(await stored(title)).toEqual([{ state: 'running', attempts: 0, detail: null }])
  await limited(50, 60_000)
  const detail =
    "Reading this report's data took longer than five minutes. Choose fewer properties, a simpler segment, or no segment at all."
  expect(await stored(title)).toEqual([{ state: 'failed', attempts: 1, detail }])
})
