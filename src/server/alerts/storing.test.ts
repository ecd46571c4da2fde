import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Alert } from '../../contract/alerts/alerts.ts'
import { addDays, eachDay } from '../../core/analytics/days.ts'
import { parseConfig } from '../config.ts'
import { createEventBus, type Events } from '../common/events.ts'
import type { FactRow } from '../facts/load.ts'
import { createLog } from '../platform/log.ts'
import { lockNumber } from '../platform/postgres.ts'
import { openStores, type Stores } from '../stores/stores.ts'
import { fromStored, toStored } from './names.ts'
import type { AlertsService } from './service.ts'
import { alertsServiceOn } from '../../../test/support/alerts-service.ts'

// How alerts are stored, on the real stores without the rest of the server.

const through = '2026-03-15'
const first = addDays(through, -120)
const odd = 'a\0b \uE000 0'
let dataDir: string
let stores: Stores
let alerts: AlertsService
const emitted: Omit<Events['alertsChanged'], 'transaction'>[] = []
const listener = { fails: false, failsFor: 0 }

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'ranklark-alerts-'))
  stores = await openStores(parseConfig({ DATA_DIR: dataDir }), createLog('silent'), (error) => {
    throw error
  })
  const events = createEventBus()
  events.on('alertsChanged', async ({ transaction, ...event }) => {
    // Writes within the transaction see what it has stored.
    const rows = await transaction
      .selectFrom('alerts')
      .select('id')
      .where(
        'id',
        'in',
        event.opened.map(({ alertId }) => Number(alertId)),
      )
      .execute()
    expect(rows).toHaveLength(event.opened.length)
    if (listener.fails || listener.failsFor === event.propertyId) throw new Error('the outbox is full')
    emitted.push(event)
  })
  const clock = { now: () => new Date('2026-03-18T20:00:00Z') }
  alerts = alertsServiceOn({ db: stores.db, facts: stores.facts, events, clock })
  await sql`INSERT INTO users (id, name, email) VALUES ('u', 'u', 'u@example.test')`.execute(stores.db)
  await sql`INSERT INTO people (user_id) VALUES ('u')`.execute(stores.db)
})
afterAll(async () => {
  await stores.close()
  await rm(dataDir, { recursive: true, force: true })
})

/** A property with a page and a query that lose most of their clicks in the last week. */
async function property(name: string): Promise<number> {
  const inserted = await sql<{
    id: number
  }>`INSERT INTO properties (user_id, name, kind, monitored) VALUES ('u', ${name}, 'google', true) RETURNING id`.execute(stores.db)
  const id = inserted.rows[0]?.id ?? 0
  const days = eachDay(first, through)
  const load = await stores.facts.beginLoad(id, 'web')
  const rowsOf = (keys: string[]): FactRow[] =>
    days.map((date) => ({ date, keys, clicks: date > addDays(through, -7) ? 10 : 50, impressions: 500, position: 3 }))
  await load.write('total', rowsOf([]))
  await load.write('page', rowsOf([odd]))
  await load.write('query', rowsOf([odd]))
  await load.publish(new Map((['total', 'page', 'query'] as const).map((grain) => [grain, days])))
  await sql`INSERT INTO property_syncs (property_id, state, complete_through, facts_version) VALUES (${id}, 'ok', ${through}, 1)`.execute(
    stores.db,
  )
  await sql`INSERT INTO search_type_syncs (property_id, search_type, backfill_to, backfilled_from) VALUES (${id}, 'web', ${first}, ${first})`.execute(
    stores.db,
  )
  return id
}
const stored = async (id: number) =>
  (
    await sql<{ alerts: number; events: number; evaluated: string | null }>`SELECT
      (SELECT count(*) FROM alerts WHERE property_id = ${id}) AS alerts,
      (SELECT count(*) FROM alert_events JOIN alerts ON alerts.id = alert_id WHERE property_id = ${id}) AS events,
      (SELECT judged_through FROM alert_watches WHERE property_id = ${id}) AS evaluated`.execute(stores.db)
  ).rows[0]

test('alerts, their history and their announcements are stored together or not at all, and retried', async () => {
  const id = await property('whole')
  listener.fails = true
  await expect(alerts.runDue()).rejects.toThrow('the outbox is full')
  expect(await stored(id)).toEqual({ alerts: 0, events: 0, evaluated: null })
  listener.fails = false
  await alerts.runDue()
  // The site, including its page, by the rule about unusual clicks; a query by the CTR rule, with an arbitrary name, is a part of it.
  expect(await stored(id)).toEqual({ alerts: 2, events: 2, evaluated: through })
  expect(emitted).toEqual([
    {
      userId: 'u',
      propertyId: id,
      opened: [
        {
          alertId: expect.any(String),
          severity: 'critical',
          interrupts: true,
          isConnection: false,
          change: -80,
          openedWith: -80,
          wholeStep: expect.any(Number),
        },
      ],
      recovered: [],
      woken: [],
      worsened: [],
    },
  ])
  const list = await alerts.list('u', { propertyId: id, state: 'all', limit: 10, offset: 0 })
  const named = ({ type, entity }: Pick<Alert, 'type' | 'entity'>) => [type, entity.kind, entity.name]
  expect(list.map(named)).toEqual([['clicks', 'site', 'whole']])
  expect(list[0]?.findings?.map(named)).toEqual([
    ['clicks', 'site', 'whole'],
    ['ctr', 'query', odd],
  ])
  await alerts.runDue()
  expect(await alerts.evaluate('u', 'all')).toEqual({ count: 0, leftOut: 0 })
  expect(emitted).toHaveLength(1)
})

test("a property whose alerts can't be stored stops no other", async () => {
  const [broken, sound] = [await property('broken'), await property('sound')]
  listener.failsFor = broken
  await expect(alerts.runDue()).rejects.toThrow('the outbox is full')
  expect(await stored(broken)).toMatchObject({ alerts: 0, evaluated: null })
  expect(await stored(sound)).toMatchObject({ alerts: 2, evaluated: through })
  listener.failsFor = 0
  await alerts.runDue()
  expect(await stored(broken)).toMatchObject({ alerts: 2, evaluated: through })
})

test('nor does it stop those evaluated after it', { tags: ['full'] }, async () => {
  const [broken, sound] = [await property('broken alone'), await property('evaluated after it')]
  // So many rules about everything that the property is evaluated separately.
  const lost = { type: 'position', kind: 'lost_query', title: 'Lost', monitor: 'site', threshold: 10 } as const
  for (let rule = 0; rule < 26; rule += 1) {
    await alerts.conditions.create({ id: broken, name: 'broken alone' }, lost)
  }
  listener.failsFor = broken
  await expect(alerts.runDue()).rejects.toThrow('the outbox is full')
  expect(await stored(broken)).toMatchObject({ alerts: 0, evaluated: null })
  expect(await stored(sound)).toMatchObject({ alerts: 2, evaluated: through })
  listener.failsFor = 0
  await alerts.runDue()
})

test('an evaluation whose time is over leaves the rest for the next one', async () => {
  const id = await property('late')
  await alerts.runDue(AbortSignal.abort())
  expect(await stored(id)).toMatchObject({ alerts: 0, evaluated: null })
  await alerts.runDue()
  expect(await stored(id)).toMatchObject({ alerts: 2, evaluated: through })
})

test('a property that somebody else is evaluating is left for later; the others don’t wait for it', { tags: ['full'] }, async () => {
  const [taken, other] = [await property('taken'), await property('beside')]
  await stores.db.connection().execute(async (elsewhere) => {
    const key = sql.raw(lockNumber(`'alerts:${taken}'`))
    await sql`SELECT pg_advisory_lock(${key})`.execute(elsewhere)
    await alerts.runDue()
    await sql`SELECT pg_advisory_unlock(${key})`.execute(elsewhere)
  })
  expect(await stored(taken)).toMatchObject({ alerts: 0, evaluated: null })
  expect(await stored(other)).toMatchObject({ alerts: 2, evaluated: through })
  await alerts.runDue()
  expect(await stored(taken)).toMatchObject({ alerts: 2, evaluated: through })
})

test('nothing is evaluated while older days are still to come: what looks unusual now may not be', async () => {
  const id = await property('young')
  await sql`UPDATE search_type_syncs SET backfilled_from = ${addDays(through, -30)} WHERE property_id = ${id}`.execute(stores.db)
  await stores.clickhouse.command({
    query: `ALTER TABLE facts_current DELETE WHERE property = ${id} AND date < '${addDays(through, -30)}' SETTINGS mutations_sync = 1`,
  })
  await alerts.runDue()
  expect(await stored(id)).toMatchObject({ alerts: 0, evaluated: through })
})

test('deleting a property deletes its rules and alerts', { tags: ['full'] }, async () => {
  const id = await property('gone')
  await alerts.runDue()
  expect(await stored(id)).toMatchObject({ alerts: 2 })
  await sql`DELETE FROM properties WHERE id = ${id}`.execute(stores.db)
  expect(await stored(id)).toEqual({ alerts: 0, events: 0, evaluated: null })
})

test('names with any text come back from the store unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '\0', '\uE000', '0', '1', '<') }), (name) => {
      expect(toStored(name)).not.toContain('\0')
      expect(fromStored(toStored(name))).toBe(name)
    }),
  )
})
