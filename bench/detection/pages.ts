import { fewestWeekly, createMany, type WeeklyCount } from '../../src/core/detection/many-counts.ts'
import type { Direction } from '../../src/core/detection/expectation.ts'
import { holidayEffects } from './generator.ts'
import { between, gamma, normal, poisson, type Random, thinned } from './random.ts'

/** Daily figures for the pages of one site where nothing happens. */
type Pages = { days: number; counts: Float64Array[]; spikes: number[][] }

const cooldown = 14
/** Days after a spike on which a rise is genuine. */
const spikeLasts = 16
const baseWeeks = 12
/** The first day that is evaluated, and the one before. */
export const firstEvaluated = 7 * (baseWeeks + 1)

/**
 * A few pages with most of the clicks, many with hardly any. Each has autocorrelated noise, a drifting level, perhaps a trend, and days of
 * its own; all share the site's weekdays, noise, growth and holidays, which touch some more than others. A third of the pages have overdispersed counts.
 */
export function pagesOf(random: Random, { pages, days, spikesAYear }: { pages: number; days: number; spikesAYear: number }): Pages {
  const weekend = between(random, 0.55, 1.1)
  const shared = wandering(random, days, { noise: between(random, 0.02, 0.06), carries: 0.5, wanders: 0.005 })
  const growth = between(random, -0.2, 0.4) / 365
  const holidays = holidayEffects(random, days)
  const spikes: number[][] = []
  const counts = Array.from({ length: pages }, () => {
    const level = Math.exp(normal(random) * 1.7 + Math.log(1.3))
    const restless = Math.exp(normal(random) * 0.45)
    const own = wandering(random, days, {
      noise: 0.16 * restless,
      carries: between(random, 0.1, 0.7),
      wanders: 0.008 * restless,
    })
    const trend = random() < 0.2 ? between(random, -0.5, 1) / 365 : 0
    const clumps = random() < 1 / 3 ? between(random, 0.005, 0.05) : 0
    // Some pages don't notice them, others more than the site.
    const onHolidays = between(random, 0, 1.5)
    const began: number[] = []
    let [spike, decay] = [0, 0]
    const series = Float64Array.from({ length: days }, (_, day) => {
      spike *= decay
      if (random() < spikesAYear / 365) {
        spike = Math.exp(between(random, 0.4, 1.6)) - 1
        decay = between(random, 0.3, 0.85)
        began.push(day)
      }
      const logs = (own[day] ?? 0) + (shared[day] ?? 0) + (growth + trend) * day + onHolidays * (holidays[day] ?? 0)
      const mean = level * Math.exp(logs) * (day % 7 >= 5 ? weekend : 1) * (1 + spike)
      return poisson(random, clumps === 0 ? mean : mean * gamma(random, 1 / clumps) * clumps)
    })
    spikes.push(began)
    return series
  })
  return { days, counts, spikes }
}

function wandering(random: Random, days: number, { noise, carries, wanders }: { noise: number; carries: number; wanders: number }) {
  let [level, carried] = [0, 0]
  return Float64Array.from({ length: days }, () => {
    level += wanders * normal(random)
    carried = carries * carried + Math.sqrt(1 - carries ** 2) * noise * normal(random)
    return level + carried
  })
}

const weekEnding = (series: Float64Array, end: number): number => {
  let sum = 0
  for (let day = end - 6; day <= end; day++) sum += series[day] ?? 0
  return sum
}

const weekly = (series: Float64Array, end: number): WeeklyCount => ({
  now: weekEnding(series, end),
  before: Array.from({ length: baseWeeks }, (_, week) => weekEnding(series, end - 7 * (week + 1))),
})

/** What one day's evaluation finds. */
function look(counts: readonly Float64Array[], end: number, direction: Direction) {
  const at = (day: number) => counts.map((series) => weekly(series, day))
  return createMany(at(end), () => at(end - 1))(direction, 1)
}

/** Alarms about pages where nothing happened, each lasting fourteen days. */
export function falseOf({ counts, days, spikes }: Pages): { weeks: number; falls: number; rises: number; evaluated: number } {
  const found = { fall: 0, rise: 0 }
  let evaluated = 0
  for (const direction of ['fall', 'rise'] as const) {
    const until = new Map<number, number>()
    for (let end = firstEvaluated; end < days; end++) {
      for (const [page, test] of look(counts, end, direction).entries()) {
        if (direction === 'fall' && test && end === firstEvaluated) evaluated += 1
        if (!test?.isAlarm) continue
        if (end < (until.get(page) ?? -1)) continue
        if ((spikes[page] ?? []).some((from) => end >= from && end < from + spikeLasts)) continue
        until.set(page, end + cooldown)
        found[direction] += 1
      }
    }
  }
  return { weeks: (days - firstEvaluated) / 7, falls: found.fall, rises: found.rise, evaluated }
}

/** Halves some of the pages with this many clicks a week from one day on, and counts how many are found by day 7 and 14. */
export function fallsFound(
  pages: Pages,
  random: Random,
  { at, part, clicks, pages: most }: { at: number; part: number; clicks: number; pages: number },
) {
  const usual = pages.counts.map((series) => weekly(series, at - 1).before.reduce((sum, week) => sum + week, 0) / baseWeeks)
  const large = [...usual.entries()].flatMap(([page, mean]) => (mean >= Math.max(clicks, fewestWeekly) ? [page] : []))
  const chosen = new Set(Array.from({ length: Math.min(most, large.length) }, () => large[Math.floor(random() * large.length)] ?? 0))
  const counts = pages.counts.map((series, page) =>
    chosen.has(page) ? series.map((count, day) => (day < at ? count : thinned(random, count, 1 - part))) : series,
  )
  const found = new Map<number, number>()
  for (let day = 1; day <= cooldown; day++) {
    const tests = look(counts, at + day - 1, 'fall')
    for (const page of chosen) if (tests[page]?.isAlarm && !found.has(page)) found.set(page, day)
  }
  return { of: chosen.size, by7: [...found.values()].filter((day) => day <= 7).length, by14: found.size }
}
