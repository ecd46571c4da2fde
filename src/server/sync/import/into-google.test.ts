import { expect } from 'vitest'
import { appTest } from '../../../../test/support/app-test.ts'
import type { TestApp, Visitor } from '../../../../test/support/app.ts'
import { sumsStored } from '../../../../test/support/grain-sums.ts'
import { newPerson, ownerOf, propertyId, shortenHistory, statusOf } from '../../../../test/support/people.ts'
import { importAnswer } from '../../../contract/import.ts'
import { addDays, eachDay } from '../../../core/analytics/days.ts'

const today = '2026-11-10'
const test = appTest({ today, demo: false })

const daysAgo = (days: number): string => addDays(today, -days)
const csv = (start: string, end: string, clicks = 7): string =>
  `date,clicks,impressions,position\n${eachDay(start, end)
    .map((date) => `${date},${clicks},70,3.5\n`)
    .join('')}`

async function importCsv(app: TestApp, owner: Visitor, property: string, text: string) {
  const form = new FormData()
  form.set('property', property)
  form.append('file', new Blob([text]), 'old.csv')
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const answer = await fetch(`${app.url}/api/import`, { method: 'POST', body: form, headers: { cookie } })
  return { status: answer.status, body: await answer.json() }
}

async function totals(app: TestApp, site: string, start: string, end: string) {
  const { clickhouse } = await app.stores()
  return (await sumsStored(clickhouse, { property: await propertyId(app, site) }, { start, end })).total
}

test('a connected property accepts older days from files; Google’s own days stay, and the response says which days were skipped', async ({
  app,
}) => {
  const site = 'https://connected.example/'
  const owner = await ownerOf(app, site, { profile: 'local', days: 10, email: 'connected@example.test' })
  const [before, googles] = [await statusOf(owner, site), await totals(app, site, daysAgo(9), today)]
  expect(before.firstDate).toBe(daysAgo(9))

  const answer = importAnswer.parse((await importCsv(app, owner, site, csv(daysAgo(400), daysAgo(5)))).body)
  expect(answer).toMatchObject({ changed: true, days: 391, start: daysAgo(400), end: daysAgo(10), clicks: 391 * 7 })
  expect(answer.notes[0]).toBe(`Google's own data is kept; skipped: 5 days (${daysAgo(9)} to ${daysAgo(5)}).`)
  expect(await totals(app, site, daysAgo(9), today)).toEqual(googles)
  expect(await totals(app, site, daysAgo(11), daysAgo(10))).toEqual({
    [daysAgo(11)]: { rows: 1, clicks: 7, impressions: 70 },
    [daysAgo(10)]: { rows: 1, clicks: 7, impressions: 70 },
  })
  expect(await statusOf(owner, site)).toMatchObject({ state: 'ok', completeThrough: before.completeThrough, firstDate: daysAgo(400) })

  // A newer file replaces data from files, and never data from Google.
  expect((await importCsv(app, owner, site, csv(daysAgo(11), daysAgo(9), 9))).body).toMatchObject({ changed: true, days: 2 })
  expect((await totals(app, site, daysAgo(10), daysAgo(10)))[daysAgo(10)]?.clicks).toBe(9)
  expect(await importCsv(app, owner, site, csv(daysAgo(9), daysAgo(5)))).toMatchObject({
    status: 409,
    body: { message: `There's nothing left to import. Google's own data is kept; skipped: 5 days (${daysAgo(9)} to ${daysAgo(5)}).` },
  })
  expect(await totals(app, site, daysAgo(9), today)).toEqual(googles)
})

test(
  'days before a young property’s first day can be imported, even within the months that Google keeps',
  { tags: ['full'] },
  async ({ app }) => {
    const site = 'https://young.example/'
    const owner = await newPerson(app, { sites: { [site]: 'empty' }, email: 'young@example.test' })
    const rows = [{ query: 'a', page: `${site}a`, clicks: 3, impressions: 30, position: 2 }]
    await app.google.call('PUT', 'rows', { site, date: daysAgo(25), until: today, rows })
    await shortenHistory(app, site, 35)
    await owner.send('POST', '/api/gsc-properties/select', { selectedProperty: site })
    // The backfill has yet to ask Google for these days.
    const file = csv(daysAgo(34), daysAgo(24))
    await expect.poll(async () => (await statusOf(owner, site)).daysLeft, { timeout: 60_000 }).toBe(0)
    for (const text of [file, `${file}\n`]) {
      expect((await importCsv(app, owner, site, text)).body).toMatchObject({
        days: 9,
        end: daysAgo(26),
        notes: [`Google's own data is kept; skipped: 2 days (${daysAgo(25)} to ${daysAgo(24)}).`],
      })
    }
    expect(Object.values(await totals(app, site, daysAgo(27), daysAgo(24))).map(({ clicks }) => clicks)).toEqual([7, 7, 3, 3])
  },
)
