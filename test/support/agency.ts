import type { z } from 'zod'
import sharp from 'sharp'
import type { IsoDate } from '../../src/contract/common.ts'
import { reportBrand, reportClient, reportRun, reportRuns, reportSchedule, reportSchedules } from '../../src/contract/reports/reports.ts'
import { appTest } from './app-test.ts'
import type { TestApp } from './app.ts'
import { runJob } from './jobs.ts'
import { newPerson } from './people.ts'
import { watch, watchedAtOnce } from './stored-history.ts'
import { until } from './until.ts'
import type { Answer, Visitor } from './visitor.ts'

// An agency with a brand and two sites, one client, and what is sent to it.

export const [first, second, theirs] = ['https://first.example/', 'https://second.example/', 'https://theirs.example/']
export const week = { start: '2026-03-09', end: '2026-03-15' }
export const brand = { name: 'North & Co', color: '#7a1f5c', senderName: 'North Reports', replyTo: 'hello@north.example' }

export const ok = <T extends z.ZodType>(schema: T, { status, body }: Answer): z.infer<T> => {
  if (status !== 200 && status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return schema.parse(body)
}
export const refused = ({ status, body }: Answer) => [status, (body as { message: string }).message]

export const upload = async (app: TestApp, who: Visitor, bytes: Uint8Array, type = 'image/png'): Promise<Answer> => {
  const cookie = [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(`${app.url}/api/report-brand/logo`, {
    method: 'PUT',
    headers: { cookie, 'content-type': type },
    body: new Uint8Array(bytes),
  })
  return { status: response.status, body: await response.json(), headers: response.headers }
}
export const picture = (width = 1200, height = 300) => sharp({ create: { width, height, channels: 4, background: '#7a1f5c' } })

export const schedule = (change: object) => ({
  subject: { property: first },
  kind: 'week',
  paper: 'a4',
  enabled: true,
  recipients: ['bob@client.example'],
  ...change,
})

/** Tests in a file that share an agency's app. Its sites have everything stored from a day on, or nothing. */
export const agencyTest = ({ today, storedFrom }: { today: IsoDate; storedFrom?: IsoDate }) =>
  appTest({ today, demo: false })
    .extend('owner', { scope: 'file' }, async ({ app }) => {
      const owner = await newPerson(app, { email: 'owner@example.test', sites: { [first]: 'local', [second]: 'local' }, plan: 'agency' })
      for (const site of [second, first]) {
        await app.google.call('PUT', 'late', { site, days: 3 })
        await (storedFrom === undefined ? watch(app, site) : watchedAtOnce(app, site, { from: storedFrom }))
      }
      // Digests aren't reports, and would get in between.
      const quiet = await owner.send('POST', '/api/delivery-settings', { emailEnabled: false })
      if (quiet.status !== 201) throw new Error(JSON.stringify(quiet.body))
      ok(reportBrand, await owner.send('PUT', '/api/report-brand', brand))
      ok(reportBrand, await upload(app, owner, await picture().png().toBuffer()))
      return owner
    })
    .extend('stranger', { scope: 'file' }, ({ app }) =>
      newPerson(app, { email: 'stranger@example.test', sites: { [theirs]: 'empty' }, plan: 'agency' }),
    )
    .extend('desk', { scope: 'file' }, ({ app, owner }) => {
      const sql = async <Row extends object>(text: string, values: unknown[] = []) => (await app.stores()).sql<Row>(text, values)
      const plan = (name: string) =>
        sql(`UPDATE people SET plan = $1 WHERE user_id = (SELECT id FROM users WHERE email = 'owner@example.test')`, [name])
      const bytesOf = async (path: string, who: Visitor | null) => {
        const cookie = [...(who?.cookies ?? [])].map(([name, value]) => `${name}=${value}`).join('; ')
        const response = await fetch(`${app.url}${path}`, { headers: { cookie } })
        return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
      }
      const schedules = async () => ok(reportSchedules, await owner.get('/api/report-schedules'))
      const runs = async () => ok(reportRuns, await owner.get('/api/report-runs'))
      const finished = (id: string, who = owner) =>
        until(
          async () => ok(reportRun, await who.get(`/api/report-runs/${id}`)),
          ({ state }) => state === 'done' || state === 'failed',
          150_000,
        )
      /** As if the owner's digest hour had come. */
      async function lookNow(): Promise<void> {
        await sql('UPDATE report_schedules SET look_at = $1', [app.google.now()])
        await runJob(app, 'report-due')
      }
      const mailsOf = () =>
        sql<{ id: string; address: string; state: string; key: string }>('SELECT id, address, state, key FROM report_mails ORDER BY id')
      /** Everybody who was asked has agreed, whether or not by email. */
      const agreed = () => sql('UPDATE report_recipients SET confirmed_at = now() WHERE unsubscribed_at IS NULL')
      return { sql, plan, agreed, bytesOf, schedules, runs, finished, lookNow, mailsOf }
    })
    .extend('client', { scope: 'file' }, async ({ owner }) =>
      ok(reportClient, await owner.send('POST', '/api/report-clients', { name: 'Ann & Sons', properties: [first, second] })),
    )
    .extend('forClient', { scope: 'file' }, async ({ owner, client, desk }) => {
      const recipients = ['ann@client.example', 'Owner@Example.test', 'ANN@client.example']
      const made = await owner.send('POST', '/api/report-schedules', schedule({ subject: { client: client.id }, recipients }))
      const { id } = ok(reportSchedule, made)
      await desk.agreed()
      const all = ok(reportSchedules, await owner.get('/api/report-schedules')).schedules
      return ok(reportSchedule, { ...made, body: all.find((each) => each.id === id) })
    })
