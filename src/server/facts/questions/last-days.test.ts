import fc from 'fast-check'
import { expect } from 'vitest'
import { factsTest as test, type TestFacts } from '../../../../test/support/facts.ts'
import { addDays, eachDay } from '../../../core/analytics/days.ts'
import { lastDays } from '../../../core/analytics/periods.ts'
import type { FactRow } from '../load.ts'
import { type EndOfDays, type LastDays, lastDaysOf } from './last-days.ts'
import { firstShown } from '../stored-days.ts'
import { storedTotals } from './daily-totals.ts'

const count = 5
const first = '2026-02-20'
const days = eachDay(first, '2026-03-15')

let properties = 0

/** One property's last days according to the single-property questions. */
async function oneByOne({ facts }: TestFacts, { property, end }: EndOfDays): Promise<LastDays[]> {
  const from = await facts.ask(firstShown, property)
  if (from === null) return []
  const { stored, days: figures } = await facts.ask(storedTotals, { property, searchType: 'web', ...lastDays(end, count) })
  return [{ property, stored: stored.filter((date) => date >= from), days: figures }]
}

/** A load of consecutive days, some with figures. */
const loaded = fc.record({
  grain: fc.constantFrom('total' as const, 'total' as const, 'page' as const),
  start: fc.nat({ max: days.length - 1 }),
  shown: fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }),
  isPublished: fc.boolean(),
})
const history = fc.record({ loads: fc.array(loaded, { maxLength: 4 }), end: fc.nat({ max: days.length - 1 }) })

test(
  'the last days of many properties equal those of each one, whatever was loaded, replaced, emptied or never published',
  { tags: ['full'] },
  async ({ store }) => {
    const { facts } = store
    await fc.assert(
      fc.asyncProperty(fc.array(history, { minLength: 1, maxLength: 6 }), async (histories) => {
        const ends: EndOfDays[] = []
        for (const { loads, end } of histories) {
          const property = ++properties
          ends.push({ property, end: days[end]! })
          for (const { grain, start, shown, isPublished } of loads) {
            const load = await facts.beginLoad(property, 'web')
            const dates = shown.map((_, at) => addDays(days[start]!, at))
            const rows = dates
              .filter((_, at) => shown[at])
              .map((date, at): FactRow => ({
                date,
                keys: grain === 'page' ? ['/'] : [],
                clicks: at,
                impressions: 10 * load.target.load,
                position: at,
              }))
            await load.write(grain, rows)
            if (isPublished) await load.publish(new Map([[grain, dates]]))
          }
        }
        const found = await facts.ask(lastDaysOf, ends, count)
        const expected = (await Promise.all(ends.map((end) => oneByOne(store, end)))).flat()
        expect(found).toEqual(expected)
      }),
      { numRuns: 12 },
    )
  },
)

test('all figures come from one load, even while days are being replaced', { tags: ['full'] }, async ({ facts }) => {
  const property = ++properties
  const replace = async () => {
    const load = await facts.beginLoad(property, 'web')
    await load.write(
      'total',
      days.map((date) => ({ date, keys: [], clicks: 1, impressions: load.target.load, position: 1 })),
    )
    await load.publish(new Map([['total', days]]))
  }
  await replace()
  const seen: number[] = []
  const isOver = () => new Set(seen).size >= 5
  const replacing = (async () => {
    while (!isOver()) await replace()
  })()
  while (!isOver()) {
    const [found] = await facts.ask(lastDaysOf, [{ property, end: days.at(-1)! }], count)
    const loads = [...new Set(found?.days.map(({ impressions }) => impressions))]
    expect([found?.days.length, loads.length]).toEqual([count, 1])
    seen.push(...loads)
  }
  await replacing
  expect(seen).toEqual(seen.toSorted((a, b) => a - b))
})
