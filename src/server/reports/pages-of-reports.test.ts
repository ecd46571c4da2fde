import { describe, expect } from 'vitest'
import { databaseTest } from '../../../test/support/database.ts'
import { createPageOf } from './pages-of-reports.ts'

const baseUrl = 'https://ranklark.example'
const week = { segment: null, kind: 'week', start: '2026-03-09', isBranded: false } as const

const test = databaseTest()
  .extend('report', { scope: 'file' }, async ({ database }) => {
    const propertyId = await database.property('sc-domain:second.example')
    return { userId: 'user-of-sc-domain:second.example', propertyId, clientId: null, ...week }
  })
  .extend('pageOf', { scope: 'file' }, ({ database }) => createPageOf(database.db, { linkTo: async () => null }, () => baseUrl))

describe('the page an emailed report links to', () => {
  test("shows that property's report, whichever property is selected", async ({ report, pageOf }) => {
    expect(await pageOf(report)).toBe(`${baseUrl}/reports?property=sc-domain%3Asecond.example&kind=week&start=2026-03-09`)
  })

  test('is limited to its segment', async ({ report, pageOf }) => {
    const page = await pageOf({ ...report, segment: { id: '7', name: 'Blog', content: '' } })
    expect(new URL(page!).searchParams.get('segment')).toBe('7')
  })

  test("doesn't exist for a client, whose reports have no screen of their own", async ({ report, pageOf }) => {
    expect(await pageOf({ ...report, propertyId: null, clientId: 1 })).toBeNull()
  })

  test("doesn't exist if the property is no longer in the account", async ({ report, pageOf }) => {
    expect(await pageOf({ ...report, userId: 'somebody else' })).toBeNull()
  })

  test('is its shared link if there is one', async ({ database, report }) => {
    const pageOf = createPageOf(database.db, { linkTo: async () => `${baseUrl}/shared/x` }, () => baseUrl)
    expect(await pageOf({ ...report, propertyId: null, clientId: 1 })).toBe(`${baseUrl}/shared/x`)
  })
})
