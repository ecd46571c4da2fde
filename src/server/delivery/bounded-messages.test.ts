import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { runJob } from '../../../test/support/jobs.ts'
import { openAlerts } from '../../../test/support/opened-alerts.ts'
import { putAlerts, type StoredAlert } from '../../../test/support/stored-alerts.ts'
import { ownerAtOnce } from '../../../test/support/stored-history.ts'

// Rules that find hundreds of pages with long names, on a file's data for instance: no message holds them all.

const today = '2026-03-18'
const slackHook = 'T00000001/B00000001/abcdefghijklmnopqrstuvwx'
let people = 0

const test = appTest({ today, demo: false }).extend('reader', async ({ app }) => {
  const name = `reader${++people}`
  const site = `https://${name}.example/`
  const email = `${name}@example.test`
  const owner = await ownerAtOnce(app, site, { profile: 'local', days: 18, email, plan: 'agency' })
  await runJob(app, 'delivery-due')
  await app.mail.clear()
  /** Alerts of 230 pages with long names, the last thirty critical. */
  const flood = async () => {
    const alerts = Array.from({ length: 230 }, (_, at): StoredAlert => {
      const page = `${site}${'long-'.repeat(1_600)}${at}`
      return { openedAt: `${today}T18:00:00Z`, severity: at < 200 ? 'warning' : 'critical', entity: { kind: 'page', name: page } }
    })
    await openAlerts(app, site, alerts)
  }
  const { sql } = await app.stores()
  const messages = (channel: string) =>
    sql<{ items: number; more: number | null; bytes: number }>(
      `SELECT jsonb_array_length(jsonb_path_query_array(message, '$.properties[*].items[*]')) AS items, (message->>'more')::integer AS more,
         octet_length(message::text) AS bytes
       FROM notifications JOIN users ON users.id = user_id WHERE email = $1 AND channel = $2 ORDER BY notifications.id`,
      [email, channel],
    )
  const severities = async (channel: string) => {
    const rows = await sql<{ severity: string }>(
      `SELECT jsonb_path_query(message, '$.properties[*].items[*].severity') #>> '{}' AS severity
       FROM notifications JOIN users ON users.id = user_id WHERE email = $1 AND channel = $2`,
      [email, channel],
    )
    return rows.map(({ severity }) => severity)
  }
  const waiting = async () =>
    (await sql(`SELECT 1 FROM delivery_news JOIN users ON users.id = user_id WHERE email = $1 AND state = 'waiting'`, [email])).length
  return { owner, email, site, flood, messages, severities, waiting }
})

test(
  'an alert in a message lists twenty contributors, and as many findings as fit by the length of their names',
  { tags: ['full'] },
  async ({ app, reader: { owner, email, site } }) => {
    await owner.send('POST', '/api/delivery-settings', { frequency: 'instant' })
    // The most severe ten are explained; this one has the contributors it was stored with.
    const others = Array.from(
      { length: 10 },
      (_, at) => ({ severity: 'critical', entity: { kind: 'page', name: `${site}${at}` } }) as const,
    )
    const all = [{ entity: { kind: 'query', name: 'lamps' } } as const, ...others]
    const [lead] = await openAlerts(
      app,
      site,
      all.map((each) => ({ ...each, openedAt: `${today}T18:00:00Z` })),
    )
    const entity = (at: number) => ({ kind: 'page', name: `${site}${'long-'.repeat(1_600)}${at}` }) as const
    const parts = Array.from({ length: 60 }, (_, at): StoredAlert => ({ openedAt: `${today}T18:00:00Z`, entity: entity(at) }))
    const { sql } = await app.stores()
    await sql('UPDATE alerts SET part_of = $1 WHERE id = ANY($2)', [lead, await putAlerts(app, site, parts)])
    const contributors = parts.map((_, at) => ({ entity: entity(at), previous: 100 + at, current: 1, change: -99 }))
    await sql('UPDATE alerts SET contributors = $1 WHERE id = $2', [JSON.stringify(contributors), lead])
    await runJob(app, 'delivery-due')

    const [stored] = await sql<{ findings: number; more: number; contributors: number; largest: number; bytes: number }>(
      `SELECT jsonb_array_length(item->'findings') AS findings, (item->'moreFindings')::integer AS more,
       jsonb_array_length(item->'contributors') AS contributors,
       (item->'contributors'->0->'previousValue')::integer AS largest, octet_length(item::text) AS bytes
     FROM notifications JOIN users ON users.id = user_id, jsonb_path_query(message, '$.properties[*].items[*]') AS item
     WHERE email = $1 AND item->>'alertId' = $2`,
      [email, lead],
    )
    expect(stored).toMatchObject({ findings: 2, more: 58, contributors: 20, largest: 159 })
    expect(stored?.bytes).toBeLessThan(20_000)
  },
)

test(
  'a message contains the hundred most severe alerts and says how many more there are; a webhook gets all of them, in several messages',
  { tags: ['full'] },
  async ({ app, reader: { owner, email, flood, messages, severities, waiting } }) => {
    await owner.send('POST', '/api/delivery-settings', { frequency: 'instant' })
    await owner.send('PUT', '/api/delivery-channels/slack', { webhookUrl: app.slack.hookUrl(slackHook) })
    await owner.send('PUT', '/api/delivery-channels/webhook', { url: app.webhook.hookUrl })
    await flood()
    await runJob(app, 'delivery-due')

    const mail = await app.mail.mailTo(email, { kind: 'alerts' })
    expect(mail.subject).toMatch(/^230 alerts on /)
    expect(await severities('email')).toEqual([...Array(30).fill('critical'), ...Array(70).fill('warning')])
    expect(mail.text).toContain('And 130 more alerts, none more severe than these.')
    expect(JSON.stringify(await app.slack.messages())).toMatch(/and \d+ more alerts/)
    expect(await messages('email')).toEqual([expect.objectContaining({ items: 100, more: 130 })])
    expect(await messages('webhook')).toEqual([100, 100, 30].map((items) => expect.objectContaining({ items, more: null })))
    // Names are truncated: 100 alerts about pages of 8,000 characters take no more than this.
    for (const channel of ['email', 'slack', 'webhook'])
      for (const { bytes } of await messages(channel)) expect(bytes).toBeLessThan(1_000_000)
    expect(await waiting()).toBe(0)
  },
)

test(
  "so does a digest, and the next one doesn't repeat the rest",
  { tags: ['full'] },
  async ({ app, reader: { owner, email, flood, messages, waiting } }) => {
    await owner.send('POST', '/api/delivery-settings', { frequency: 'daily', digestWhenQuiet: false })
    await flood()
    app.google.advance(24 * 3_600_000)
    await runJob(app, 'delivery-due')
    const mail = await app.mail.mailTo(email, { kind: 'digest' })
    expect(mail.text).toContain('And 130 more alerts, none more severe than these.')
    expect(await messages('email')).toEqual([expect.objectContaining({ items: 100, more: 130 })])
    app.google.advance(24 * 3_600_000)
    await runJob(app, 'delivery-due')
    expect(await messages('email')).toHaveLength(1)
    expect(await waiting()).toBe(0)
  },
)
