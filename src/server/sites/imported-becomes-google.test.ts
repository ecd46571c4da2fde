import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { sites, type Visitor } from '../../../test/support/app.ts'
import { throughConsent } from '../../../test/support/consent.ts'
import { sumsStored } from '../../../test/support/grain-sums.ts'
import { newPerson, propertyId, refresh, shortenHistory, synced } from '../../../test/support/people.ts'
import { until } from '../../../test/support/until.ts'
import { syncStatuses } from '../../contract/sync.ts'
import { user } from '../../contract/user.ts'
import { currentLoads } from '../facts/current-loads.ts'
import { dailyTotals } from '../facts/questions/daily-totals.ts'
import { firstShown } from '../facts/stored-days.ts'

const account = 'owner@example.test'
const disconnect = (owner: Visitor) =>
  owner.send('PATCH', '/api/user', { accessToken: null, refreshToken: null, gscProperties: null, selectedProperty: null })

const test = appTest({ today: '2026-11-10', demo: false })
  .extend('owner', { scope: 'file' }, async ({ app }) => {
    const owner = await newPerson(app, { email: account, sites: { [sites.shop]: 'empty' } })
    await disconnect(owner)
    return owner
  })
  .extend('importCsv', { scope: 'file' }, ({ app, owner }) => async (property: string, csv: string): Promise<number> => {
    const form = new FormData()
    form.set('property', property)
    form.set('file', new Blob([csv]), 'old.csv')
    const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return (await fetch(`${app.url}/api/import`, { method: 'POST', body: form, headers: { cookie } })).status
  })

test('an imported property becomes Google’s when its owner connects, and keeps its older days', async ({ app, owner, importCsv }) => {
  const name = 'https://before.example/'
  expect(await importCsv(name, 'date,clicks,impressions,position\n2024-01-01,7,70,3.5\n2024-01-02,5,50,3.5\n')).toBe(200)
  await app.google.call('POST', 'sites', { account, site: name, permission: 'siteOwner', profile: 'empty' })
  await shortenHistory(app, name, 30)
  await owner.send('POST', '/api/gsc-properties/select', { selectedProperty: name })

  expect(await throughConsent(owner, { account })).toContain('connected=true')
  const person = user.parse((await owner.get('/api/user')).body)
  expect(person.gscProperties?.find((property) => property.name === name)).toMatchObject({
    kind: 'google',
    permissionLevel: 'siteOwner',
    monitored: true,
  })
  expect(person.gscProperties?.map((property) => property.name)).toContain(sites.shop)

  // Google has no figures for it; the imported ones are still there on their own dates.
  await until(
    async () => (await owner.get(`/api/sync?property=${encodeURIComponent(name)}`)).body as { daysLeft: number; state: string }[],
    ([status]) => status?.state === 'ok' && status.daysLeft === 0,
  )
  const { clickhouse } = await app.stores()
  const id = Number(person.gscProperties?.find((property) => property.name === name)?.id)
  const sums = await sumsStored(clickhouse, { property: id }, { start: '2024-01-01', end: '2024-01-02' })
  expect(sums.total).toEqual({
    '2024-01-01': { rows: 1, clicks: 7, impressions: 70 },
    '2024-01-02': { rows: 1, clicks: 5, impressions: 50 },
  })
})

test('Google’s days begin with its first figures, in each search type: imported days before them stay, and days of neither are unknown', async ({
  app,
  owner,
  importCsv,
}) => {
  const name = 'https://moved.example/'
  const { facts } = await app.stores()
  const row = (type: string, date: string) => `${type},${date},https://moved.example/a,usa,7,70,3.5\n`
  const days = ['2026-10-30', '2026-11-01', '2026-11-07']
  await disconnect(owner)
  const head = 'search_type,date,page,country,clicks,impressions,position\n'
  expect(await importCsv(name, head + ['web', 'image'].flatMap((type) => days.map((day) => row(type, day))).join(''))).toBe(200)
  const rows = [{ query: 'a', page: `${name}a`, clicks: 3, impressions: 30, position: 2 }]
  await app.google.call('POST', 'sites', { account, site: name, permission: 'siteOwner', profile: 'empty' })
  await app.google.call('PUT', 'rows', { site: name, date: '2026-11-07', until: '2026-11-08', rows })
  await app.google.call('PUT', 'rows', { site: name, date: '2026-11-09', type: 'image', rows })

  await throughConsent(owner, { account })
  await owner.send('POST', '/api/gsc-properties/select', { selectedProperty: name })
  const { completeThrough } = await synced(owner, name)
  expect(completeThrough! >= '2026-11-07').toBe(true)
  const property = await propertyId(app, name)
  const stored = async (searchType: 'web' | 'image') => {
    const scope = { property, searchType, start: '2024-01-01', end: '2026-12-31' } as const
    const shown = new Map((await facts.ask(dailyTotals, scope)).map(({ date, clicks }) => [date, clicks]))
    return (await facts.ask(currentLoads, 'total', scope)).map(({ date }) => `${date}: ${shown.get(date) ?? 0}`).toSorted()
  }
  const imported = ['2026-10-30: 7', '2026-11-01: 7']
  expect(await stored('web')).toEqual([...imported, '2026-11-07: 3', '2026-11-08: 3', '2026-11-09: 0', '2026-11-10: 0'])
  expect(await stored('image')).toEqual([...imported, '2026-11-07: 7', '2026-11-09: 3', '2026-11-10: 0'])
  expect(await facts.ask(firstShown, property)).toBe('2026-10-30')

  // A new property's first days come late: a week on, Google is asked again for its first.
  await app.google.call('PUT', 'rows', { site: name, date: '2026-11-04', rows })
  await (await app.stores()).sql(`UPDATE property_syncs SET types_probed_at = '2026-11-01' WHERE property_id = $1`, [property])
  await refresh(owner, name)
  await synced(owner, name)
  expect((await stored('web')).slice(0, 5)).toEqual([...imported, '2026-11-04: 3', '2026-11-05: 0', '2026-11-06: 0'])
})

test(
  'days of a file that Google is still counting are no longer complete once Google has been asked',
  { tags: ['full'] },
  async ({ app, owner, importCsv }) => {
    const name = 'https://unfinished.example/'
    const statusOf = async () => syncStatuses.parse((await owner.get(`/api/sync?property=${encodeURIComponent(name)}`)).body)[0]
    await disconnect(owner)
    expect(await importCsv(name, 'date,clicks,impressions,position\n2026-11-09,7,70,3.5\n2026-11-10,5,50,3.5\n')).toBe(200)
    expect((await statusOf())?.completeThrough).toBe('2026-11-10')
    await app.google.call('POST', 'sites', { account, site: name, permission: 'siteOwner', profile: 'local' })
    await shortenHistory(app, name, 30)
    expect(await throughConsent(owner, { account })).toContain('connected=true')
    const status = await until(statusOf, (each) => each?.state === 'ok' && each.firstDate !== null)
    const { finalDate } = (await app.google.call('GET', `totals?site=${encodeURIComponent(name)}&start=2026-11-01&end=2026-11-10`)) as {
      finalDate: string
    }
    expect(finalDate < '2026-11-10').toBe(true)
    expect(status?.completeThrough).toBe(finalDate)
  },
)

test('one that Google lists without access stays as imported', async ({ app, owner, importCsv }) => {
  const name = 'https://no-access.example/'
  await disconnect(owner)
  expect(await importCsv(name, 'date,clicks,impressions,position\n2024-01-01,7,70,3.5\n')).toBe(200)
  await app.google.call('POST', 'sites', { account, site: name, permission: 'siteUnverifiedUser', profile: 'empty' })
  expect(await throughConsent(owner, { account })).toContain('connected=true')
  const { gscProperties } = user.parse((await owner.get('/api/user')).body)
  expect(gscProperties?.find((property) => property.name === name)).toMatchObject({
    kind: 'imported',
    permissionLevel: null,
    monitored: true,
  })
})
