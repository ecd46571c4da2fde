import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import type { PlanId } from '../../contract/user.ts'
import { type Offer, siteLimitRefusal, siteLimitUnder } from '../../core/billing/offer.ts'
import { createSitesStore, type SitesStore } from './store.ts'

let database: TestDatabase
let store: SitesStore
beforeAll(async () => {
  database = await openTestDatabase()
  store = createSitesStore(database.db)
})
afterAll(() => database.close())

const day = (n: number): Date => new Date(Date.UTC(2026, 2, n))
const names = (owner: string, count: number): string[] => Array.from({ length: count }, (_, i) => `https://${owner}-${i + 1}.example/`)
let people = 0

/** Somebody on a plan who monitors the first `monitored` sites, chosen one per day; the last one chosen is selected. */
async function person({ plan, sites, monitored }: { plan: PlanId; sites: number; monitored: number }) {
  const id = `person-${++people}`
  const all = names(id, sites)
  const now = day(1)
  await database.db
    .insertInto('users')
    .values({ id, name: id, email: `${id}@people.example`, emailVerified: true, createdAt: now, updatedAt: now })
    .execute()
  await database.db.insertInto('people').values({ userId: id, plan }).execute()
  await database.db
    .insertInto('googleConnections')
    .values({ userId: id, googleSub: id, email: `${id}@google.example`, refreshToken: 'sealed', scope: '' })
    .execute()
  await listed(id, all)
  for (const [i, name] of all.slice(0, monitored).entries()) await select(id, name, i + 1)
  return { id, all }
}

const listed = (id: string, sites: readonly string[]) =>
  store.saveGoogleSites(
    { userId: id, googleSub: id },
    sites.map((siteUrl) => ({ siteUrl, permissionLevel: 'siteOwner' })),
  )
const listOf = async (id: string) => (await store.lists([id])).get(id) ?? []
const sold: Offer = { billing: 'stripe', sitesPerPerson: null }
const limitUnder = (offer: Offer) => (plan: PlanId) => siteLimitUnder(offer, plan) ?? Infinity
const refuse = (plan: PlanId, sites: number) => siteLimitRefusal(sold, plan, sites)
const select = (id: string, name: string, on = 20) => store.monitor({ id }, [name], { only: false, refuse, now: day(on) })
const monitorOnly = (id: string, chosen: readonly string[]) => store.monitor({ id }, chosen, { only: true, refuse, now: day(20) })
const fit = (id: string, offer = sold) => store.fitToLimit(id, limitUnder(offer), day(28))
const setPlan = (id: string, plan: PlanId) => database.db.updateTable('people').set({ plan }).where('userId', '=', id).execute()
async function changePlan(id: string, plan: PlanId) {
  await setPlan(id, plan)
  return fit(id)
}

/** The numbers in the names of `monitored` and `paused` sites. */
async function sitesOf(id: string): Promise<{ monitored: number[]; paused: number[] }> {
  const rows = await listOf(id)
  const numbers = (of: typeof rows) => of.map(({ name }) => Number(/-(\d+)\.example/.exec(name)?.[1])).sort((a, b) => a - b)
  return { monitored: numbers(rows.filter((row) => row.monitored)), paused: numbers(rows.filter((row) => row.pausedAt !== null)) }
}

test('a selection by a request whose access has ended since adds nothing', async () => {
  const { id, all } = await person({ plan: 'pro', sites: 2, monitored: 1 })
  const late = store.monitor({ id, accessVersion: 7 }, all, { only: true, refuse, now: day(20) })
  await expect(late).rejects.toMatchObject({ status: 401 })
  expect((await sitesOf(id)).monitored).toEqual([1])
})

test('an imported property can be exchanged for another site, like any other', async () => {
  const { id, all } = await person({ plan: 'free', sites: 1, monitored: 0 })
  await database.db.insertInto('properties').values({ userId: id, name: 'Old site', kind: 'imported', monitored: true }).execute()
  expect(await monitorOnly(id, all)).toMatchObject({ newlyMonitored: [{ name: all[0] }] })
  expect((await listOf(id)).filter((row) => row.monitored).map(({ name }) => name)).toEqual(all)
})

describe('a smaller plan', () => {
  test('keeps the selected site and pauses the others; nothing is deleted', async () => {
    const { id } = await person({ plan: 'pro', sites: 5, monitored: 5 })
    await changePlan(id, 'free')
    expect(await sitesOf(id)).toEqual({ monitored: [5], paused: [1, 2, 3, 4] })
    expect(await listOf(id)).toHaveLength(5)
  })

  test('keeps the selected site first, then those monitored longest', async () => {
    const { id, all } = await person({ plan: 'agency', sites: 8, monitored: 8 })
    await select(id, all[6]!)
    await changePlan(id, 'pro')
    expect(await sitesOf(id)).toEqual({ monitored: [1, 2, 3, 4, 7], paused: [5, 6, 8] })
  })

  test('that covers everything changes nothing', async () => {
    const { id } = await person({ plan: 'agency', sites: 6, monitored: 4 })
    expect(await changePlan(id, 'pro')).toEqual([])
    expect(await sitesOf(id)).toEqual({ monitored: [1, 2, 3, 4], paused: [] })
  })

  test('announced twice pauses nothing more', async () => {
    const { id } = await person({ plan: 'pro', sites: 3, monitored: 3 })
    await changePlan(id, 'free')
    await fit(id)
    expect(await sitesOf(id)).toEqual({ monitored: [3], paused: [1, 2] })
  })

  test("doesn't affect other users' sites", async () => {
    const one = await person({ plan: 'pro', sites: 3, monitored: 3 })
    const other = await person({ plan: 'pro', sites: 3, monitored: 3 })
    await changePlan(one.id, 'free')
    expect(await sitesOf(other.id)).toEqual({ monitored: [1, 2, 3], paused: [] })
  })
})

describe('a larger plan', () => {
  test('resumes paused sites, the longest monitored first, up to its limit', async () => {
    const { id } = await person({ plan: 'agency', sites: 8, monitored: 8 })
    await changePlan(id, 'free')
    const resumed = await changePlan(id, 'pro')
    expect(resumed.map(({ name }) => name)).toEqual(names(id, 4))
    expect(await sitesOf(id)).toEqual({ monitored: [1, 2, 3, 4, 8], paused: [5, 6, 7] })
    await changePlan(id, 'agency')
    expect(await sitesOf(id)).toEqual({ monitored: [1, 2, 3, 4, 5, 6, 7, 8], paused: [] })
  })

  test("doesn't resume what its owner had removed", async () => {
    const { id, all } = await person({ plan: 'pro', sites: 3, monitored: 3 })
    await monitorOnly(id, [all[0]!])
    await changePlan(id, 'agency')
    expect(await sitesOf(id)).toEqual({ monitored: [1], paused: [] })
  })
})

describe('while sites are paused', () => {
  test('the owner chooses which stay; the one that makes room is paused instead', async () => {
    const { id, all } = await person({ plan: 'pro', sites: 3, monitored: 3 })
    await changePlan(id, 'free')
    expect(await monitorOnly(id, [all[0]!])).toMatchObject({ newlyMonitored: [{ name: all[0] }] })
    expect(await sitesOf(id)).toEqual({ monitored: [1], paused: [2, 3] })
    await changePlan(id, 'pro')
    expect(await sitesOf(id)).toEqual({ monitored: [1, 2, 3], paused: [] })
  })

  test('a choice that leaves room ends the pause: no other site is monitored automatically later', async () => {
    const { id, all } = await person({ plan: 'agency', sites: 8, monitored: 8 })
    await changePlan(id, 'pro')
    await monitorOnly(id, all.slice(0, 3))
    expect(await store.misfits(limitUnder(sold))).not.toContain(id)
    expect(await fit(id)).toEqual([])
    expect(await sitesOf(id)).toEqual({ monitored: [1, 2, 3], paused: [] })
  })

  test('one more than the plan covers is refused, and nothing changes', async () => {
    const { id, all } = await person({ plan: 'pro', sites: 3, monitored: 3 })
    await changePlan(id, 'free')
    expect(await select(id, all[0]!)).toEqual({ refusal: 'Your Free plan allows up to 1 site(s).' })
    expect(await monitorOnly(id, all)).toEqual({ refusal: 'Your Free plan allows up to 1 site(s).' })
    expect(await sitesOf(id)).toEqual({ monitored: [3], paused: [1, 2] })
  })

  test('disconnecting Google clears the pause along with the selection', async () => {
    const { id, all } = await person({ plan: 'pro', sites: 2, monitored: 2 })
    await changePlan(id, 'free')
    await store.detachGoogleSites(id, day(28), database.db)
    await listed(id, all)
    await changePlan(id, 'pro')
    expect(await sitesOf(id)).toEqual({ monitored: [], paused: [] })
  })
})

describe('at the same time', () => {
  test('plan changes and selections never leave more sites than the plan covers', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, all } = await person({ plan: 'pro', sites: 6, monitored: 2 })
      await Promise.all([
        setPlan(id, 'free').then(() => fit(id)),
        monitorOnly(id, all.slice(0, 5)),
        setPlan(id, 'pro').then(() => fit(id)),
        select(id, all[5]!),
        setPlan(id, 'free').then(() => fit(id)),
      ])
      // Whichever change came last, its adjustment saw all earlier ones, and later choices saw the plan.
      const { plan } = await database.db.selectFrom('people').where('userId', '=', id).select('plan').executeTakeFirstOrThrow()
      expect((await sitesOf(id)).monitored.length).toBeLessThanOrEqual(limitUnder(sold)(plan))
    }
  })

  test('two concurrent fits resume each site once', async () => {
    const { id } = await person({ plan: 'pro', sites: 4, monitored: 4 })
    await changePlan(id, 'free')
    await setPlan(id, 'pro')
    const resumed = (await Promise.all([fit(id), fit(id), fit(id)])).flat()
    expect(resumed).toHaveLength(3)
    expect((await sitesOf(id)).monitored).toEqual([1, 2, 3, 4])
  })
})

test("when plans start or cease to apply, exactly the users whose sites don't fit are found", async () => {
  const [full, beyond, cut] = [
    await person({ plan: 'pro', sites: 6, monitored: 5 }),
    await person({ plan: 'free', sites: 3, monitored: 1 }),
    await person({ plan: 'pro', sites: 5, monitored: 5 }),
  ]
  await changePlan(cut.id, 'free')
  const of = (ids: string[]) => ids.filter((id) => [full.id, beyond.id, cut.id].includes(id))
  const given: Offer = { billing: 'off', sitesPerPerson: null }
  expect(of(await store.misfits(limitUnder(sold)))).toEqual([])
  expect(of(await store.misfits(limitUnder(given)))).toEqual([cut.id])
  await fit(cut.id, given)
  expect(await sitesOf(cut.id)).toEqual({ monitored: [1, 2, 3, 4, 5], paused: [] })
  expect(of(await store.misfits(limitUnder(given)))).toEqual([])
  expect(of(await store.misfits(limitUnder({ ...given, sitesPerPerson: 4 })))).toEqual([full.id, cut.id])
  expect(of(await store.misfits(limitUnder(sold)))).toEqual([cut.id])
})
