import { describe, expect, vi } from 'vitest'
import { appTest } from '../../../../test/support/app-test.ts'
import type { z } from 'zod'
import { runJob } from '../../../../test/support/jobs.ts'
import { ownerAtOnce } from '../../../../test/support/stored-history.ts'
import { until } from '../../../../test/support/until.ts'
import type { Answer } from '../../../../test/support/visitor.ts'
import { reportRun, reportRuns, reportSchedule, reportSchedules, reportShareMade } from '../../../contract/reports/reports.ts'

// Schedules over time: changed, switched off, left by recipients, and no longer in the plan.

const site = 'https://first.example/'
const week = { start: '2026-03-09', end: '2026-03-15' }

vi.setConfig({ testTimeout: 180_000 })

/** On the day a week has become complete. */
const test = appTest({ today: '2026-03-18', demo: false })
  .extend('owner', { scope: 'file' }, async ({ app }) => {
    const owner = await ownerAtOnce(app, site, { profile: 'local', days: 18, email: 'owner@example.test', plan: 'agency' })
    expect((await owner.send('POST', '/api/delivery-settings', { emailEnabled: false })).status).toBe(201)
    return owner
  })
  .extend('desk', { scope: 'file' }, ({ app, owner }) => {
    const sql = async <Row extends object>(text: string, values: unknown[] = []) => (await app.stores()).sql<Row>(text, values)
    const plan = (name: string) => sql(`UPDATE people SET plan = $1`, [name])
    /** Its new recipients have agreed. */
    const add = async (change: object = {}) => {
      const made = ok(reportSchedule, await owner.send('POST', '/api/report-schedules', fields(change)))
      await sql('UPDATE report_recipients SET confirmed_at = now() WHERE unsubscribed_at IS NULL')
      return made
    }
    const put = (id: string, change: object = {}) => owner.send('PUT', `/api/report-schedules/${id}`, fields(change))
    const listed = async (id: string) =>
      ok(reportSchedules, await owner.get('/api/report-schedules')).schedules.find((schedule) => schedule.id === id)
    const remove = async (id: string) => expect((await owner.send('DELETE', `/api/report-schedules/${id}`)).status).toBe(204)
    /** As if it were the owner's digest hour. */
    async function lookNow(): Promise<void> {
      await sql('UPDATE report_schedules SET look_at = $1', [app.google.now()])
      await runJob(app, 'report-due')
    }
    const scheduledRuns = (id: string) =>
      sql<{ kind: string; start: string }>(
        `SELECT kind, period_start::text AS start FROM report_runs WHERE scheduled AND schedule_id = $1 ORDER BY id`,
        [id],
      )
    const mailsOf = (address: string) =>
      sql<{ id: string; state: string }>(`SELECT id, state FROM report_mails WHERE lower(address) = lower($1) ORDER BY id`, [address])
    /** Sends the latest report to the schedule's recipients. */
    async function sendNow(schedule: string): Promise<void> {
      const body = { subject: { property: site }, kind: 'week', paper: 'a4', start: week.start, schedule }
      const { id } = ok(reportRun, await owner.send('POST', '/api/report-runs', body))
      const run = await until(
        async () => ok(reportRun, await owner.get(`/api/report-runs/${id}`)),
        ({ state }) => state === 'done' || state === 'failed',
        150_000,
      )
      expect(run.state).toBe('done')
    }
    return { sql, plan, add, put, listed, remove, lookNow, scheduledRuns, mailsOf, sendNow }
  })
test.beforeEach(({ app }) => app.mail.clear())

const ok = <T extends z.ZodType>(schema: T, { status, body }: Answer): z.infer<T> => {
  if (status !== 200 && status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return schema.parse(body)
}
const fields = (change: object = {}) => ({
  subject: { property: site },
  kind: 'week',
  paper: 'a4',
  enabled: true,
  recipients: ['ann@client.example'],
  ...change,
})

describe('a recipient with a pending email', () => {
  test(
    'doesn’t get it if the owner removed them in the meantime',
    { tags: ['full'] },
    async ({ app, desk: { sql, add, put, remove, mailsOf, sendNow } }) => {
      const { id } = await add({ recipients: ['ann@client.example', 'Bob@client.example'] })
      await app.mail.setListening(false)
      await sendNow(id)
      // None is under way anymore.
      await until(
        () => sql('SELECT id FROM report_mails WHERE detail IS NOT NULL'),
        (tried) => tried.length === 2,
      )
      expect((await put(id, { recipients: ['ann@client.example'] })).status).toBe(200)
      await app.mail.setListening(true)
      await sql('UPDATE report_mails SET next_attempt_at = $1', [app.google.now()])
      await runJob(app, 'report-mails')
      expect((await mailsOf('ann@client.example')).map(({ state }) => state)).toEqual(['sent'])
      expect(await mailsOf('bob@client.example')).toEqual([])
      expect((await app.mail.mails('bob@client.example')).filter(({ subject }) => subject.startsWith('Weekly'))).toEqual([])
      await remove(id)
    },
  )

  test('can unsubscribe for good, even while removed', async ({ app, desk: { add, put, remove, sendNow } }) => {
    const { id } = await add({ recipients: ['ann@client.example', 'carl@client.example'] })
    await sendNow(id)
    const mail = await app.mail.mailTo('carl@client.example', { subject: /^Weekly report/ })
    const url = /^<(.+)>$/.exec(mail.header('list-unsubscribe') ?? '')?.[1] ?? ''
    expect((await put(id, { recipients: ['ann@client.example'] })).status).toBe(200)
    expect(await (await fetch(url)).text()).toContain('<button>Unsubscribe</button>')
    expect((await fetch(url, { method: 'POST' })).status).toBe(200)
    expect(await (await fetch(url)).text()).toContain('These reports are no longer sent to')
    const back = await put(id, { recipients: ['ann@client.example', 'Carl@client.example'] })
    expect([back.status, (back.body as { message: string }).message]).toEqual([
      409,
      'Carl@client.example has unsubscribed from your reports. Remove this address.',
    ])
    await remove(id)
  })
})

describe('a schedule that can’t send', () => {
  test('can be turned off when it has no recipients, but not on again without one', async ({ desk: { sql, add, put, listed, remove } }) => {
    const { id } = await add()
    await sql(`UPDATE report_schedules SET recipients = '{}', unsubscribed = '{ann@client.example}' WHERE id = $1`, [id])
    expect((await listed(id))?.problem).toBe('Every recipient has unsubscribed. Add another one to resume.')
    expect(ok(reportSchedule, await put(id, { recipients: [], enabled: false }))).toMatchObject({ enabled: false, problem: null })
    const on = await put(id, { recipients: [] })
    expect([on.status, (on.body as { message: string }).message]).toEqual([400, 'Add at least one recipient'])
    await remove(id)
  })

  test('can be turned off while its property is disconnected, but can’t be changed to another disconnected one', async ({
    desk: { sql, add, put, listed, remove },
  }) => {
    const { id } = await add()
    await sql('UPDATE properties SET detached_at = now() WHERE name = $1', [site])
    expect((await listed(id))?.problem).toContain("belongs to a Google account that isn't connected")
    expect((await put(id)).status).toBe(404)
    expect((await put(id, { subject: { property: 'https://other.example/' }, enabled: false })).status).toBe(404)
    expect(ok(reportSchedule, await put(id, { enabled: false }))).toMatchObject({ enabled: false, title: site })
    await sql('UPDATE properties SET detached_at = NULL WHERE name = $1', [site])
    await remove(id)
  })
})

test(
  'after a downgrade, emails link to the app, because shared links no longer work',
  { tags: ['full'] },
  async ({ app, owner, desk: { plan, add, remove, sendNow } }) => {
    const made = ok(
      reportShareMade,
      await owner.send('POST', '/api/report-shares', { subject: { property: site }, kind: 'week', start: week.start, days: 30 }),
    )
    const { id } = await add({ recipients: ['dora@client.example'] })
    await sendNow(id)
    expect((await app.mail.mailTo('dora@client.example', { subject: /^Weekly report/ })).links).toContain(made.url)
    await app.mail.clear()
    await plan('pro')
    await sendNow(id)
    const { links } = await app.mail.mailTo('dora@client.example', { subject: /^Weekly report/ })
    expect(links).toContain(`${app.url}/reports?${new URLSearchParams({ property: site, kind: 'week', start: week.start })}`)
    expect(links).not.toContain(made.url)
    await plan('agency')
    await remove(id)
  },
)

describe('a schedule whose frequency changes', () => {
  test('sends the first month even after a week that started later, and nothing twice', async ({
    app,
    owner,
    desk: { sql, add, put, listed, remove, lookNow, scheduledRuns },
  }) => {
    const { id } = await add()
    await sql(`UPDATE report_schedules SET first_start = '2026-03-02' WHERE id = $1`, [id])
    await lookNow()
    expect(await scheduledRuns(id)).toEqual([{ kind: 'week', start: week.start }])

    for (const kind of ['month', 'week', 'month']) expect((await put(id, { kind })).status).toBe(200)
    await lookNow()
    expect(await scheduledRuns(id)).toHaveLength(1)

    // Five days after its end, a month's report is sent with what there is.
    await app.google.setMoment('2026-04-01T20:00:00Z')
    expect((await listed(id))?.nextAt).toBe('2026-04-03T08:00:00.000Z')
    await app.google.setMoment('2026-04-06T20:00:00Z')
    await lookNow()
    await lookNow()
    const sent = [
      { kind: 'week', start: week.start },
      { kind: 'month', start: '2026-03-01' },
    ]
    expect(await scheduledRuns(id)).toEqual(sent)
    for (const kind of ['week', 'month']) {
      expect((await put(id, { kind })).status).toBe(200)
      // As if it had begun long ago by a server's wrong clock.
      await sql(`UPDATE report_schedules SET first_start = '2026-03-01' WHERE id = $1 AND kind = 'month'`, [id])
      await lookNow()
    }
    expect(await scheduledRuns(id)).toEqual(sent)
    expect(ok(reportRuns, await owner.get('/api/report-runs')).filter(({ kind }) => kind === 'month')).toHaveLength(1)
    await remove(id)
  })
})
