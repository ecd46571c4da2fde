import { readdir, readlink } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { Readable } from 'node:stream'
import { describe, expect } from 'vitest'
import { storesTest } from '../../../../../test/support/import-stores.ts'
import { createImportService } from '../service.ts'
import { readFiles, today, zipOf } from '../../../../../test/support/import-files.ts'
import { inFull } from '../../../../../test/support/in-full.ts'

const siteHeader = 'data_date,site_url,query,is_anonymized_query,country,search_type,device,impressions,clicks,sum_top_position\n'
const urlHeader =
  'data_date,site_url,url,query,is_anonymized_query,is_anonymized_discover,country,search_type,device,is_video,impressions,clicks,sum_position\n'
const property = 'sc-domain:x.example'

/** A thousand impressions at position 6.4, another part of the same key, and rare queries that Google doesn't name. */
const site =
  siteHeader +
  `2026-07-01,${property},shoes,false,usa,WEB,MOBILE,1000,10,5400\n` +
  `2026-07-01,${property},shoes,false,usa,WEB,MOBILE,0,1,0\n` +
  `2026-07-01,${property},shoes,false,deu,WEB,DESKTOP,500,5,0\n` +
  `2026-07-01,${property},,true,usa,WEB,MOBILE,200,3,1800\n` +
  `2026-07-01,${property},hats,false,usa,IMAGE,DESKTOP,10,1,90\n` +
  `2026-07-01,${property},,false,,DISCOVER,,70,7,\n` +
  `2026-07-01,${property},,false,usa,GOOGLE_NEWS,MOBILE,9,9,\n`
const url =
  urlHeader +
  `2026-07-01,${property},https://x.example/a,shoes,false,false,usa,WEB,MOBILE,,900,10,5400\n` +
  `2026-07-01,${property},https://x.example/b,shoes,false,false,usa,WEB,MOBILE,true,300,1,2100\n` +
  `2026-07-01,${property},https://x.example/a,,true,false,usa,WEB,MOBILE,false,100,2,900\n` +
  `2026-07-01,${property},,,false,true,,DISCOVER,,,70,7,\n` +
  `2026-07-01,${property},https://x.example/a,,false,false,usa,GOOGLE_NEWS,MOBILE,,9,9,\n`

/** A table as `bq extract --destination_format NEWLINE_DELIMITED_JSON` writes it: integers as strings, and no field without a value. */
function jsonLines(csv: string): string {
  const [header = '', ...rows] = csv.trimEnd().split('\n')
  const names = header.split(',')
  return rows
    .map((row) => {
      const fields = row.split(',').flatMap((text, at): [string, unknown][] => (text === '' ? [] : [[names[at] ?? '', typed(text)]]))
      return `${JSON.stringify(Object.fromEntries(fields))}\n`
    })
    .join('')
}
const typed = (text: string): unknown => (text === 'true' || text === 'false' ? text === 'true' : text)

const it = storesTest.extend('desk', { scope: 'file' }, ({ stores }) => {
  const imports = createImportService({ ...stores, clock: { now: () => new Date(`${today}T20:00:00Z`) } })
  const give = (userId: string, files: Readonly<Record<string, string | Uint8Array>>, propertyName = property) =>
    imports.importFiles({
      userId,
      propertyName,
      files: Object.entries(files).map(([name, content]) => ({ name, content: Readable.from([Buffer.from(content)]) })),
    })

  /** Stored rows of one grain as readers see them: [keys…, clicks, impressions, mean position]. */
  async function stored(userId: string, grain: string, columns: string, type = 'web'): Promise<unknown> {
    const row = await stores.db.selectFrom('properties').select('id').where('userId', '=', userId).executeTakeFirstOrThrow()
    const answer = await stores.client.query({
      query: `SELECT ${columns}${columns && ','} sum(clicks), sum(impressions), round(sum(position_sum) / sum(impressions), 6) FROM facts_${grain}
        WHERE property = ${row.id} AND type = '${type}' AND (date, load) IN (
          SELECT date, max(load) FROM facts_current WHERE property = ${row.id} AND type = '${type}' AND grain = '${grain}' GROUP BY date)
        GROUP BY ${columns || 'date'} ORDER BY ALL`,
      format: 'JSONCompactEachRow',
      clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
    })
    return answer.json()
  }
  return { imports, give, stored }
})

describe('a bulk export', () => {
  it.for<[string, Record<string, string | Uint8Array>]>([
    ['CSV', { 'site.csv': site, 'url.csv': url }],
    [
      'a ZIP of JSON with gzip, with the log',
      {
        'export.zip': zipOf({
          'site.json.gz': gzipSync(jsonLines(site)),
          'url.json': jsonLines(url),
          'ExportLog.csv':
            'agenda,namespace,data_date,epoch_version,publish_time\nSEARCHDATA,searchdata_site_impression,2026-07-01,0,2026-07-03 09:00:00 UTC\n',
        }),
      },
    ],
    ...inFull<[string, Record<string, string | Uint8Array>]>([
      [
        'CSV with gzip, in shards of which one is empty',
        {
          'url-000000000000.csv.gz': gzipSync(url),
          'site-000000000001.csv.gz': gzipSync(siteHeader + site.split('\n').slice(3).join('\n')),
          'site-000000000000.csv.gz': gzipSync(site.split('\n').slice(0, 3).join('\n')),
          'site-000000000002.csv.gz': gzipSync(siteHeader),
          'site-000000000003.csv.gz': gzipSync(siteHeader),
        },
      ],
      ['newline-delimited JSON', { 'site.json': jsonLines(site), 'url-000000000000.json': jsonLines(url), 'url-000000000001.json': '' }],
    ]),
  ])(
    'as %s is summed by key: positions from zero-based sums, anonymized queries in the totals',
    async ([_form, files], { stores, desk: { give, stored } }) => {
      const userId = await stores.person()
      expect(await give(userId, files)).toEqual({
        ok: true,
        answer: {
          property,
          changed: true,
          rows: 12,
          days: 1,
          start: '2026-07-01',
          end: '2026-07-01',
          clicks: 36,
          impressions: 1789,
          notes: ['Stored as search type web, image, discover, googleNews.'],
        },
      })
      expect(await stored(userId, 'total', '')).toEqual([[19, 1700, 5.235294]])
      expect(await stored(userId, 'query', 'query')).toEqual([['shoes', 16, 1500, 4.6]])
      expect(await stored(userId, 'country', 'country')).toEqual([
        ['deu', 5, 500, 1],
        ['usa', 14, 1200, 7],
      ])
      expect(await stored(userId, 'device', 'device')).toEqual([
        ['DESKTOP', 5, 500, 1],
        ['MOBILE', 14, 1200, 7],
      ])
      expect(await stored(userId, 'page', 'page')).toEqual([
        ['https://x.example/a', 12, 1000, 7.3],
        ['https://x.example/b', 1, 300, 8],
      ])
      expect(await stored(userId, 'query_page', 'query, page')).toEqual([
        ['shoes', 'https://x.example/a', 10, 900, 7],
        ['shoes', 'https://x.example/b', 1, 300, 8],
      ])
      expect(await stored(userId, 'query', 'query', 'image')).toEqual([['hats', 1, 10, 10]])
      expect(await stored(userId, 'total', '', 'discover')).toEqual([[7, 70, 0]])
      expect(await stored(userId, 'country', 'country', 'discover')).toEqual([['zzz', 7, 70, 0]])
      expect(await stored(userId, 'page', 'page', 'googleNews')).toEqual([['https://x.example/a', 9, 9, 0]])
      expect(await stored(userId, 'device', 'device', 'googleNews')).toEqual([['MOBILE', 9, 9, 0]])
    },
  )

  const problemIn = async (files: Readonly<Record<string, string | Uint8Array>>) => {
    const read = await readFiles(files)
    return 'problem' in read ? read.problem : read
  }
  const row = `2026-07-01,${property},a,false,usa,WEB,MOBILE,10,1,90\n`

  it.for<[string, string, string]>([
    ['more impressions than a site can have', '5000000000,1,0', 'The number of impressions is too large (5000000000)'],
    ['a sum that is negative', '10,1,-90', 'The sum of positions is negative (-90)'],
    ['a sum that is not a number', '10,1,NaN', 'The sum of positions is not a whole number (NaN)'],
    ['a sum that is missing', '10,1,', 'The sum of positions is missing'],
    ['a sum beyond any list of results', '10,1,20000', "The position can't be 2001.0 (a sum of 20000 over 10 impressions)"],
    ['a sum without impressions', '0,0,20', "There's a sum of positions (20) but no impressions"],
  ])('with %s is refused with its file and line', async ([_what, figures, message]) => {
    const bad = {
      'a-000000000000.csv': siteHeader + row,
      'a-000000000001.csv': siteHeader + row.replace(',a,', ',b,') + row.replace('10,1,90', figures),
    }
    expect(await problemIn(bad)).toEqual({ message, file: 'a-000000000001.csv', line: 3 })
    const [name, text] = ['a.json', jsonLines(bad['a-000000000001.csv'])]
    expect(await problemIn({ [name]: text, 'b.json': jsonLines(siteHeader + row) })).toEqual({ message, file: name, line: 2 })
  })

  it.for<[string, Record<string, string | Uint8Array>, string]>([
    ['with a shard missing', { 'a-000000000000.csv': siteHeader + row, 'a-000000000002.csv': siteHeader }, 'a-000000000001.csv is missing'],
    [
      'with a shard and its unpacked copy',
      { 'a-000000000000.csv': siteHeader + row, 'a-000000000000.csv.gz': gzipSync(siteHeader + row) },
      'Add only one of them',
    ],
    ['with a copy under another name', { 'a.csv': siteHeader + row, 'b.csv': siteHeader + row }, 'has the same rows as a.csv'],
    [
      'with a packed copy under another name, in a ZIP',
      { 'export.zip': zipOf({ 'a.csv': siteHeader + row, 'b.csv.gz': gzipSync(siteHeader + row) }) },
      'has the same rows as a.csv',
    ],
    [
      'of two properties',
      { 'a.csv': siteHeader + row, 'b.csv': siteHeader + row.replace('x.example', 'y.example') },
      'more than one property',
    ],
    [
      'beside another file',
      { 'a.csv': siteHeader + row, 'Chart.csv': 'date,clicks,impressions,position\n2026-07-01,1,2,3\n' },
      "isn't a bulk export table",
    ],
    ['as Avro', { 'a.avro': 'Obj\u0001\u0004\u0000' }, 'This is an Avro file'],
    ['as Parquet', { 'a.parquet': 'PAR1\u0015\u0000' }, 'This is a Parquet file'],
    ['whose gzip is damaged', { 'a.csv.gz': gzipSync(siteHeader + row.repeat(5000)).subarray(0, 60) }, 'The gzip file is damaged'],
    [
      'of the log alone',
      { 'log.csv': 'agenda,namespace,data_date,epoch_version,publish_time\na,b,2026-07-01,0,x\n' },
      'ExportLog only lists',
    ],
    ['without a column that each row needs', { 'a.csv': 'data_date,clicks,sum_position\n2026-07-01,1,2\n' }, 'has no column impressions'],
  ])('%s is refused', async ([_what, files, message]) => {
    expect(await problemIn(files)).toMatchObject({ message: expect.stringContaining(message) })
  })

  // A deleted file that is still open takes up disk space.
  it.runIf(process.platform === 'linux').for<[string, Record<string, string | Uint8Array>]>([
    ['as Parquet', { 'a.parquet': `PAR1${'x'.repeat(1_000_000)}` }],
    ['as Avro in a ZIP', { 'a.zip': zipOf({ 'a.csv': `Obj\u0001${'x'.repeat(1_000_000)}` }) }],
    ['of two properties', { 'a.csv': siteHeader + row, 'b.csv': siteHeader + row.replace('x.example', 'y.example').repeat(20_000) }],
  ])('%s is refused and closed', async ([_what, files]) => {
    await problemIn(files)
    const open = async (): Promise<string[]> => {
      const links = await Promise.all((await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')))
      return links.filter((link) => link.includes('/ranklark-import-'))
    }
    await expect.poll(open).toEqual([])
  })

  it('may have both tables in shards of the same names, some compressed and some empty', async ({ stores, desk: { imports } }) => {
    const [shop, pages] = [
      siteHeader + row,
      urlHeader + `2026-07-01,${property},https://x.example/a,a,false,false,usa,WEB,MOBILE,,10,1,90\n`,
    ]
    const file = (name: string, content: string | Uint8Array) => ({ name, content: Readable.from([Buffer.from(content)]) })
    const files = [
      file('000000000000.csv', shop),
      file('000000000000.csv', pages),
      file('000000000001.csv', ''),
      file('000000000002.csv.gz', gzipSync(pages.replace('/a,', '/b,'))),
    ]
    expect(await imports.importFiles({ userId: await stores.person(), propertyName: property, files })).toMatchObject({
      ok: true,
      answer: { rows: 3, clicks: 1, impressions: 10 },
    })
  })

  it('whose day has more clicks than impressions is refused', async ({ stores, desk: { give } }) => {
    expect(await give(await stores.person(), { 'a.csv': siteHeader + row.replace('10,1,90', '10,11,90') })).toMatchObject({
      ok: false,
      problem: { message: 'On 2026-07-01 there are more clicks (11) than impressions (10)' },
    })
  })

  it('by URL alone adds missing totals, and keeps better ones', async ({ stores, desk: { give, stored } }) => {
    const userId = await stores.person()
    expect(await give(userId, { 'url.csv': url })).toMatchObject({
      ok: true,
      answer: { clicks: 29, impressions: 1379, notes: [expect.stringContaining('Only the URL table'), expect.anything()] },
    })
    expect(await stored(userId, 'total', '')).toEqual([[13, 1300, 7.461538]])
    await give(userId, { 'site.csv': site })
    await give(userId, { 'url.csv': url.replace(',100,2,900', ',200,2,1800') })
    expect(await stored(userId, 'total', '')).toEqual([[19, 1700, 5.235294]])
    expect(await stored(userId, 'page', 'page')).toMatchObject([
      ['https://x.example/a', 12, 1100, 7.545455],
      ['https://x.example/b', 1, 300, 8],
    ])
  })

  it('reports which days only one of its tables has', async ({ stores, desk: { give } }) => {
    const later = url.replaceAll('2026-07-01', '2026-07-02')
    const given = await give(await stores.person(), { 'site.csv': site, 'url.csv': url + later.slice(urlHeader.length) })
    expect(given.ok && given.answer.notes.join()).toContain('Data from one of the two tables is missing for 1 day (2026-07-02).')
  })
})
