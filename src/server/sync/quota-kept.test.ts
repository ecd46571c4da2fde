import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { newPerson, select, shortenHistory, statusOf } from '../../../test/support/people.ts'
import { until } from '../../../test/support/until.ts'

const ann = ['https://ann-one.example/', 'https://ann-two.example/']
const bob = 'https://bob.example/'
const limits = { perSite: 240, perUser: 360, perProject: 480 }

/** Calls that the buckets can have let through by now: a second's worth at once, the others over a minute. */
const allowed = (limit: number, ms: number): number => Math.ceil((limit * (1_000 + ms)) / 60_000) + 1

const test = appTest({
  today: '2026-03-18',
  demo: false,
  limits: {
    ours: limits,
    standIn: { querySiteMinute: limits.perSite, queryUserMinute: limits.perUser, queryProjectMinute: limits.perProject },
  },
})
  /** Two people whose backfills have used the buckets' initial contents: from here on calls only trickle. */
  .extend('trickling', { scope: 'file' }, async ({ app }) => {
    const startedAt = Date.now()
    const people = [
      {
        person: await newPerson(app, { email: 'ann@example.test', plan: 'pro', sites: { [ann[0]!]: 'local', [ann[1]!]: 'local' } }),
        sites: ann,
      },
      { person: await newPerson(app, { email: 'bob@example.test', sites: { [bob]: 'local' } }), sites: [bob] },
    ]
    for (const { person, sites } of people) {
      for (const site of sites) {
        await shortenHistory(app, site, 200)
        await select(person, site)
      }
    }
    const calls = await until(
      async () => (await app.google.requests()).filter((call) => call.kind === 'query'),
      (all) => all.length >= 45,
    )
    return { people, calls, ms: Date.now() - startedAt }
  })

test('a backfill that could go faster stays within the limits per site, user and project', { tags: ['full'] }, async ({ trickling }) => {
  const { people, calls, ms } = trickling
  const count = (sites: readonly string[]) => calls.filter((call) => sites.includes(call.siteUrl ?? '')).length
  for (const site of [...ann, bob]) expect(count([site])).toBeLessThanOrEqual(allowed(limits.perSite, ms))
  expect(count(ann)).toBeLessThanOrEqual(allowed(limits.perUser, ms))
  expect(calls.length).toBeLessThanOrEqual(allowed(limits.perProject, ms))
  expect(calls.filter((call) => call.status !== 200)).toEqual([])
  for (const { person, sites } of people) {
    for (const site of sites) expect(['ok', 'never']).toContain((await statusOf(person, site)).state)
  }
})

test(
  'waiting for the quota delays neither a shutdown nor the work after a restart',
  { tags: ['full'] },
  async ({ app, trickling: _trickling }) => {
    // pg-boss sets this every few seconds for queues with these policies, and then believes it for a minute.
    await (await app.stores()).sql(`UPDATE jobs.queue SET singletons_active = '{1,2,3}' WHERE policy IN ('stately', 'singleton')`)
    await app.restart()
    const before = (await app.google.requests()).length
    const after = await until(
      async () => (await app.google.requests()).length,
      (count) => count > before,
    )
    expect(after).toBeGreaterThan(before)
  },
)
