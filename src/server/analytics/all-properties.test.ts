import { expect } from 'vitest'
import type { z } from 'zod'
import { appTest } from '../../../test/support/app-test.ts'
import { inFull } from '../../../test/support/in-full.ts'
import { newPerson } from '../../../test/support/people.ts'
import { storeHistory, watch } from '../../../test/support/stored-history.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { alertConditions } from '../../contract/alerts/conditions.ts'
import { keywords, opportunities } from '../../contract/keywords.ts'
import { pages } from '../../contract/pages.ts'

// `?property=all` (OPEN-POINTS 22): one list for all of a user's properties.

const whole = 'sc-domain:lamps.example'
/** Part of the domain. */
const blog = 'https://blog.lamps.example/'
const chairs = 'https://chairs.example/'
/** Its days end before the others' last week begins. */
const ended = 'https://ended.example/'
const strange = 'https://strange.example/'

const test = appTest({ today: '2026-03-18', demo: false })
  .extend('owner', { scope: 'file' }, async ({ app }) => {
    const names = [whole, blog, chairs, ended]
    const owner = await newPerson(app, { plan: 'agency', sites: Object.fromEntries(names.map((name) => [name, 'local' as const])) })
    // In the week before, these were shown for something else.
    for (const [name, page] of [
      [whole, 'https://lamps.example/'],
      [chairs, chairs],
    ] as const) {
      await app.google.setDays(name, { from: '2026-03-02', to: '2026-03-08' }, [
        { query: 'gone', page, clicks: 1, impressions: 10, position: 3 },
      ])
    }
    for (const name of names) {
      await storeHistory(app, name, { days: 21 })
      await watch(app, name)
    }
    const { sql } = await app.stores()
    await sql(
      `UPDATE property_syncs SET complete_through = '2026-03-05', facts_version = facts_version + 1 FROM properties
       WHERE property_id = properties.id AND name = $1`,
      [ended],
    )
    return owner
  })
  .extend('stranger', { scope: 'file' }, async ({ app }) => {
    const stranger = await newPerson(app, { email: 'stranger@example.test', sites: { [strange]: 'local' } })
    await storeHistory(app, strange, { days: 21 })
    await watch(app, strange)
    return stranger
  })

/** A list for one property, or for all. */
async function listOf<T extends z.ZodType>(person: Visitor, schema: T, path: string, property: string, query = ''): Promise<z.output<T>> {
  const answer = await person.get(`${path}?property=${encodeURIComponent(property)}&${query}`)
  expect(answer.status).toBe(200)
  return schema.parse(answer.body)
}

const lists = [
  ['/api/pages', pages, ''],
  ['/api/pages', pages, 'sort=clicksChange&order=asc'],
  ['/api/keywords', keywords, 'presence=lost&sort=impressions'],
  ['/api/keywords/opportunities', opportunities, ''],
  ...inFull([
    ['/api/pages', pages, 'sort=ctr&order=asc'],
    ['/api/pages', pages, 'sort=page&order=asc'],
    ['/api/keywords', keywords, ''],
    ['/api/keywords', keywords, 'sort=position'],
    ['/api/pages', pages, 'sort=ctrChange'],
    ['/api/keywords', keywords, 'sort=positionChange'],
    ['/api/keywords/opportunities', opportunities, 'sort=impressionsChange&order=asc'],
  ]),
] as const

test.for(lists)('%s lists the rows of all properties together, in its usual order', async ([path, schema, query], { owner }) => {
  const rows = await listOf(owner, schema, path, 'all', `${query}&limit=1000`)
  // Each list has its rows in the same order, and none from another property.
  for (const property of [whole, chairs]) {
    const own = rows.filter((row) => row.property === property).map(({ property: _property, ...row }) => row)
    expect(own).toEqual(await listOf(owner, schema, path, property, `${query}&limit=1000`))
    expect(own.length).toBeGreaterThan(0)
  }
  expect(new Set(rows.map(({ property }) => property))).toEqual(new Set([whole, chairs]))
  // The first rows are the first overall; pages fit together.
  expect(await listOf(owner, schema, path, 'all', `${query}&limit=7`)).toEqual(rows.slice(0, 7))
  expect(await listOf(owner, schema, path, 'all', `${query}&limit=7&offset=3`)).toEqual(rows.slice(3, 10))
  const own = await listOf(owner, schema, path, whole, `${query}&limit=1000`)
  expect(await listOf(owner, schema, path, whole, `${query}&limit=2&offset=1`)).toEqual(own.slice(1, 3))
})

test(
  'the lists have the rows of a site within a domain that has fewer days and clicks, until the older days are fetched',
  { tags: ['full'] },
  async ({ app }) => {
    const [domain, site] = ['sc-domain:begun.example', 'https://begun.example/']
    const person = await newPerson(app, {
      plan: 'agency',
      email: 'begun@example.test',
      sites: { [domain]: 'empty', [site]: 'empty' },
    })
    const row = { query: 'lamps', page: site, clicks: 10, impressions: 100, position: 3 }
    for (const name of [domain, site]) {
      await app.google.setDays(name, { from: '2026-01-01', to: '2026-03-18' }, [row])
      await storeHistory(app, name, { days: name === domain ? 7 : 60 })
      await watch(app, name)
    }
    const rowsOf = async () => [
      ...(await listOf(person, pages, '/api/pages', 'all', 'range=28d')),
      ...(await listOf(person, keywords, '/api/keywords', 'all', 'range=28d')),
    ]
    expect(await rowsOf()).toMatchObject([
      { property: site, clicks: 280 },
      { property: site, clicks: 280 },
    ])
    await storeHistory(app, domain, { days: 60 })
    expect(await rowsOf()).toMatchObject([
      { property: domain, clicks: 280 },
      { property: domain, clicks: 280 },
    ])
  },
)

test('rows are sorted across properties', async ({ owner }) => {
  const clicks = (await listOf(owner, pages, '/api/pages', 'all')).map((row) => row.clicks)
  expect(clicks).toEqual(clicks.toSorted((a, b) => b - a))
  const positions = (await listOf(owner, keywords, '/api/keywords', 'all', 'sort=position')).map(({ position }) => position || Infinity)
  expect(positions).toEqual(positions.toSorted((a, b) => a - b))
  const names = (await listOf(owner, pages, '/api/pages', 'all', 'sort=page&order=desc')).map(({ page }) => page)
  expect(names).toEqual(names.toSorted().toReversed())
})

test('rows are sorted by their change, the largest loss first; those without a figure before come last', async ({ owner }) => {
  const rows = await listOf(owner, keywords, '/api/keywords', whole, 'sort=clicksChange&order=asc&limit=1000')
  const lost = rows.map(({ clicks, previous }) => clicks - (previous?.clicks ?? 0))
  expect(lost).toEqual(lost.toSorted((a, b) => a - b))
  expect(lost[0]).toBeLessThan(lost.at(-1) ?? 0)
  for (const order of ['asc', 'desc']) {
    const ranked = await listOf(owner, keywords, '/api/keywords', whole, `sort=positionChange&order=${order}&limit=1000`)
    const gained = ranked.map(({ position, previous }) => (position && previous?.position ? previous.position - position : null))
    const known = gained.filter((places) => places !== null)
    expect(gained.slice(0, known.length)).toEqual(known.toSorted((a, b) => (order === 'asc' ? a - b : b - a)))
  }
})

test('by change, a site without a comparison comes last, and the parts of the list fit together', { tags: ['full'] }, async ({ app }) => {
  const [old, young] = ['https://old.example/', 'https://young.example/']
  const person = await newPerson(app, { plan: 'agency', email: 'changes@example.test', sites: { [old]: 'empty', [young]: 'empty' } })
  const row = (page: string, clicks: number, position: number) => ({ query: 'lamps', page, clicks, impressions: 1_000, position })
  await app.google.setDays(old, { from: '2026-02-01', to: '2026-03-08' }, [row(`${old}a`, 100, 7.04), row(`${old}b`, 100, 6.96)])
  // Rounded to one digit, the second one gained more.
  await app.google.setDays(old, { from: '2026-03-09', to: '2026-03-18' }, [row(`${old}a`, 120, 5.06), row(`${old}b`, 90, 5.04)])
  await app.google.setDays(young, { from: '2026-03-09', to: '2026-03-18' }, [row(`${young}c`, 500, 3)])
  for (const [name, days] of [
    [old, 30],
    [young, 8],
  ] as const) {
    await storeHistory(app, name, { days })
    await watch(app, name)
  }
  const range = '2026-03-10_2026-03-14'
  const listed = async (query: string) =>
    (await listOf(person, pages, '/api/pages', 'all', `range=${range}&${query}`)).map(({ page }) => page.slice(-1)).join('')
  expect(await listed('sort=clicksChange')).toBe('abc')
  expect(await listed('sort=clicksChange&order=asc')).toBe('bac')
  expect(await listed('sort=positionChange')).toBe('abc')
  const part = async (offset: number) => listed(`sort=positionChange&limit=1&offset=${offset}`)
  expect([await part(0), await part(1), await part(2)]).toEqual(['a', 'b', 'c'])
})

test('are empty, not an error, while no property has a complete day', async ({ app }) => {
  const person = await newPerson(app, { email: 'fresh@example.test', sites: { 'https://fresh.example/': 'local' } })
  for (const at of ['before a property is chosen', 'before its first day']) {
    for (const path of ['/api/pages', '/api/keywords', '/api/keywords/opportunities'] as const)
      for (const range of ['', 'range=28d', 'range=12m', 'range=all', 'range=2026-01-01_2026-01-31'])
        expect(await person.get(`${path}?property=all&${range}`), `${path} ${range} ${at}`).toMatchObject({ status: 200, body: [] })
    await watch(app, 'https://fresh.example/')
  }
})

test('a segment by brand includes sites without brand terms: none of their keywords is branded', { tags: ['full'] }, async ({ owner }) => {
  const segment = async (content: string): Promise<string> => {
    const { body } = await owner.send('POST', '/api/explore/saved', { kind: 'segment', name: content, content })
    return (body as { id: string }).id
  }
  const [branded, others] = [await segment('brand is yes'), await segment('brand is no')]
  const before = (await owner.get(`/api/brand?property=${encodeURIComponent(chairs)}`)).body as { terms: string[] }
  const setTerms = (property: string, terms: readonly string[]) =>
    owner.send('PUT', `/api/brand?property=${encodeURIComponent(property)}`, { terms })
  const [named] = await listOf(owner, keywords, '/api/keywords', whole, 'limit=1')
  await setTerms(whole, [named!.query])
  await setTerms(chairs, [])
  try {
    const of = async (property: string, id: string) => listOf(owner, keywords, '/api/keywords', property, `segment=${id}&limit=1000`)
    expect(await of('all', branded)).toEqual((await of(whole, branded)).map((row) => ({ ...row, property: whole })))
    const unbranded = (await of('all', others)).filter(({ property }) => property === chairs)
    expect(unbranded).toHaveLength((await listOf(owner, keywords, '/api/keywords', chairs, 'limit=1000')).length)
    await listOf(owner, pages, '/api/pages', 'all', `segment=${branded}`)
    // For one property, the way out is to add terms.
    expect(await owner.get(`/api/keywords?property=${encodeURIComponent(chairs)}&segment=${branded}`)).toMatchObject({
      status: 400,
      body: { message: 'Add brand terms to filter by brand', field: 'segment' },
    })
  } finally {
    await setTerms(chairs, before.terms)
  }
})

test("rows of a single property don't name it", async ({ owner }) => {
  for (const row of await listOf(owner, pages, '/api/pages', chairs)) expect(row).not.toHaveProperty('property')
})

test('rules of all properties are grouped by property', async ({ owner }) => {
  const rules = await listOf(owner, alertConditions, '/api/alert-conditions', 'all')
  for (const name of [whole, blog, chairs, ended]) {
    const own = rules.filter(({ property }) => property === name)
    expect(own).toHaveLength(5)
    expect(own).toEqual(await listOf(owner, alertConditions, '/api/alert-conditions', name))
  }
})

test('a list of all properties has only those of its owner', async ({ owner, stranger }) => {
  await listOf(owner, pages, '/api/pages', 'all')
  const of = async (person: Visitor) => [
    ...(await listOf(person, pages, '/api/pages', 'all')),
    ...(await listOf(person, keywords, '/api/keywords', 'all')),
    ...(await listOf(person, opportunities, '/api/keywords/opportunities', 'all')),
    ...(await listOf(person, alertConditions, '/api/alert-conditions', 'all')),
  ]
  expect(new Set((await of(stranger)).map(({ property }) => property))).toEqual(new Set([strange]))
})
