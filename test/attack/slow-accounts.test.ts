import { once } from 'node:events'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { NewCondition } from '../../src/contract/alerts/conditions.ts'
import { addDays } from '../../src/core/analytics/days.ts'
import { createEvaluationStore } from '../../src/server/alerts/evaluation-store.ts'
import { TookTooLong } from '../../src/server/platform/clickhouse/clickhouse-errors.ts'
import { abandonedNow } from '../../src/server/platform/tenant.ts'
import { type EvaluatedSites, openEvaluatedSites } from '../support/evaluated-sites.ts'

// A few accounts whose rules use up the time of the evaluation that everybody shares.

const through = '2026-03-15'
const oldest = addDays(through, -200)
let evaluated: EvaluatedSites
beforeAll(async () => void (evaluated = await openEvaluatedSites('2026-03-18T20:00:00Z')))
afterAll(() => evaluated.close())

/** Each asks a question of its own. */
const lost = (threshold: number): NewCondition => ({
  type: 'position',
  kind: 'lost_query',
  title: `Lost at ${threshold}`,
  monitor: 'site',
  threshold,
})

/** A property of an account of its own, which lost a query. */
async function account(userId: string, rules: readonly NewCondition[]) {
  const { db } = evaluated.stores
  const site = await evaluated.property(`https://${userId}.example/`, { through, rules })
  await site.store(oldest, through, (date) => [
    { page: '/', clicks: 100 },
    ...(date > addDays(through, -7) ? [] : [{ page: '/gone', clicks: 20 }]),
  ])
  await site.backfilled(oldest, oldest)
  await sql`INSERT INTO users (id, name, email) VALUES (${userId}, ${userId}, ${`${userId}@example.test`})`.execute(db)
  await sql`INSERT INTO people (user_id, plan) VALUES (${userId}, 'agency')`.execute(db)
  await db.updateTable('properties').set({ userId }).where('id', '=', site.id).execute()
  const stored = () => evaluated.alerts.count(userId, { propertyId: site.id, state: 'all' })
  const problems = async () => (await evaluated.alerts.conditions.list(site)).flatMap(({ problem }) => problem ?? [])
  return { ...site, stored, problems }
}

/** From now on, each question about these properties takes twenty seconds and ends with its time; `meanwhile` happens while it is asked. */
function takeLong(attackers: readonly { id: number }[], meanwhile = async (): Promise<unknown> => undefined): void {
  const slow = new Set(attackers.map(({ id }) => id))
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  evaluated.meanwhile.happens = async (properties) => {
    if (!properties.some((id) => slow.has(id))) return
    await meanwhile()
    vi.advanceTimersByTime(20_000)
    abandonedNow()?.throwIfAborted()
    throw new TookTooLong('Timeout exceeded: elapsed 20 seconds')
  }
  onTestFinished(asUsual)
}

/** Time passes by itself again, and questions are answered. */
function asUsual(): void {
  vi.useRealTimers()
  evaluated.meanwhile.happens = async () => undefined
}

test("a few accounts that use up the time of every evaluation keep nobody's alerts from being stored", { tags: ['full'] }, async () => {
  const attackers = []
  for (const n of [0, 1, 2])
    attackers.push(
      await account(
        `slow${n}`,
        [1, 2, 3, 4].map((at) => lost(n * 4 + at)),
      ),
    )
  const honest = await account('honest', [lost(20)])
  takeLong(attackers)
  /** One job, which expires. */
  async function job(ms: number): Promise<boolean> {
    const expiry = new AbortController()
    const timer = setTimeout(() => expiry.abort(new Error('the job expired')), ms)
    await evaluated.alerts.runDue(expiry.signal)
    clearTimeout(timer)
    evaluated.clock.at = new Date(evaluated.clock.at.getTime() + 60_000)
    return expiry.signal.aborted
  }

  expect(await job(150_000)).toBe(true)
  expect(await honest.stored()).toBe(1)
  // New data arrives while the others are due, too.
  for (let n = 0; n < 3; n += 1) {
    await sql`UPDATE property_syncs SET facts_version = facts_version + 1`.execute(evaluated.stores.db)
    vi.advanceTimersByTime(900_000)
    await job(150_000)
    const { rows } = await sql`SELECT 1 FROM property_syncs JOIN alert_watches USING (property_id)
      WHERE property_id = ${honest.id} AND judged_version = facts_version`.execute(evaluated.stores.db)
    expect(rows).toHaveLength(1)
  }
  // With time enough, the rules of the slow ones say so.
  vi.advanceTimersByTime(3_600_000)
  expect(await job(900_000)).toBe(false)
  for (const { problems } of attackers) expect(await problems()).toEqual(Array(4).fill(expect.stringMatching(/takes too long/)))
  expect(await honest.problems()).toEqual([])
})

test('an account whose rules are slow lets others have their turn at “Evaluate Alerts”, and is told to wait', async () => {
  const { db, pool } = evaluated.stores
  await db.updateTable('properties').set({ monitored: false }).execute()
  const slow = []
  for (const n of [1, 2, 3]) slow.push(await account(`clicks${n}`, [lost(70 + n)]))
  await sql`UPDATE properties SET user_id = 'clicks1' WHERE user_id IN ('clicks2', 'clicks3')`.execute(db)
  const honest = await account('patient', [lost(80)])
  const [inLine, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  takeLong(slow, () => {
    asked.resolve()
    return inLine.promise
  })
  const begun = performance.now()
  const attack = evaluated.alerts.evaluate('clicks1', 'all')
  await asked.promise
  const found = once(pool, 'release')
  const theirs = evaluated.alerts.evaluate('patient', 'all').then(() => performance.now() - begun)
  await found
  // Knowing its properties, it joins the line.
  setImmediate(inLine.resolve)
  const [tookMs] = await Promise.all([theirs, attack])
  expect(tookMs).toBeLessThanOrEqual(30_000)
  expect(await honest.stored()).toBe(1)
  await expect(evaluated.alerts.evaluate('clicks1', 'all')).rejects.toThrow('Your rules take too long')
})

test('nor do accounts that have so many rules that each is evaluated by itself', { tags: ['full'] }, async () => {
  const { db } = evaluated.stores
  await db.updateTable('properties').set({ monitored: false }).execute()
  const many = (at: number) => Array.from({ length: 26 }, (_, n) => lost(at + (n % 4)))
  const attackers = [await account('heavy0', many(30)), await account('heavy1', many(40)), await account('heavy2', many(50))]
  const honest = await account('light', [lost(60)])
  takeLong(attackers)
  const expiry = new AbortController()
  setTimeout(() => expiry.abort(new Error('the job expired')), 150_000)
  await evaluated.alerts.runDue(expiry.signal)
  expect(expiry.signal.aborted).toBe(true)
  expect(await honest.stored()).toBe(1)
})

test('whose turn was longest ago is next, however many properties or newer accounts others have', { tags: ['full'] }, async () => {
  const { db } = evaluated.stores
  await db.updateTable('properties').set({ monitored: false }).execute()
  const store = createEvaluationStore(db, evaluated.events)
  const at = (hour: number) => new Date(Date.UTC(2026, 2, 18, hour))
  const many = await account('many', [])
  const [one, newcomer] = [await account('one', []), await account('newcomer', [])]
  const fresh = await evaluated.property('https://many.example/fresh/', { through })
  await db.updateTable('properties').set({ userId: 'many' }).where('id', '=', fresh.id).execute()
  await sql`UPDATE properties SET created_at = ${at(3)}`.execute(db)
  const tried = async (site: { id: number }, hour: number) => store.tried(await store.properties([site.id]), at(hour))
  await tried(one, 1)
  await tried(many, 2)
  expect(await store.due(at(20))).toEqual([one, fresh, newcomer, many].map(({ id }) => id))
  await tried(one, 4)
  expect(await store.due(at(20))).toEqual([fresh, newcomer, one, many].map(({ id }) => id))
  await tried(fresh, 5)
  expect(await store.due(at(20))).toEqual([newcomer, one, many, fresh].map(({ id }) => id))
})

test(
  'results of other accounts are stored while the deletion of a large account holds rows of the same batch',
  { tags: ['full'] },
  async () => {
    const { db, pool } = evaluated.stores
    await db.updateTable('properties').set({ monitored: false }).execute()
    const [leaving, honest] = [await account('leaving', []), await account('staying', [])]
    const store = createEvaluationStore(db, evaluated.events)
    const batch = await store.properties([leaving.id, honest.id])
    const now = new Date('2026-03-18T20:00:00Z')
    const deletion = await pool.connect()
    try {
      await deletion.query('BEGIN')
      await deletion.query('SELECT FROM alert_watches WHERE property_id = $1 FOR UPDATE', [leaving.id])
      await store.evaluated(batch, now)
      expect(await store.due(now)).toEqual([leaving.id])
    } finally {
      await deletion.query('ROLLBACK')
      deletion.release()
    }
    await store.evaluated(batch, now)
    expect(await store.due(now)).toEqual([])
  },
)

test(
  'an account that has used up its time rests at once: its other properties stay due, with no rule marked as broken',
  { tags: ['full'] },
  async () => {
    const { db } = evaluated.stores
    await db.updateTable('properties').set({ monitored: false }).execute()
    // So many rules about everything that the property is a batch of its own.
    const slow = await account(
      'heavy3',
      Array.from({ length: 26 }, () => lost(10)),
    )
    const next = await account('moved', [lost(11)])
    await db.updateTable('properties').set({ userId: 'heavy3' }).where('id', '=', next.id).execute()
    const open = () => evaluated.alerts.count('heavy3', { propertyId: next.id, state: 'all' })

    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
    evaluated.meanwhile.happens = async (properties) => void (properties.includes(slow.id) && vi.advanceTimersByTime(70_000))
    onTestFinished(asUsual)
    await evaluated.alerts.runDue()
    expect([await open(), await next.problems()]).toEqual([0, []])
    vi.advanceTimersByTime(710_000)
    await evaluated.alerts.runDue()
    expect([await open(), await next.problems()]).toEqual([1, []])
  },
)
