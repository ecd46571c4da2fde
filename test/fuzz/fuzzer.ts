import { apiKeyMade } from '../../src/contract/api-keys.ts'
import { addDays } from '../../src/core/analytics/days.ts'
import type { TestApp } from '../support/app.ts'
import { throughConsent } from '../support/consent.ts'
import { registered, select, shortenHistory, synced } from '../support/people.ts'
import { putAlerts } from '../support/stored-alerts.ts'
import type { Sql } from '../support/stores.ts'
import type { Visitor } from '../support/visitor.ts'
import type { Known } from './fitting.ts'

const site = 'https://fuzzed.example/'
const name = 'fuzzer'
const password = 'a-good-password'

/** A user with at least one of everything, who can be restored after anything was done to them. */
export type Fuzzer = {
  site: string
  /** Signed in as at the start, on their plan, with their properties. */
  restored(): Promise<{ cookie: string; authorization: string }>
  /** A key with full access. */
  key: string
  known: Known
}

export async function createFuzzer(app: TestApp): Promise<Fuzzer> {
  const { sql } = await app.stores()
  const person = await registered(app, name, password)
  await app.google.account('fuzzer@example.test', { [site]: 'local' })
  await throughConsent(person, { account: 'fuzzer@example.test' })
  const [row] = await sql<{ id: string }>('SELECT id FROM users WHERE username = $1', [name])
  const id = row?.id ?? ''
  await sql(`UPDATE people SET plan = 'agency', plan_chosen_at = now() WHERE user_id = $1`, [id])
  await shortenHistory(app, site, 6)
  await select(person, site)
  await synced(person, site)
  const known = await belongings(app, person, sql)
  const { key, apiKey } = apiKeyMade.parse((await person.send('POST', '/api/keys', { name: 'Fuzzer', scope: 'write', days: null })).body)

  const [held] = await sql<{ row: object }>('SELECT to_jsonb(k) AS row FROM api_keys k WHERE id = $1', [apiKey.id])

  let keyId = 1_000_000
  await sql('DELETE FROM api_keys WHERE id = $1', [apiKey.id])

  return {
    site,
    key,
    known,
    async restored() {
      await sql(
        `UPDATE users SET username = $2, display_username = $2, email = 'fuzzer@example.test', two_factor_enabled = false WHERE id = $1`,
        [id, name],
      )
      await sql(
        `UPDATE people SET plan = 'agency', selected_property_id = (SELECT id FROM properties WHERE user_id = $1 AND name = $2) WHERE user_id = $1`,
        [id, site],
      )
      await sql(`UPDATE properties SET detached_at = NULL, monitored = true WHERE user_id = $1 AND name = $2`, [id, site])
      // With another id each time, since requests are limited per key.
      await sql(`DELETE FROM api_keys WHERE id = $1`, [keyId])
      await sql(`INSERT INTO api_keys OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::api_keys, $1)`, [
        JSON.stringify({ ...held?.row, id: (keyId += 1) }),
      ])
      if ((await person.get('/api/user')).status !== 200) {
        const answer = await person.send('POST', '/api/auth/login', { username: name, password })
        if (answer.status !== 200) throw new Error(`The fuzzer could not log in again: ${JSON.stringify(answer.body)}`)
      }
      const cookie = [...person.cookies].map(([named, value]) => `${named}=${value}`).join('; ')
      return { cookie, authorization: `Bearer ${key}` }
    },
  }
}

/** Creates one of everything, and returns the names that requests use for them. */
async function belongings(app: TestApp, person: Visitor, sql: Sql): Promise<Known> {
  await putAlerts(app, site, [
    { openedAt: app.google.now().toISOString(), severity: 'critical', entity: { kind: 'query', name: 'knee pain' } },
  ])
  const today = app.google.now().toISOString().slice(0, 10)
  const dates = [today, addDays(today, -1), addDays(today, -5), addDays(today, -400)]
  await person.send('POST', '/api/annotations', { date: dates[1], text: 'A note', property: site })
  await person.send('POST', '/api/explore/saved', { kind: 'segment', name: 'A segment', content: 'query contains knee' })
  await person.send('POST', '/api/report-clients', { name: 'A client', properties: [site] })
  await person.send('PUT', '/api/report-brand', { name: 'A brand', color: '#123456', senderName: 'A brand', replyTo: null })
  await person.send('PUT', '/api/delivery-channels/slack', {
    webhookUrl: app.slack.hookUrl('T00000001/B00000009/abcdefghijklmnopqrstuvwx'),
  })
  await person.send('PUT', '/api/delivery-channels/webhook', { url: app.webhook.hookUrl })
  await person.send('POST', '/api/delivery-channels/webhook/test')
  const idsOf = async (table: string) => (await sql<{ id: string }>(`SELECT id::text FROM ${table} LIMIT 3`)).map(({ id }) => id)
  const tables = ['alerts', 'alert_conditions', 'annotations', 'saved_explorations', 'report_clients', 'notifications', 'alert_events']
  const ids = (await Promise.all(tables.map(idsOf))).flat()
  return {
    id: ids,
    ids: await idsOf('alerts'),
    alertId: await idsOf('alerts'),
    client: await idsOf('report_clients'),
    property: [site, 'all'],
    selectedProperty: [site],
    properties: [site],
    sites: [site],
    query: ['knee pain', 'physio'],
    page: [site],
    date: dates,
    from: dates,
    to: dates,
    start: dates,
    // Messages must only go to the stand-ins.
    url: [app.webhook.hookUrl, 'https://x.invalid/'],
    recipients: ['somebody@example.test'],
  }
}
