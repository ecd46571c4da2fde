import { expect } from 'vitest'
import { reportFilesKept, reportsMadeADay, sharedFilesKept } from '../../src/contract/reports/limits.ts'
import { forgetOldReports, forgetSharedFiles } from '../../src/server/reports/sweep.ts'
import { appTest } from '../support/app-test.ts'
import { databaseTest } from '../support/database.ts'
import { ownerAtOnce } from '../support/stored-history.ts'

// An account that fills the database with report files.

const site = 'https://first.example/'
const test = appTest({ today: '2026-03-18', demo: false }).extend('attacker', { scope: 'file' }, ({ app }) =>
  ownerAtOnce(app, site, { profile: 'local', days: 3, email: 'attacker@example.test', plan: 'agency' }),
)

test('the number of reports made manually per day is limited', async ({ app, attacker }) => {
  const { sql } = await app.stores()
  const ask = () =>
    attacker.send('POST', '/api/report-runs', { subject: { property: site }, kind: 'week', paper: 'a4', start: '2025-03-03' })
  const today = app.google.now().toISOString().slice(0, 10)
  await sql(
    `INSERT INTO day_counts (what, whose, day, used) SELECT 'report-run', id, $1, $2 FROM users WHERE email = 'attacker@example.test'`,
    [today, reportsMadeADay - 1],
  )
  expect((await ask()).status).toBe(201)
  const message = "You've reached the limit of 100 reports a day. Try again tomorrow (UTC). Scheduled reports aren't affected."
  expect(await ask()).toMatchObject({ status: 429, body: { message } })
  await sql(`UPDATE day_counts SET day = '2026-03-17'`)
  expect((await ask()).status).toBe(201)
})

test('the number of stored files is limited, and opening an older one says why it is gone', async ({ app, attacker }) => {
  const { sql } = await app.stores()
  const rows = await sql<{ id: string }>(
    `INSERT INTO report_runs (user_id, property_id, scheduled, title, kind, paper, period_start, period_end, state, attempts, total,
       recipients, pdf, created_at)
     SELECT user_id, id, false, name, 'week', 'a4', '2026-03-09', '2026-03-15', 'done', 1, 1, '{}', '%PDF-', $2
     FROM properties, generate_series(1, $3) WHERE name = $1 RETURNING id`,
    [site, app.google.now(), reportFilesKept + 1],
  )
  const [oldest, next] = rows.map(({ id }) => id).toSorted((a, b) => Number(a) - Number(b))
  await app.send('report-sweep')
  const file = (id: string | undefined) => attacker.get(`/api/report-runs/${id}/report.pdf`)
  await expect.poll(async () => (await file(oldest)).status, { timeout: 30_000 }).toBe(404)
  const message = "This report's file was deleted: we keep your newest 500 files, up to 1 GB. Create the report again."
  expect(await file(oldest)).toMatchObject({ status: 404, body: { message } })
  expect((await file(next)).status).toBe(200)
})

const stored = databaseTest()
const mib = 1024 ** 2

stored(
  'the total size of stored files is limited; a file stays until its emails are sent',
  async ({ database: { db, pool, property } }) => {
    const id = await property('https://bytes.example/')
    const run = async (bytes: number): Promise<string> => {
      const { rows } = await pool.query<{ id: string }>(
        `INSERT INTO report_runs (user_id, property_id, scheduled, title, kind, paper, state, total, recipients, pdf, created_at)
       SELECT user_id, id, false, name, 'week', 'a4', 'done', 1, '{}', convert_to(repeat('x', $2), 'UTF8'), now() FROM properties WHERE id = $1
       RETURNING id::text`,
        [id, bytes],
      )
      return rows[0]?.id ?? ''
    }
    const kept = async () => {
      const { rows } = await pool.query<{ id: string }>('SELECT id::text FROM report_runs WHERE pdf IS NOT NULL ORDER BY report_runs.id')
      return rows.map((row) => row.id)
    }
    const [first, , third] = [await run(mib), await run(mib), await run(mib)]
    await pool.query(
      `INSERT INTO report_mails (run_id, user_id, address, state, next_attempt_at, give_up_at, created_at)
     SELECT id, user_id, 'bob@client.example', 'waiting', now(), now(), now() FROM report_runs WHERE id = $1`,
      [first],
    )
    const bounds = { files: reportFilesKept, bytes: 1.5 * mib }
    await forgetOldReports(db, new Date(), bounds)
    expect(await kept()).toEqual([first, third])
    await pool.query(`UPDATE report_mails SET state = 'sent'`)
    await forgetOldReports(db, new Date(), bounds)
    expect(await kept()).toEqual([third])
  },
)

stored(
  "the number and total size of shared links' files are limited, and they are kept for a day",
  async ({ database: { db, pool, property } }) => {
    const id = await property('https://shared.example/')
    const share = async (token: string, bytes: number): Promise<{ id: number; userId: string }> => {
      const { rows } = await pool.query<{ id: string; user_id: string }>(
        `INSERT INTO report_shares (user_id, property_id, title, kind, period_start, period_end, token_hash, token_sealed, created_at,
         expires_at, pdf, pdf_key)
       SELECT user_id, id, name, 'week', '2026-03-09', '2026-03-15', $2, '', now(), now() + interval '7 days',
         convert_to(repeat('x', $3), 'UTF8'), 'key'
       FROM properties WHERE id = $1 RETURNING id::text, user_id`,
        [id, token, bytes],
      )
      return { id: Number(rows[0]?.id), userId: rows[0]?.user_id ?? '' }
    }
    const kept = async () => {
      const { rows } = await pool.query<{ id: string }>(
        'SELECT id::text FROM report_shares WHERE pdf IS NOT NULL ORDER BY report_shares.id',
      )
      return rows.map((row) => Number(row.id))
    }
    const ids: number[] = []
    let owner = ''
    for (let made = 0; made <= sharedFilesKept; made++) {
      const added = await share(`token${made}`, 10)
      ids.push(added.id)
      owner = added.userId
    }
    // The one just rendered stays, however old its link; of the others, the newest.
    const [oldest = 0, next = 0] = ids
    await forgetSharedFiles(db, owner, oldest)
    expect(await kept()).toEqual(ids.filter((each) => each !== next))
    const large = await share('large', mib)
    await forgetSharedFiles(db, owner, large.id, { files: 100, bytes: mib + 10 })
    expect(await kept()).toEqual([ids.at(-1), large.id])

    await forgetOldReports(db, new Date())
    expect(await kept()).toEqual([])
  },
)
