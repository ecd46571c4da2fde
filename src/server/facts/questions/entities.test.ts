import { describe, expect, vi } from 'vitest'
import { factsTest } from '../../../../test/support/facts.ts'
import { inFull } from '../../../../test/support/in-full.ts'
import { addDays, daysBetween, eachDay } from '../../../core/analytics/days.ts'
import type { FactRow } from '../load.ts'
import { entityFigures } from './entity-figures.ts'
import { newcomers } from './newcomers.ts'
import { entityDays } from './entity-days.ts'
import { storedDays } from '../stored-days.ts'

// The questions that alerts ask, compared with the same figures added up by hand.

const first = '2025-12-20'
const last = '2026-03-16'
const days = eachDay(first, last)
const odd = `'; DROP TABLE facts_page -- \\ <b>"\t\0`
const names = ['/a', '/b', '/c', '/d', '/e', odd, 'ä/ö 🦊']

/** Pseudo-random figures, the same every time. */
const mixed = (...parts: number[]): number =>
  parts.reduce((hash, part) => Math.imul(hash ^ (part + 0x9e3779b9), 0x85ebca6b) >>> 7, 7) % 1000

const test = factsTest.extend('rows', { scope: 'file' }, async ({ store }) => {
  const rows = new Map<number, FactRow[]>()
  for (const property of [1, 2, 3]) {
    const all = days.flatMap((date, day) =>
      names.flatMap((name, index): FactRow[] => {
        const impressions = mixed(property, day, index) % 40
        const late = name === '/e' && date < '2026-03-12'
        const gone = name === '/d' && date > '2026-03-09'
        if (impressions < 5 || late || gone) return []
        return [{ date, keys: [name], clicks: mixed(property, index, day, 3) % 5, impressions, position: (mixed(day, index) % 300) / 10 }]
      }),
    )
    rows.set(property, all)
    // An older load that must not show, then the one that counts.
    for (const [load, factor] of [
      [await store.facts.beginLoad(property, 'web'), 3],
      [await store.facts.beginLoad(property, 'web'), 1],
    ] as const) {
      for (const grain of ['page', 'query'] as const)
        await load.write(
          grain,
          all.map((row) => ({ ...row, clicks: row.clicks * factor })),
        )
      await load.publish(
        new Map([
          ['page', days],
          ['query', days],
        ]),
      )
    }
  }
  return rows
})

const windows = [
  { start: '2026-03-10', end: '2026-03-16' },
  { start: '2026-03-03', end: '2026-03-09' },
  { start: '2025-12-24', end: '2025-12-30' },
]
function summed(rows: Map<number, FactRow[]>, property: number, name: string, { start, end }: { start: string; end: string }) {
  const own = (rows.get(property) ?? []).filter((row) => row.keys[0] === name && row.date >= start && row.date <= end)
  const of = (value: (row: FactRow) => number) => own.reduce((sum, row) => sum + value(row), 0)
  return {
    clicks: of((row) => row.clicks),
    impressions: of((row) => row.impressions),
    positionSum: of((row) => row.impressions * row.position),
    rankedImpressions: of((row) => (row.position > 0 ? row.impressions : 0)),
  }
}

describe.each(['page', ...inFull(['query'])] as const)('by %s', (grain) => {
  test('sums of named entities of several properties over several windows; names may be any text', async ({ store, rows }) => {
    const named = [
      { property: 1, name: '/a' },
      { property: 1, name: odd },
      { property: 3, name: 'ä/ö 🦊' },
      { property: 2, name: 'of nobody' },
    ]
    const answer = await store.facts.ask(entityFigures, { grain, properties: [1, 2, 3], windows, pick: { by: 'names' }, named })
    expect(answer.map(({ property, name }) => `${property} ${name}`).toSorted()).toEqual([`1 ${odd}`, '1 /a', '3 ä/ö 🦊'].toSorted())
    for (const each of answer) {
      for (const [i, window] of windows.entries()) {
        const expected = summed(rows, each.property, each.name, window)
        expect(each.clicks[i]).toBe(expected.clicks)
        expect(each.impressions[i]).toBe(expected.impressions)
        expect(each.rankedImpressions[i]).toBe(expected.rankedImpressions)
        expect(each.positionSum[i]).toBeCloseTo(expected.positionSum, 6)
      }
    }
  })

  test('the top ones by clicks in a period for each property, plus the named ones', async ({ store, rows }) => {
    const span = windows[1]!
    const answer = await store.facts.ask(entityFigures, {
      grain,
      properties: [1, 2],
      windows,
      pick: { by: 'top', span, count: 2 },
      named: [{ property: 2, name: '/e' }],
    })
    const expected = [1, 2].flatMap((property) =>
      names
        .map((name) => ({ property, name, ...summed(rows, property, name, span) }))
        .toSorted((a, b) => b.clicks - a.clicks || b.impressions - a.impressions)
        .slice(0, 2)
        .map(({ name }) => `${property} ${name}`),
    )
    expect(answer.map(({ property, name }) => `${property} ${name}`).toSorted()).toEqual([...new Set([...expected, '2 /e'])].toSorted())
  })

  test('those that rank in a period', async ({ store, rows }) => {
    const span = windows[1]!
    const pick = { by: 'ranked', span, position: 15, impressions: 60 } as const
    const answer = await store.facts.ask(entityFigures, { grain, properties: [1], windows, pick, named: [] })
    const expected = names.filter((name) => {
      const { impressions, positionSum, rankedImpressions } = summed(rows, 1, name, span)
      return impressions >= 60 && rankedImpressions > 0 && positionSum / rankedImpressions <= 15
    })
    expect(answer.map(({ name }) => name).toSorted()).toEqual(expected.toSorted())
    expect(expected.length).toBeGreaterThan(0)
  })

  test('those first seen recently', async ({ store, rows }) => {
    const answer = await store.facts.ask(newcomers, {
      grain,
      properties: [1, 2, 3],
      since: '2026-03-10',
      through: last,
      impressions: 10,
      named: [],
    })
    const expected = [1, 2, 3].map((property) => ({
      property,
      name: '/e',
      firstSeen: (rows.get(property) ?? []).find((row) => row.keys[0] === '/e')?.date,
    }))
    expect(answer).toEqual(expected)
  })

  test("named ones first seen recently, however few impressions they have; naming one seen earlier doesn't make it new", async ({
    store,
  }) => {
    const asked = { grain, properties: [1, 2], since: '2026-03-10', through: last, impressions: 1_000_000 } as const
    expect(await store.facts.ask(newcomers, { ...asked, named: [] })).toEqual([])
    const named = ['/a', '/e'].map((name) => ({ property: 2, name }))
    expect(await store.facts.ask(newcomers, { ...asked, named })).toMatchObject([{ property: 2, name: '/e' }])
  })

  test('daily figures: of those ever among the top, those that appeared, and those with enough impressions', async ({ store, rows }) => {
    const span = { start: first, end: last }
    const ask = async (pick: Parameters<typeof entityDays>[1]['pick']) =>
      (await store.facts.ask(entityDays, { grain, properties: [1], span, pick })).map(({ name }) => name).toSorted()
    for (const length of [7, 30]) {
      const ever = new Set<string>()
      for (const end of days.slice(length - 1)) {
        const sums = names.map((name) => ({ name, clicks: summed(rows, 1, name, { start: addDays(end, 1 - length), end }).clicks }))
        for (const { name, clicks } of sums) if (sums.filter((other) => other.clicks > clicks).length < 2) ever.add(name)
      }
      const answer = await ask({ by: 'ever top', count: 2, days: length })
      expect([...ever].filter((name) => !answer.includes(name))).toEqual([])
    }
    expect(await ask({ by: 'appeared', impressions: 5 })).toContain('/e')
    expect(await ask({ by: 'appeared', impressions: 50 })).toEqual([])
    expect(await ask({ by: 'shown', impressions: 39 })).toEqual(
      names.filter((name) => rows.get(1)!.some((row) => row.keys[0] === name && row.impressions >= 39)).toSorted(),
    )
    const [named] = await store.facts.ask(entityDays, {
      grain,
      properties: [1],
      span,
      pick: { by: 'names', named: [{ property: 1, name: odd }] },
    })
    const byDay = new Map(named?.day.map((day, i) => [addDays(first, day), named.clicks[i]]))
    expect(byDay).toEqual(
      new Map(
        rows
          .get(1)!
          .filter((row) => row.keys[0] === odd)
          .map((row) => [row.date, row.clicks]),
      ),
    )
  })
})

test('the known days by grain and property, including days without rows, but none before the first with rows', async ({
  store,
  rows: _rows,
}) => {
  const rowsOn = (...dates: string[]): FactRow[] => dates.map((date) => ({ date, keys: ['/a'], clicks: 1, impressions: 9, position: 1 }))
  const publish = async (property: number, written: FactRow[], from: string, to: string) => {
    const load = await store.facts.beginLoad(property, 'web')
    await load.write('page', written)
    await load.publish(new Map([['page', eachDay(from, to)]]))
  }
  const spans = [
    { start: '2026-01-02', end: '2026-01-03' },
    { start: '2026-01-05', end: '2026-02-01' },
  ]
  const ask = () => store.facts.ask(storedDays, { grains: ['page', 'query'], properties: [9], spans })
  await publish(9, [], '2025-12-01', '2026-01-08')
  expect(await ask()).toEqual([])
  await publish(9, rowsOn('2026-01-03', '2026-01-06'), '2026-01-01', '2026-01-08')
  const dates = ['2026-01-03', '2026-01-05', '2026-01-06', '2026-01-07', '2026-01-08']
  expect(await ask()).toEqual([{ property: 9, grain: 'page', from: '2026-01-03', dates }])
  // The later load counts, whether or not the engine has merged the two.
  await publish(9, [], '2026-01-01', '2026-01-05')
  expect(await ask()).toEqual([{ property: 9, grain: 'page', from: '2026-01-06', dates: dates.slice(2) }])
  const [pages] = await store.facts.ask(storedDays, { grains: ['page'], properties: [1], spans: [{ start: first, end: last }] })
  expect(pages?.dates).toHaveLength(daysBetween(first, last))
})

test(
  'readers only see complete days while days are being replaced: a missing day would look like a drop to zero',
  { tags: ['full'] },
  async ({ store }) => {
    const property = 20
    const window = { start: '2026-03-10', end: '2026-03-16' }
    const replace = async (clicks: number) => {
      const load = await store.facts.beginLoad(property, 'web')
      const all = eachDay(window.start, window.end).map((date) => ({ date, keys: ['/a'], clicks, impressions: 100, position: 1 }))
      await load.write('page', all)
      await load.publish(new Map([['page', eachDay(window.start, window.end)]]))
    }
    await replace(1)
    const replacing = { done: false }
    const seen = new Set<number | undefined>()
    const reading = (async () => {
      while (!replacing.done) {
        const named = [{ property, name: '/a' }]
        const [row] = await store.facts
          .ask(entityFigures, { grain: 'page', properties: [property], windows: [window], pick: { by: 'names' }, named })
          .catch(() => [{ clicks: [7] }])
        seen.add(row?.clicks[0])
      }
    })()
    for (let clicks = 2; clicks <= 12; clicks++) await replace(clicks)
    replacing.done = true
    await reading
    expect([...seen].filter((clicks) => clicks === undefined || clicks % 7 !== 0)).toEqual([])
  },
)

test('questions about the same properties share their check for new loads, and find what was stored in between', async ({
  store,
  onTestFinished,
}) => {
  const property = 21
  const window = { start: '2026-03-10', end: '2026-03-10' }
  const replace = async (clicks: number) => {
    const load = await store.facts.beginLoad(property, 'web')
    await load.write('page', [{ date: window.start, keys: ['/a'], clicks, impressions: 100, position: 1 }])
    await load.publish(new Map([['page', [window.start]]]))
  }
  const query = vi.spyOn(store.client, 'query')
  onTestFinished(() => query.mockRestore())
  const clicks = async () => {
    query.mockClear()
    const named = [{ property, name: '/a' }]
    const [row] = await store.facts.ask(entityFigures, {
      grain: 'page',
      properties: [property],
      windows: [window],
      pick: { by: 'names' },
      named,
    })
    return { clicks: row?.clicks[0], asked: query.mock.calls.length }
  }
  await replace(1)
  expect(await clicks()).toEqual({ clicks: 1, asked: 3 })
  expect(await clicks()).toEqual({ clicks: 1, asked: 2 })
  await replace(2)
  expect(await clicks()).toEqual({ clicks: 2, asked: 4 })
})
