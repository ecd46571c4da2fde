import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { newPerson, select, shortenHistory, statusOf } from '../../../test/support/people.ts'
import { until } from '../../../test/support/until.ts'

const ann = ['https://ann-one.example/', 'https://ann-two.example/']
const bob = 'https://bob.example/'
const limits = { perSite: 240, perUser: 360, perProject: 480 }
let app: TestApp

beforeAll(async () => {
  app = await startTestApp({
    today: '2026-03-18',
    demo: false,
    limits: {
      ours: limits,
      standIn: { querySiteMinute: limits.perSite, queryUserMinute: limits.perUser, queryProjectMinute: limits.perProject },
    },
  })
})
afterAll(() => app.close())

/** Calls that the buckets may have let through by now: a second's at once, the others over a minute. */
const allowed = (limit: number, startedAt: number): number => Math.ceil((limit * (1_000 + Date.now() - startedAt)) / 60_000) + 1

test('a backfill that could go faster keeps within the limits for a site, a person and the project', async () => {
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
  // Everything the buckets held at first has been used: from here on calls only trickle.
  const calls = await until(
    async () => (await app.google.requests()).filter((call) => call.kind === 'query'),
    (all) => all.length >= 45,
  )
  const count = (sites: readonly string[]) => calls.filter((call) => sites.includes(call.siteUrl ?? '')).length
  for (const site of [...ann, bob]) expect(count([site])).toBeLessThanOrEqual(allowed(limits.perSite, startedAt))
  expect(count(ann)).toBeLessThanOrEqual(allowed(limits.perUser, startedAt))
  expect(calls.length).toBeLessThanOrEqual(allowed(limits.perProject, startedAt))
  expect(calls.filter((call) => call.status !== 200)).toEqual([])
  for (const { person, sites } of people) {
    for (const site of sites) expect(['ok', 'never']).toContain((await statusOf(person, site)).state)
  }
})

test('waiting for the quota does not keep the server from stopping, nor a restart from going on at once', { tags: ['full'] }, async () => {
  // As pg-boss notes every few seconds for queues of these policies, and then believes for a minute.
  await (await app.stores()).sql(`UPDATE jobs.queue SET singletons_active = '{1,2,3}' WHERE policy IN ('stately', 'singleton')`)
  await app.restart()
  const before = (await app.google.requests()).length
  const after = await until(
    async () => (await app.google.requests()).length,
    (count) => count > before,
  )
  expect(after).toBeGreaterThan(before)
})
