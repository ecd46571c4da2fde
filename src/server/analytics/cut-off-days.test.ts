import { expect } from 'vitest'
import { z } from 'zod'
import { appTest } from '../../../test/support/app-test.ts'
import { readCsv } from '../../../test/support/csv.ts'
import { propertyId } from '../../../test/support/people.ts'
import { ownerAtOnce } from '../../../test/support/stored-history.ts'
import { analyticsDays, analyticsSummary } from '../../contract/analytics.ts'
import { apiKeyMade } from '../../contract/api-keys.ts'

const test = appTest({ today: '2026-03-18', demo: false })
const site = 'https://capped.example/'
const page = `${site}lamps`
/** Google returned its maximum number of rows; a file had one more. */
const [cut, whole] = ['2026-03-13', '2026-03-14']

test(
  "days whose queries by page Google capped are counted everywhere, days that a file has whole aren't",
  { tags: ['full'] },
  async ({ app }) => {
    const owner = await ownerAtOnce(app, site, { profile: 'local', days: 14, plan: 'agency' })
    const { facts, clickhouse } = await app.stores()
    const property = await propertyId(app, site)
    // The number of rows is read from the pointer, as written by earlier releases; two are enough here.
    for (const [date, rows] of [[cut, 50_000] as const, [whole, 50_001] as const]) {
      const load = await facts.beginLoad(property, 'web')
      const named = (query: string) => ({ date, keys: [query, page], clicks: 1, impressions: 2, position: 3 })
      await load.write('query_page', [named('oak lamp'), named('ash lamp')])
      const pointer = { property, type: 'web', grain: 'query_page', date, load: load.target.load, rows, clicks: 2, impressions: 4 }
      await clickhouse.insert({ table: 'facts_current', values: [pointer], format: 'JSONEachRow' })
    }

    const named = `page=${encodeURIComponent(page)}`
    const days = async (about: string) => analyticsDays.parse((await owner.get(`/api/analytics/days?${about}`)).body).cutOffDays
    const summary = analyticsSummary.parse((await owner.get('/api/analytics/summary')).body)
    expect(summary).toMatchObject({ pages: { cutOffDays: 0 }, keywords: { cutOffDays: 0 }, pairs: { cutOffDays: 1 } })
    expect([await days(`${named}&query=oak+lamp`), await days(named), await days('')]).toEqual([1, 0, 0])

    const file = await owner.get('/api/analytics/daily.csv?grain=query_page')
    const [header = [], ...rows] = readCsv(String(file.body).replace(/^\uFEFF/, ''))
    expect(header.at(-1)).toBe('cut off')
    const [date, cutOff] = [header.indexOf('date'), header.indexOf('cut off')]
    expect(rows.filter((row) => row[cutOff] === 'yes').map((row) => row[date])).toEqual([cut, cut])
    expect(rows.filter((row) => row[cutOff] === 'no').map((row) => row[date])).toEqual(expect.arrayContaining([whole, whole]))

    const { key } = apiKeyMade.parse((await owner.send('POST', '/api/keys', { name: 'Figures', scope: 'read', days: null })).body)
    const headers = { authorization: `Bearer ${key}`, accept: 'application/json, text/event-stream' }
    const api = async (path: string) => (await app.visitor().get(`/api/v1/${path}property=${encodeURIComponent(site)}`, { headers })).body
    expect(await api('summary?')).toMatchObject({ data: { pairs: { cutOffDays: 1 } } })
    expect(await api(`series?${named}&query=oak+lamp&`)).toMatchObject({ data: { cutOffDays: 1 } })

    const params = { name: 'page_keywords', arguments: { property: site, days: 7, page } }
    const call = await app.visitor().send('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, { headers })
    const said = z.object({ result: z.object({ structuredContent: z.object({ missing: z.array(z.string()) }) }) }).parse(call.body)
    expect(said.result.structuredContent.missing).toContain(
      'Google capped its list of queries by page at 50,000 rows on 1 day, so some are missing.',
    )
  },
)
