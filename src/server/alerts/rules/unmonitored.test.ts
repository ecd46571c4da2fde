import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type EvaluatedSite, type EvaluatedSites, openEvaluatedSites } from '../../../../test/support/evaluated-sites.ts'
import { addDays } from '../../../core/analytics/days.ts'

// Alerts of properties that are no longer monitored, on the real stores without the rest of the server.

const through = '2026-03-15'
const hourMs = 3_600_000
let evaluated: EvaluatedSites
let people = 0
beforeAll(async () => void (evaluated = await openEvaluatedSites('2026-03-18T20:00:00Z')))
afterAll(() => evaluated.close())
beforeEach(() => void (evaluated.announced.length = 0))

/** A site with an ongoing alert that its owner was notified about. */
async function alerted(due = () => evaluated.alerts.runDue()): Promise<EvaluatedSite> {
  const rules = [{ type: 'clicks', title: 'Drop in clicks', monitor: 'site' }] as const
  const site = await evaluated.property(`https://site-${++people}.example/`, { through, rules })
  await site.store(addDays(through, -100), through, (date) => [{ page: '/', clicks: date > addDays(through, -7) ? 200 : 1_000 }])
  await site.backfilled(addDays(through, -100), addDays(through, -100))
  await due()
  expect(await site.list()).toMatchObject([{ state: 'firing' }])
  evaluated.announced.length = 0
  return site
}
const set = (site: EvaluatedSite, values: { monitored: boolean; detachedAt?: Date; pausedAt?: Date | null }) =>
  evaluated.stores.db.updateTable('properties').set(values).where('id', '=', site.id).execute()
const only = async (site: EvaluatedSite) => (await site.list())[0]!
const snooze = async (site: EvaluatedSite, hours: number) =>
  evaluated.alerts.snooze('u', (await only(site)).id, new Date(evaluated.clock.at.getTime() + hours * hourMs))
async function later(hours: number): Promise<void> {
  evaluated.clock.at = new Date(evaluated.clock.at.getTime() + hours * hourMs)
  await evaluated.alerts.runDue()
}

async function expectQuietEnds(leave: Parameters<typeof set>[1]) {
  const [plain, snoozed] = [await alerted(), await alerted()]
  await snooze(snoozed, 1)
  for (const site of [plain, snoozed]) await set(site, leave)
  await later(2)
  expect(evaluated.announced).toEqual([])
  for (const site of [plain, snoozed]) {
    await set(site, { monitored: false })
    await evaluated.stores.db.updateTable('properties').set({ detachedAt: null }).where('id', '=', site.id).execute()
    const { id, state } = await only(site)
    expect(state).toBe('recovered')
    expect((await evaluated.alerts.report('u', id)).timeline.at(-1)).toMatchObject({ to: 'recovered', reason: 'not_monitored', by: null })
  }
}

describe('an alert ends, snoozed or not, without notifying anybody', () => {
  test('once its site is no longer monitored', () => expectQuietEnds({ monitored: false }))

  test('once its site is disconnected', { tags: ['full'] }, () => expectQuietEnds({ monitored: false, detachedAt: evaluated.clock.at }))
})

test('more alerts than fit in one statement end, all of them', { tags: ['full'] }, async () => {
  const site = await alerted()
  const [{ id }, { db }] = [await only(site), evaluated.stores]
  await sql`INSERT INTO alerts (property_id, kind, type, comparison, entity_kind, entity_name, severity, state, figures, opening, series,
      opened_at, judged_at, judged_through)
    SELECT property_id, kind, type, comparison, 'page', 'https://many.example/' || n, severity, 'firing', figures, opening, series,
      opened_at, judged_at, judged_through FROM alerts, generate_series(1, 11000) AS n WHERE id = ${Number(id)}`.execute(db)
  await set(site, { monitored: false })
  await evaluated.alerts.runDue()
  const open = await sql`SELECT 1 FROM alerts WHERE property_id = ${site.id} AND recovered_at IS NULL`.execute(db)
  expect(open.rows).toEqual([])
  const noted = await sql<{ count: number }>`SELECT count(*)::int AS count FROM alert_events WHERE reason = 'not_monitored'
    AND alert_id IN (SELECT id FROM alerts WHERE property_id = ${site.id})`.execute(db)
  expect(noted.rows).toEqual([{ count: 11_001 }])
  expect(evaluated.announced).toEqual([])
})

test("if one site's alerts can't be ended, others are still alerted, and the check fails visibly", { tags: ['full'] }, async () => {
  const [stuck, { db }] = [await alerted(), evaluated.stores]
  await sql`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not today'; END $$`.execute(db)
  await sql`CREATE TRIGGER refuse BEFORE INSERT ON alert_events FOR EACH ROW WHEN (NEW.reason = 'not_monitored') EXECUTE FUNCTION refuse()`.execute(
    db,
  )
  await set(stuck, { monitored: false })
  await alerted(() => expect(evaluated.alerts.runDue()).rejects.toThrow('not today'))
  await sql`DROP TRIGGER refuse ON alert_events`.execute(db)
  await evaluated.alerts.runDue()
  expect((await only(stuck)).state).toBe('recovered')
})

test('an alert of a site paused by a smaller plan remains, and resuming opens or sends nothing again', { tags: ['full'] }, async () => {
  const site = await alerted()
  const { id } = await only(site)
  await set(site, { monitored: false, pausedAt: evaluated.clock.at })
  await later(24)
  expect(await only(site)).toMatchObject({ id, state: 'firing' })
  await set(site, { monitored: true, pausedAt: null })
  await later(24)
  expect(await evaluated.alerts.evaluate('u', 'all')).toEqual({ count: 0, leftOut: 0 })
  expect(await only(site)).toMatchObject({ id, state: 'firing' })
  expect(evaluated.announced).toEqual([])
})

test('a snooze that ends while its site is paused wakes when the site resumes', { tags: ['full'] }, async () => {
  const site = await alerted()
  await snooze(site, 1)
  await set(site, { monitored: false, pausedAt: evaluated.clock.at })
  await later(2)
  expect(evaluated.announced).toEqual([])
  expect(await only(site)).toMatchObject({ state: 'snoozed' })
  await set(site, { monitored: true, pausedAt: null })
  await later(0)
  expect(await only(site)).toMatchObject({ state: 'firing' })
  expect(evaluated.announced).toMatchObject([{ propertyId: site.id, woken: [{ alertId: (await only(site)).id }] }])
})
