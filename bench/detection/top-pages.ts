import { backtest } from '../../src/core/alerting/backtest.ts'
import { defaultOf } from '../../src/core/alerting/defaults.ts'
import { ruleOf } from '../../src/core/alerting/options.ts'
import { topCount } from '../../src/core/alerting/rule.ts'
import { seriesOf } from '../../src/core/alerting/series.ts'
import { addDays, daysBetween, eachDay } from '../../src/core/analytics/days.ts'
import { pagesOf } from './pages.ts'
import { type Random, thinned } from './random.ts'

const start = '2024-01-01'
const rule = ruleOf('drop', defaultOf('clicks', 'change'))
/** Pages of a site: enough for ten that have most of the clicks. */
const pages = 300
/** On which day one of the top pages loses a part of its clicks, and its place among them. */
const falls = { at: 400, place: 4 }

export type TopPages = { days: number; counts: Float64Array[] }

/** The pages of a site with the most clicks; nothing happens to any of them. */
export function topPagesOf(random: Random, days: number): TopPages {
  const sum = (counts: Float64Array): number => counts.reduce((all, count) => all + count, 0)
  const { counts } = pagesOf(random, { pages, days, spikesAYear: 0.3 })
  return { days, counts: counts.toSorted((a, b) => sum(b) - sum(a)).slice(0, topCount.top_pages) }
}

async function alertsOf({ days, counts }: TopPages) {
  const zeros = new Float64Array(days)
  const series = counts.map((clicks, page) =>
    seriesOf(
      {
        name: `/${page}`,
        day: [...clicks.keys()],
        clicks: [...clicks],
        impressions: [...clicks],
        positionSum: [...zeros],
        rankedImpressions: [...zeros],
      },
      start,
      days,
    ),
  )
  const through = addDays(start, days - 1)
  return backtest(rule, series, { completeDays: new Set(eachDay(start, through)), from: start }, through, async () => {})
}

/** Alerts of the default rule about drops in clicks, and for how many years it was evaluated. */
export async function falseDropsOf(top: TopPages): Promise<{ alerts: number; years: number }> {
  const { from, days } = await alertsOf(top)
  const evaluatedDays = from === null ? 0 : top.days - daysBetween(start, from) + 1
  return { alerts: days.reduce((sum, { findings }) => sum + findings.length, 0), years: evaluatedDays / 365.25 }
}

/** How soon it finds that a page loses a part of its clicks. */
export async function dropFound(top: TopPages, random: Random, part: number): Promise<{ by7: boolean; by14: boolean }> {
  const counts = top.counts.map((clicks, page) =>
    page === falls.place ? clicks.map((count, day) => (day >= falls.at ? thinned(random, count, 1 - part) : count)) : clicks,
  )
  const { days } = await alertsOf({ ...top, counts })
  const since = addDays(start, falls.at)
  const on = days.filter(({ date, findings }) => date >= since && findings.some(({ entity }) => entity.name === `/${falls.place}`))
  const by = (length: number): boolean => on.some(({ date }) => daysBetween(since, date) <= length)
  return { by7: by(7), by14: by(14) }
}
