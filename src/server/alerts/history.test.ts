import { describe, expect } from 'vitest'
import type { TestApp } from '../../../test/support/app.ts'
import { appTest } from '../../../test/support/app-test.ts'
import { readCsv } from '../../../test/support/csv.ts'
import { member, newPerson } from '../../../test/support/people.ts'
import { putAlerts, type StoredAlert } from '../../../test/support/stored-alerts.ts'
import { watch } from '../../../test/support/stored-history.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { alerts, alertsCount, type Severity, severity } from '../../contract/alerts/alerts.ts'

// Counts, lists and exports of a user's alerts.

const site = 'sc-domain:größe.example'
const second = 'https://second.example/'
const theirs = 'https://theirs.example/'
const formula = '=HYPERLINK("https://evil.example","click")'
const markup = `<img src=x onerror=alert(1)>, "lamp" & 'oak'\nnext line`

const at = (minute: number) => new Date(Date.UTC(2026, 2, 16, 12, minute)).toISOString()
const query = (name: string) => ({ kind: 'query', name }) as const
/** The same time, all severities, in a mixed order. */
const sameMoment = (['info', 'critical', 'positive', 'warning'] as const).map((each): StoredAlert => ({
  openedAt: at(5),
  severity: each,
  entity: query(each),
}))
const ofSite: StoredAlert[] = [
  {
    openedAt: at(1),
    severity: 'critical',
    entity: query(formula),
    type: 'ctr',
    previous: 0.0512,
    current: 0.0250001234,
    change: -51.171875,
  },
  {
    openedAt: at(9),
    severity: 'info',
    entity: { kind: 'page', name: `https://größe.example/${markup}` },
    viewed: true,
    state: 'recovered',
  },
  ...sameMoment,
  { openedAt: at(0), severity: 'positive', entity: query('@lamp'), type: 'position', previous: null, current: 6.5, change: null },
]

/** A user who monitors these properties, which have these alerts, and views the first. */
async function watching(app: TestApp, email: string, raised: Record<string, readonly StoredAlert[]>): Promise<Visitor> {
  const names = Object.keys(raised)
  const person = await newPerson(app, { email, plan: 'pro', sites: Object.fromEntries(names.map((name) => [name, 'empty'])) })
  for (const name of names.toReversed()) await watch(app, name)
  for (const [name, each] of Object.entries(raised)) await putAlerts(app, name, [...each])
  return person
}
const critical = (minute: number): StoredAlert => ({ openedAt: at(minute), severity: 'critical' })

const test = appTest({ today: '2026-03-18', demo: false })
  .extend('owner', { scope: 'file' }, ({ app }) => watching(app, 'owner@example.test', { [site]: ofSite, [second]: [critical(30)] }))
  .extend('stranger', { scope: 'file' }, ({ app }) => watching(app, 'stranger@example.test', { [theirs]: [critical(40)] }))

const list = async (who: Visitor, search = '') => alerts.parse((await who.get(`/api/alerts${search}`)).body)
const count = async (who: Visitor, search = '') => alertsCount.parse((await who.get(`/api/alerts/count${search}`)).body).count
const all = `?property=all`

test('latest first; of the same time, from critical to positive', async ({ owner }) => {
  const listed = await list(owner)
  expect(listed.map(({ timestamp }) => timestamp)).toEqual([at(9), at(5), at(5), at(5), at(5), at(1), at(0)])
  const ofTheMoment: Severity[] = ['critical', 'warning', 'info', 'positive']
  expect(listed.slice(1, 5).map((each) => each.severity)).toEqual(ofTheMoment)
  // Whatever is on a page: no row appears twice, and none is omitted.
  const pages = await Promise.all([0, 1, 2, 3].map((page) => list(owner, `?limit=2&offset=${page * 2}`)))
  expect(pages.flat()).toEqual(listed)
})

describe('the count covers the whole list, with the same filter', () => {
  test.for(severity.options)('%s', async (each, { owner }) => {
    const expected = ofSite.filter((one) => one.severity === each).length
    expect(await count(owner, `?severity=${each}`)).toBe(expected)
    expect(await list(owner, `?severity=${each}`)).toHaveLength(expected)
  })

  test.for([
    ['', 7],
    ['?viewed=false', 6],
    ['?viewed=true', 1],
    ['?state=open', 6],
    ['?to=2026-03-15', 0],
    ['?from=2026-03-17', 6],
    ['?from=2026-03-16&to=2026-03-16&viewed=true', 1],
    [all, 8],
    [`${all}&viewed=false`, 7],
    [`${all}&severity=critical`, 3],
    [`?property=${encodeURIComponent(second)}`, 1],
  ] as const)('%j: %i', async ([search, expected], { owner }) => {
    expect(await count(owner, search)).toBe(expected)
    expect(await list(owner, search)).toHaveLength(expected)
  })

  test('viewing one removes it from the unviewed ones', async ({ app }) => {
    const viewer = await watching(app, 'viewer@example.test', {
      'https://viewed.example/': ofSite,
      'https://seen.example/': [critical(30)],
    })
    const [alert] = await list(viewer, `${all}&viewed=false&limit=1`)
    await viewer.send('POST', '/api/alerts/viewed', { ids: [alert?.id] })
    expect(await count(viewer, `${all}&viewed=false`)).toBe(6)
    expect((await list(viewer, `${all}&viewed=false`)).map(({ id }) => id)).not.toContain(alert?.id)
  })

  test.for(['?viewed=maybe', '?severity=loud', '?from=yesterday'])('%s is refused', async (search, { owner }) => {
    const paths = ['/api/alerts', '/api/alerts/count', '/api/alerts/export.csv']
    const answers = await Promise.all(paths.map((path) => owner.get(path + search)))
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400])
  })
})

const download = async (who: Visitor, search = '') => {
  const { status, headers, body } = await who.get(`/api/alerts/export.csv${search}`)
  expect(status).toBe(200)
  const text = String(body)
  const [header = [], ...rows] = readCsv(text)
  return { headers, header, rows, records: rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index]]))) }
}

describe('the file', () => {
  test("has the list's rows, in order, with all details", async ({ owner }) => {
    const { header, records } = await download(owner)
    expect(header).toEqual([
      'opened at',
      'severity',
      'state',
      'type',
      'title',
      'description',
      'entity kind',
      'entity',
      'property',
      'previous',
      'current',
      'change',
      'compared dates',
      'recovered at',
      'rating',
      'also found',
      'ended as',
    ])
    const listed = await list(owner)
    expect(records.map((row) => [row['opened at'], row['severity'], row['state'], row['type'], row['entity kind']])).toEqual(
      listed.map((each) => [each.timestamp, each.severity, each.state, each.type, each.entity.kind]),
    )
    expect(records[5]).toEqual({
      'opened at': at(1),
      severity: 'critical',
      state: 'firing',
      type: 'ctr',
      title: `CTR dropped: “${formula}”`,
      description: `CTR for ${formula} fell from 5.12% to 2.50% (−51.2%), 9–15 Mar vs 2–8 Mar.`,
      'entity kind': 'query',
      entity: `'${formula}`,
      property: site,
      previous: '0.0512',
      current: '0.025',
      change: '-51.171875',
      'compared dates': '2026-03-09 to 2026-03-15 vs 2026-03-02 to 2026-03-08',
      'recovered at': '',
      rating: '',
      'also found': '',
      'ended as': '',
    })
    expect(records[6]).toMatchObject({ entity: "'@lamp", previous: '', current: '6.5', change: '' })
  })

  test('has an alert with its findings once, and names them', async ({ app, owner }) => {
    const { sql } = await app.stores()
    const found = { openedAt: '2026-03-01T09:00:00Z', severity: 'positive' } as const
    const [lead, ...parts] = await putAlerts(
      app,
      site,
      ['lead', 'a', 'b', 'c', 'd'].map((name) => ({ ...found, entity: { kind: 'query', name } })),
    )
    await sql('UPDATE alerts SET part_of = $1 WHERE id = ANY($2)', [lead, parts])
    const { records } = await download(owner, '?severity=positive&to=2026-03-01')
    await sql('DELETE FROM alerts WHERE id = ANY($1)', [[...parts, lead]])
    expect(records.map((row) => [row['entity'], row['also found']])).toEqual([
      ['lead', 'Clicks dropped: “a”; Clicks dropped: “b”; Clicks dropped: “c”; and 1 more'],
    ])
  })

  test('treats names as text, whatever they contain', async ({ owner }) => {
    const { records } = await download(owner, '?viewed=true&severity=info')
    expect(records).toMatchObject([
      {
        title: `Clicks dropped: https://größe.example/${markup}`,
        description: `Clicks for https://größe.example/${markup} fell from 200 to 150 (−25.0%), 9–15 Mar vs 2–8 Mar.`,
        entity: `https://größe.example/${markup}`,
        state: 'recovered',
        'recovered at': '2026-03-17T12:09:00.000Z',
        rating: '',
      },
    ])
  })

  test('contains no formulas', async ({ owner }) => {
    const { rows } = await download(owner)
    const numbers = /^-?\d+(\.\d+)?$/
    expect(rows.flat().filter((cell) => /^[=+\-@\t\r\n]/.test(cell) && !numbers.test(cell))).toEqual([])
  })

  test('is recognized by spreadsheets as UTF-8, under a name valid on every system', async ({ app, owner }) => {
    const { cookie, url } = { cookie: [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; '), url: app.url }
    const response = await fetch(new URL('/api/alerts/export.csv', url), { headers: { cookie } })
    expect(new Uint8Array(await response.arrayBuffer()).slice(0, 3)).toEqual(Uint8Array.of(0xef, 0xbb, 0xbf))
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="gr__e.example-alert-history-2026-03-18.csv"; filename*=UTF-8''${encodeURIComponent('größe.example-alert-history-2026-03-18.csv')}`,
    )
    const named = async (search: string) => decodeURIComponent((await download(owner, search)).headers.get('content-disposition') ?? '')
    expect(await named('?from=2026-03-01&to=2026-03-10')).toContain("''größe.example-alert-history-2026-03-01-to-2026-03-10.csv")
    expect(await named(all)).toContain("''all_properties-alert-history-2026-03-18.csv")
  })

  test("for all properties covers all of them, and nobody else's", async ({ owner }) => {
    const { records } = await download(owner, all)
    expect(new Set(records.map(({ property }) => property))).toEqual(new Set([site, second]))
    expect(records).toHaveLength(8)
  })

  test('has every row, however many there are', async ({ app }) => {
    const many = Array.from({ length: 1_150 }, (_, index): StoredAlert => ({
      openedAt: at(60 + (index % 7)),
      entity: query(`query ${index}`),
    }))
    const person = await watching(app, 'busy@example.test', { 'https://busy.example/': many })
    const { records } = await download(person)
    expect(new Set(records.map(({ entity }) => entity)).size).toBe(1_150)
    const moments = records.map((row) => row['opened at'] ?? '')
    expect(moments).toEqual(moments.toSorted().toReversed())
  })
})

test("all new ones can be marked as viewed at once: of one property, or all of a user's", async ({ app, stranger }) => {
  const [one, other] = ['https://one.example/', 'https://other.example/']
  const many = Array.from({ length: 1_150 }, (_, index): StoredAlert => ({ openedAt: at(60), entity: query(`query ${index}`) }))
  const person = await watching(app, 'reader@example.test', { [one]: ofSite, [other]: many })
  const viewAll = async (search: string) => (await person.send('POST', `/api/alerts/view-all${search}`)).body
  expect(await viewAll(`?property=${encodeURIComponent(one)}`)).toEqual({ count: 6 })
  expect(await count(person, '?viewed=false')).toBe(0)
  expect(await count(person, `${all}&viewed=false`)).toBe(1_150)
  expect(await viewAll(all)).toEqual({ count: 1_150 })
  expect(await count(person, `${all}&viewed=false`)).toBe(0)
  expect(await viewAll(all)).toEqual({ count: 0 })
  expect(await count(stranger, `${all}&viewed=false`)).toBe(1)
})

test("a stranger gets nothing of the owner's, and a user without a property nothing at all", async ({ app, owner, stranger }) => {
  expect(await count(owner, all)).toBe(8)
  expect(await count(stranger, all)).toBe(1)
  expect((await download(stranger, all)).records.map(({ property }) => property)).toEqual([theirs])
  const nobody = await member(app, { email: 'nobody@example.test' })
  expect(await count(nobody)).toBe(0)
  expect(await count(nobody, all)).toBe(0)
  expect(await nobody.get('/api/alerts/export.csv')).toMatchObject({ status: 409, body: { message: 'Select a property first.' } })
})
