import { addDays, daysBetween, eachDay } from '../../src/core/analytics/days.ts'
import { backtest } from '../../src/core/alerting/backtest.ts'
import { seriesOf } from '../../src/core/alerting/series.ts'
import { defaultOf } from '../../src/core/alerting/defaults.ts'
import { ruleOf } from '../../src/core/alerting/options.ts'
import { evaluateRates, evaluateShared, ratesOf, type RateHistory } from '../../src/core/alerting/unusual/rates.ts'
import { holidayEffects } from './generator.ts'
import { between, gamma, normal, poisson, type Random, thinned } from './random.ts'

const start = '2024-01-01'
const cooldown = 14
const rule = ruleOf('ctr', defaultOf('ctr', 'unusual'))
const queriesCount = 20

type Queries = { days: number; clicks: Float64Array[]; impressions: Float64Array[]; positions: Float64Array[] }

/**
 * The twenty queries with the most clicks, with this many impressions per day in total: positions drift and jump, CTR follows them along
 * its own curve with a drifting factor, and clicks are overdispersed or not. Nothing happens to any of them.
 */
export function queriesOf(random: Random, impressionsADay: number, days: number): Queries {
  const shares = Array.from({ length: queriesCount }, (_, rank) => (rank + 1) ** -between(random, 0.6, 1.1))
  const all = shares.reduce((sum, share) => sum + share, 0)
  const empty = () => new Float64Array(days)
  const queries: Queries = { days, clicks: [], impressions: [], positions: [] }
  const weekend = between(random, 0.6, 1.1)
  const holidays = holidayEffects(random, days)
  for (const share of shares) {
    const [clicks, shown, places] = [empty(), empty(), empty()]
    let place = Math.log(between(random, 1, 12))
    const [home, falls] = [place, between(random, 0.7, 1.4)]
    const best = between(random, 0.15, 0.4)
    let [factor, demand] = [0, 0]
    const clumps = random() < 1 / 3 ? between(random, 0.002, 0.02) : 0
    // Fewer people search on a holiday, and those who do click a little less or more.
    const onHolidays = { demand: between(random, 0, 1.5), ctr: between(random, -0.1, 0.25) }
    for (let day = 0; day < days; day++) {
      place += 0.02 * (home - place) + 0.03 * normal(random)
      if (random() < 1 / 90) place += between(random, -0.5, 0.5)
      place = Math.max(0, place)
      factor = 0.97 * factor + 0.015 * normal(random)
      demand = 0.9 * demand + 0.06 * normal(random)
      const mean =
        (impressionsADay * share * Math.exp(demand + onHolidays.demand * (holidays[day] ?? 0)) * (day % 7 >= 5 ? weekend : 1)) / all
      const today = Math.exp(Math.max(0, place + 0.05 * normal(random)))
      shown[day] = poisson(random, mean)
      places[day] = today
      const ctr = Math.min(0.7, best * today ** -falls * Math.exp(factor + onHolidays.ctr * (holidays[day] ?? 0)))
      const clumped = clumps === 0 ? ctr : Math.min(0.9, ctr * gamma(random, 1 / clumps) * clumps)
      clicks[day] = thinned(random, shown[day] ?? 0, clumped)
    }
    queries.clicks.push(clicks)
    queries.impressions.push(shown)
    queries.positions.push(places)
  }
  return queries
}

const historyOf = ({ days, clicks, impressions, positions }: Queries): RateHistory => ({
  names: clicks.map((_, i) => `query ${i}`),
  days: clicks.map((counts, i) => ({
    clicks: counts,
    impressions: impressions[i] ?? [],
    logPositions: (positions[i] ?? new Float64Array()).map((position, day) =>
      impressions[i]?.[day] === 0 ? Number.NaN : Math.log(position),
    ),
  })),
  known: Array.from({ length: days }, () => true),
})

/** The threshold rule that every property starts with; its days lie before Google's counting changes. */
const thresholdRule = ruleOf('ctr', defaultOf('ctr', 'change'))
const thresholdStart = '2020-01-01'

/** On which days from `from` on the threshold rule alerts, each with the queries it alerts about. */
async function thresholdDays({ days, clicks, impressions, positions }: Queries, from: number, of = thresholdRule) {
  const end = addDays(thresholdStart, days - 1)
  const series = clicks.map((counts, i) => {
    const shown = impressions[i] ?? new Float64Array()
    const positionSum = shown.map((count, day) => count * (positions[i]?.[day] ?? 0))
    const figures = { clicks: [...counts], impressions: [...shown], positionSum: [...positionSum], rankedImpressions: [...shown] }
    return seriesOf({ name: `query ${i}`, day: [...counts.keys()], ...figures }, thresholdStart, days)
  })
  const history = { completeDays: new Set(eachDay(thresholdStart, end)), from: thresholdStart }
  const tried = await backtest(of, series, history, end, async () => {})
  return tried.days.filter(({ date }) => date >= addDays(thresholdStart, from))
}

/** The threshold rule's alerts while nothing happens. */
export async function thresholdAlertsOf(queries: Queries, from: number): Promise<{ years: number; alerts: number }> {
  const found = await thresholdDays(queries, from)
  return { years: (queries.days - from) / 365.25, alerts: found.reduce((sum, { findings }) => sum + findings.length, 0) }
}

/** Rules about the positions of the ten queries with the most clicks, and about losing them, as people make them: without the switch. */
const placeRules = (['change', 'lost_query'] as const).map((kind) =>
  ruleOf(kind, {
    ...defaultOf('position', kind),
    onlyUnusual: false,
    monitor: kind === 'change' ? 'queries' : 'top_queries',
    targets: kind === 'change' ? Array.from({ length: 10 }, (_, i) => `query ${i}`) : [],
  }),
)

/**
 * Critical alerts of rules about positions while nothing happens, and those of them that interrupt somebody. Every two months, a query is
 * also shown far down to people who never click, which moves its average by up to twelve places for some weeks.
 */
export async function placeAlertsOf(
  queries: Queries,
  random: Random,
  from: number,
): Promise<{ years: number; criticals: number; interruptions: number }> {
  const positions = queries.positions.map((places) => {
    let further = 0
    return places.map((place) => {
      further = random() < 1 / 60 ? between(random, 0, 12) : 0.93 * further
      return place + further
    })
  })
  const found = await Promise.all(placeRules.map((each) => thresholdDays({ ...queries, positions }, from, each)))
  const criticals = found.flat().flatMap(({ findings }) => findings.filter(({ severity }) => severity === 'critical'))
  const interruptions = criticals.filter((finding) => finding.interrupts !== false).length
  return { years: (queries.days - from) / 365.25, criticals: criticals.length, interruptions }
}

/** There is nothing else to yield to here. */
const onwards = () => Promise.resolve()

const among = Array.from({ length: queriesCount }, (_, i) => i)

/** Alerts while nothing happens, each about a query for fourteen days; those of one day count as one. */
export async function falseAlertsOf(queries: Queries, from: number): Promise<{ years: number; alerts: number; ofSite: number }> {
  const history = historyOf(queries)
  const rates = ratesOf(history)
  const until = new Map<string, number>()
  let [alerts, ofSite] = [0, 0]
  for (let end = from; end < queries.days; end++) {
    const at = { among, end, through: addDays(start, end) }
    const shared = await evaluateShared(rule, 'site', rates, at, null, onwards)
    for (const { entity } of [...(await evaluateRates(rule, history, rates, at, new Map(), onwards)), ...(shared ? [shared] : [])]) {
      if (end < (until.get(entity.name) ?? -1)) continue
      until.set(entity.name, end + cooldown)
      alerts += 1
      if (entity.kind === 'site') ofSite += 1
    }
  }
  return { years: (queries.days - from) / 365.25, alerts, ofSite }
}

/** On which of fourteen days the smart rule, and the threshold rule, finds a query that loses part of its CTR; null if on none. */
export async function rateFallFound(
  queries: Queries,
  random: Random,
  { at, part, query }: { at: number; part: number; query: number },
): Promise<{ unusual: number | null; threshold: number | null }> {
  const clicks = queries.clicks.map((series, i) =>
    i === query ? series.map((count, day) => (day < at ? count : thinned(random, count, 1 - part))) : series,
  )
  const weakened = { ...queries, clicks }
  const found = await thresholdDays(weakened, at)
  const hit = found.find(({ findings }) => findings.some(({ entity }) => entity.name === `query ${query}`))
  const threshold = hit ? daysBetween(addDays(thresholdStart, at), hit.date) : null
  const history = historyOf(weakened)
  const rates = ratesOf(history)
  for (let day = 1; day <= cooldown; day++) {
    const end = at + day - 1
    const verdicts = await evaluateRates(rule, history, rates, { among, end, through: addDays(start, end) }, new Map(), onwards)
    if (verdicts.some(({ entity }) => entity.name === `query ${query}`)) return { unusual: day, threshold }
  }
  return { unusual: null, threshold }
}

/** On which of fourteen days the rule finds on the whole site that all queries lose part of their CTR, or only one does; null if on none. */
export async function sharedFallFound(
  queries: Queries,
  random: Random,
  { at, part, query }: { at: number; part: number; query: number | 'all' },
): Promise<number | null> {
  const clicks = queries.clicks.map((series, i) =>
    query === 'all' || i === query ? series.map((count, day) => (day < at ? count : thinned(random, count, 1 - part))) : series,
  )
  const rates = ratesOf(historyOf({ ...queries, clicks }))
  for (let day = 1; day <= cooldown; day++) {
    const end = at + day - 1
    if (await evaluateShared(rule, 'site', rates, { among, end, through: addDays(start, end) }, null, onwards)) return day
  }
  return null
}
