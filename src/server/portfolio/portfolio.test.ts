import { describe, expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { throughConsent } from '../../../test/support/consent.ts'
import { newPerson } from '../../../test/support/people.ts'
import { putAlerts } from '../../../test/support/stored-alerts.ts'
import { storeHistory, watch } from '../../../test/support/stored-history.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { site as siteOf } from '../../contract/portfolio.ts'

const whole = 'sc-domain:lamps.example'
const blog = 'https://blog.lamps.example/'
const young = 'https://young.example/'
const unmonitored = 'https://unmonitored.example/'
const strange = 'https://strange.example/'

const listOf = async (person: Visitor) => siteOf.array().parse((await person.get('/api/sites')).body)
const byName = async (person: Visitor) => new Map((await listOf(person)).map((site) => [site.name, site]))
const tag = (person: Visitor, property: string, tags: unknown) => person.send('PUT', '/api/sites/tags', { property, tags })

const test = appTest({ today: '2026-03-18', demo: false })
  .extend('owner', { scope: 'file' }, async ({ app }) => {
    const owner = await newPerson(app, {
      plan: 'agency',
      sites: { [whole]: 'local', [blog]: 'local', [young]: 'empty', [unmonitored]: 'empty' },
    })
    // Its first day is in the middle of the comparison week.
    const row = { query: 'lamps', page: young, clicks: 10, impressions: 100, position: 3 }
    await app.google.setDays(young, { from: '2026-03-07', to: '2026-03-18' }, [row])
    for (const name of [whole, blog, young]) {
      await storeHistory(app, name, { days: 60 })
      await watch(app, name)
    }
    return owner
  })
  .extend('stranger', { scope: 'file' }, ({ app }) => newPerson(app, { email: 'stranger@example.test', sites: { [strange]: 'empty' } }))

describe('all properties of an account', () => {
  test('have the figures of their metric cards, whatever their last complete day', async ({ app, owner }) => {
    const { sql } = await app.stores()
    // One is a week behind the others.
    await sql(
      `UPDATE property_syncs SET complete_through = '2026-03-09', facts_version = facts_version + 1 FROM properties
       WHERE property_id = properties.id AND name = $1`,
      [blog],
    )
    const sites = await byName(owner)
    for (const name of [whole, blog, young]) {
      const cards = (await owner.get(`/api/metrics?property=${encodeURIComponent(name)}`)).body
      expect(cards).toMatchObject(sites.get(name)?.metrics ?? { not: 'there' })
    }
    expect(sites.get(whole)?.metrics?.clicksPrevious).toBeGreaterThan(0)
    expect(sites.get(blog)?.metrics?.current).toEqual({ start: '2026-03-03', end: '2026-03-09' })
    expect(sites.get(young)?.metrics).toMatchObject({ clicks: 70, clicksPrevious: null })
  })

  test('are listed even if not monitored, without figures', async ({ owner }) => {
    expect((await byName(owner)).get(unmonitored)).toMatchObject({ monitored: false, metrics: null, alerts: null, tags: [] })
  })

  test('show how many alerts are open and how severe the worst is', async ({ app, owner }) => {
    const openedAt = '2026-03-16T09:00:00Z'
    await putAlerts(app, whole, [
      { openedAt, severity: 'warning' },
      { openedAt, severity: 'critical', state: 'acknowledged', entity: { kind: 'query', name: 'lamp' } },
      { openedAt, severity: 'critical', state: 'recovered' },
    ])
    await putAlerts(app, blog, [{ openedAt, severity: 'critical', state: 'recovered' }])
    const sites = await byName(owner)
    expect(sites.get(whole)?.alerts).toEqual({ open: 2, worst: 'critical' })
    expect(sites.get(blog)?.alerts).toBeNull()
  })

  test("are not listed as free of alerts while alerts can't be read", async ({ app, owner }) => {
    const { sql } = await app.stores()
    await sql('ALTER TABLE alerts RENAME TO alerts_away')
    const answer = await owner.get('/api/sites').finally(() => sql('ALTER TABLE alerts_away RENAME TO alerts'))
    expect(answer.status).toBe(500)
  })

  test("show each one's sync status", async ({ owner }) => {
    const { sync } = (await byName(owner)).get(whole)!
    expect((await owner.get(`/api/sync?property=${encodeURIComponent(whole)}`)).body).toMatchObject([sync])
  })

  test('are private', async ({ owner, stranger }) => {
    expect((await listOf(owner)).map(({ name }) => name).toSorted()).toEqual([blog, young, unmonitored, whole].toSorted())
    expect((await listOf(stranger)).map(({ name }) => name)).toEqual([strange])
  })
})

test('an account can load the list 120 times a minute, from any address', { tags: ['full'] }, async ({ app }) => {
  const asks = await newPerson(app, { email: 'asks@example.test', sites: {} })
  const other = await newPerson(app, { email: 'other@example.test', sites: {} })
  const statuses: number[] = []
  for (let at = 0; at < 122; at += 1) statuses.push((await asks.get('/api/sites')).status)
  expect(statuses).toEqual([...Array.from({ length: 120 }, () => 200), 429, 429])
  expect((await other.get('/api/sites')).status).toBe(200)
})

describe('tags', () => {
  const tagsOf = async (person: Visitor, name: string) => (await byName(person)).get(name)?.tags

  test('are stored with the property in their order, and can be removed', async ({ owner }) => {
    expect(await tag(owner, blog, [' Client A ', 'EU'])).toMatchObject({ status: 200, body: { property: blog, tags: ['Client A', 'EU'] } })
    expect(await tagsOf(owner, blog)).toEqual(['Client A', 'EU'])
    await tag(owner, blog, ['EU'])
    expect(await tagsOf(owner, blog)).toEqual(['EU'])
    expect(await tagsOf(owner, whole)).toEqual([])
  })

  test("on somebody else’s property can't be set", async ({ owner, stranger }) => {
    await tag(owner, whole, ['mine'])
    for (const name of [whole, 'https://nobody.example/', 'a\0b']) {
      expect(await tag(stranger, name, ['theirs'])).toMatchObject({ status: 404, body: { field: 'property' } })
    }
    expect(await tagsOf(owner, whole)).toEqual(['mine'])
  })

  test.for([
    ['the same twice', ['eu', 'EU']],
    ['an empty one', [' ']],
    ['one with several lines', ['a\nb']],
    ['a long one', ['x'.repeat(31)]],
    ['too many', Array.from({ length: 11 }, (_, index) => `tag ${index}`)],
  ] as const)('%s: refused, and nothing changes', async ([_what, tags], { owner }) => {
    await tag(owner, young, ['new'])
    expect((await tag(owner, young, tags)).status).toBe(400)
    expect(await tagsOf(owner, young)).toEqual(['new'])
  })
})

test('with more than three monitored properties, login with Google leads to all of them', async ({ app }) => {
  const names = ['one', 'two', 'three', 'four'].map((name) => `https://${name}.example/`)
  const account = 'many@example.test'
  await newPerson(app, { email: account, plan: 'agency', sites: Object.fromEntries(names.map((name) => [name, 'empty' as const])) })
  const back = () => throughConsent(app.visitor(), { account, redirect: '/login' })
  for (const name of names.slice(0, 3)) await watch(app, name)
  expect(await back()).toBe('/dashboard?connected=true')
  await watch(app, names[3]!)
  expect(await back()).toBe('/sites?connected=true')
})
