import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import type { TestApp } from '../../../test/support/app.ts'
import { expectStoredAsAtGoogle } from '../../../test/support/grain-sums.ts'
import { newPerson, propertyId, select, shortenHistory, statusOf, synced } from '../../../test/support/people.ts'
import { topRows } from '../../../test/support/top-rows.ts'

/** Real names that all need encoding in a URL. */
const names = [
  'https://names.example/a b/?x=1&y=2#z',
  'https://names.example/100%25/%2F/',
  'https://名前.example/café/',
  'https://names.example/o\'neil/"quoted"/',
  'sc-domain:bücher.example',
]
const site = names[0]!
const day = '2026-03-17'

/** What people type, and worse. */
const queries = [
  `"quoted" 'single' \`back\``,
  'back\\slash \\n \\t \\0 \\N \\',
  'tab\there, new\nline, return\rhere',
  'null\0byte',
  '👩‍👩‍👧‍👦 family 🏳️‍🌈',
  'שלום עולם ‏مرحبا',
  'a\u0301 is not á',
  '\u2028\u2029\ufeff\u200b',
  '\b\f\v\u001b[31m\u007f',
  '{property:UInt64} {{x}} %s $1 ?',
  `'); DROP TABLE facts_query; --`,
  '<script>alert(1)</script>',
  'NULL',
  ' leading and trailing ',
  'x'.repeat(2000),
  '😀'.repeat(1000),
]

const test = appTest({ today: '2026-03-18', demo: false }).extend('owner', { scope: 'file' }, ({ app }) =>
  newPerson(app, { plan: 'pro', sites: Object.fromEntries(names.map((name) => [name, 'empty' as const])) }),
)

const scope = async (app: TestApp) => ({ property: await propertyId(app, site), searchType: 'web', start: day, end: day }) as const

test('queries and pages are stored exactly', async ({ app, owner }) => {
  const rows = queries.map((query, i) => ({ query, page: `${site}${query}`, clicks: queries.length - i, impressions: 100, position: 3 }))
  await app.google.setRows(site, '2026-03-16', rows)
  await shortenHistory(app, site, 5)
  await select(owner, site)
  await synced(owner, site)
  const { facts } = await app.stores()
  const of = { ...(await scope(app)), start: '2026-03-16', end: '2026-03-16' } as const
  expect((await facts.ask(topRows<'query'>, 'query', of, 100)).map((row) => row.query).toSorted()).toEqual(queries.toSorted())
  expect((await facts.ask(topRows<'page'>, 'page', of, 100)).map((row) => row.page).toSorted()).toEqual(
    queries.map((query) => site + query).toSorted(),
  )
  const pairs = await facts.ask(topRows<'query_page'>, 'query_page', of, 100)
  expect(pairs).toHaveLength(queries.length)
  expect(pairs.every((row) => row.page === site + row.query)).toBe(true)
  await expectStoredAsAtGoogle(app, site, { start: '2026-03-14', end: '2026-03-18' })
})

test('a lone surrogate is stored as the replacement character, with its figures', async ({ app, owner: _owner }) => {
  const { facts } = await app.stores()
  const load = await facts.beginLoad((await scope(app)).property, 'web')
  const halves = ['\ud800 high', 'low \udc00', '\udc00\ud800']
  await load.write(
    'query',
    halves.map((query) => ({ date: day, keys: [query], clicks: 1, impressions: 10, position: 1 })),
  )
  await load.publish(new Map([['query', [day]]]))
  const stored = await facts.ask(topRows<'query'>, 'query', await scope(app), 10)
  expect(stored.map((row) => row.query).toSorted()).toEqual(['\ufffd high', 'low \ufffd', '\ufffd\ufffd'].toSorted())
  expect(stored.map((row) => row.clicks)).toEqual([1, 1, 1])
})

test.for(names)('the property %s can be selected, synced and requested', async (name, { app, owner }) => {
  await app.google.setRows(name, '2026-03-15', [{ query: 'q', page: 'https://p.example/', clicks: 7, impressions: 70, position: 2 }])
  await shortenHistory(app, name, 5)
  await select(owner, name)
  await synced(owner, name)
  expect((await statusOf(owner, name)).property).toBe(name)
  const answer = await owner.get(`/api/metrics?property=${encodeURIComponent(name)}`)
  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({ property: name, clicks: expect.any(Number) })
})
