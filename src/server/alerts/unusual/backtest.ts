import type { BacktestAnswer } from '../../../contract/alerts/conditions.ts'
import type { IsoDate, SearchType } from '../../../contract/common.ts'
import { aYear, type BacktestDay } from '../../../core/alerting/backtest.ts'
import { type Series, seriesOf } from '../../../core/alerting/series.ts'
import { entityKindOf, type Rule, topCount, type Window } from '../../../core/alerting/rule.ts'
import type { Verdict } from '../../../core/alerting/lifecycle.ts'
import { perClick } from '../../../core/alerting/unusual/interrupting.ts'
import { expectedOfMany, expectedPlace, evaluateEntities, evaluatePositions } from '../../../core/alerting/unusual/many.ts'
import { expectedRate, evaluateRates, evaluateShared, ratesOf } from '../../../core/alerting/unusual/rates.ts'
import type { ExpectedWeek } from '../../../core/alerting/unusual/expected.ts'
import { directionOfChange, type LastingUnusual } from '../../../core/alerting/unusual/verdict.ts'
import { backtestSite } from '../../../core/alerting/unusual/site.ts'
import { topOf } from '../../../core/alerting/entities-to-evaluate.ts'
import { addDays, daysBetween, eachDay } from '../../../core/analytics/days.ts'
import type { Direction } from '../../../core/detection/expectation.ts'
import { baseWeeks, fewestWeekly } from '../../../core/detection/many-counts.ts'
import { type DaysPick, entityDays } from '../../facts/questions/entity-days.ts'
import type { Within } from '../../facts/filter-sql.ts'
import { type Baselines, keyOf } from './baselines.ts'
import { knownOf } from './many.ts'
import { historyOf, topDaysOf } from './rates.ts'
import { type PastStores, readPast } from './unusual.ts'
import { storedDays } from '../../facts/stored-days.ts'

export type BacktestDeps = PastStores & { baselines: Pick<Baselines, 'confirmed'> }

/** What a rule would have found on the stored history. */
export type Tried = { from: IsoDate | null; through: IsoDate; days: readonly BacktestDay[] } & Pick<
  BacktestAnswer,
  'alertsAYear' | 'usual' | 'expected'
>

type Property = { id: number; name: string; through: IsoDate }
type Open = ReadonlyMap<string, LastingUnusual>
/** A rule's result for one day, given its open alerts; null for a day that can't be evaluated. */
type Evaluator = {
  evaluate: (day: IsoDate, open: Open, pause: () => Promise<void>) => Promise<Verdict[] | null> | Verdict[] | null
  /** What the rule expects of the week that ends on a day. */
  expected: (day: IsoDate, pause: () => Promise<void>) => Promise<ExpectedWeek | null>
}

/** On which days of the stored history a smart rule would have opened alerts; null if nothing is stored. */
export async function backtestUnusual(
  deps: BacktestDeps,
  property: Property,
  rule: Rule,
  within: Within | undefined,
  pause: () => Promise<void>,
): Promise<Tried | null> {
  const { id, through } = property
  if (rule.monitor === 'site') return backtestOfSite(deps, property, rule, pause)
  const { facts } = deps
  const grain = entityKindOf(rule) === 'page' ? 'page' : 'query'
  const [stored] = await facts.ask(storedDays, {
    type: within?.type,
    grains: [within?.grain ?? grain],
    properties: [id],
    spans: [{ start: '1970-01-01', end: through }],
  })
  if (!stored || stored.from > through) return null
  const span = { start: stored.from, end: through }
  const rows = await facts.ask(entityDays, { grain, properties: [id], span, pick: pickOf(rule, id), within })
  const known = new Set(stored.dates)
  const series = rows.map((row) => seriesOf(row, span.start, daysBetween(span.start, through)))
  const { evaluate, expected } =
    rule.metric === 'ctr' ? ratesEvaluator(property.name, rule, rows, series, span, known) : countsEvaluator(rule, series, known)
  const days: BacktestDay[] = []
  let [from, evaluatedDays]: [IsoDate | null, number] = [null, 0]
  let open = new Map<string, LastingUnusual>()
  for (const day of eachDay(span.start, through)) {
    await pause()
    const verdicts = await evaluate(day, open, pause)
    if (verdicts === null) continue
    from ??= day
    evaluatedDays += 1
    const found = verdicts.flatMap(({ finding }) => finding ?? [])
    const opened = found.filter(({ entity }) => !open.has(entity.name))
    if (opened.length > 0) days.push({ date: day, findings: opened, silenced: [] })
    const decided = new Set(verdicts.map(({ entity }) => entity.name))
    const undecided = [...open].filter(([name]) => !decided.has(name))
    open = new Map([
      ...undecided,
      ...found.map((finding): [string, LastingUnusual] => {
        const { entity, change, severity } = finding
        const opening = open.get(entity.name)?.opening ?? finding
        return [entity.name, { direction: directionOfChange(rule.metric, change ?? 0), severity, opening }]
      }),
    ])
  }
  const alerts = days.reduce((sum, each) => sum + each.findings.length, 0)
  return { from, through, days, alertsAYear: aYear(alerts, evaluatedDays), usual: null, expected: await expected(through, pause) }
}

async function backtestOfSite(
  { facts, countries, baselines }: BacktestDeps,
  property: Property,
  rule: Rule,
  pause: () => Promise<void>,
): Promise<Tried | null> {
  const metric = rule.metric === 'impressions' ? 'impressions' : 'clicks'
  const history = (await readPast({ facts, countries }, [property], rule.searchType)).get(property.id)?.histories.get(metric)
  if (!history) return null
  const confirmed =
    (await baselines.confirmed([property.id])).get(keyOf({ propertyId: property.id, searchType: rule.searchType, metric })) ?? []
  const { from, evaluatedDays, days, expected } = await backtestSite(rule, { ...history, confirmed }, pause)
  return {
    from,
    through: property.through,
    days: days.map(({ date, finding }) => ({ date, findings: [finding], silenced: [] })),
    alertsAYear: aYear(days.length, evaluatedDays),
    usual: null,
    expected,
  }
}

/** Every entity that is looked at on some day; a few more do no harm. */
function pickOf(rule: Rule, property: number): DaysPick {
  if (rule.metric === 'ctr') return { by: 'ever top', count: topCount.top_queries, days: daysBetween(...topDaysOf('2000-01-01')) }
  if (rule.monitor === 'queries') return { by: 'names', named: rule.targets.map((name) => ({ property, name })) }
  const metric = rule.metric === 'impressions' ? 'impressions' : 'clicks'
  return { by: 'counted', metric, least: fewestWeekly * perClick[metric] * baseWeeks.fewest }
}

function countsEvaluator(rule: Rule, series: readonly Series[], days: ReadonlySet<IsoDate>): Evaluator {
  const metric = rule.metric === 'impressions' ? 'impressions' : 'clicks'
  const weeks = (of: Series, look: Look) => ({ now: of.sums(look.current), before: look.base.map((week) => of.sums(week)) })
  const counts = (of: Series, look: Look) => ({
    now: of.sums(look.current)[metric],
    before: look.base.map((week) => of.sums(week)[metric]),
  })
  const entitiesOn = (day: IsoDate) => {
    const [today, dayBefore] = [lookOf(metric, day, days, rule.searchType), lookOf(metric, addDays(day, -1), days, rule.searchType)]
    if (!today || today.base.length < baseWeeks.fewest) return null
    return series.map((of) => ({ name: of.name, today: counts(of, today), dayBefore: dayBefore && counts(of, dayBefore) }))
  }
  const evaluate = (day: IsoDate, open: Open): Verdict[] | null => {
    const entities = entitiesOn(day)
    if (!entities) return null
    if (rule.metric !== 'position') return evaluateEntities(rule, entities, open, day)
    const places = [day, addDays(day, -1)].map((each) => lookOf('position', each, days, rule.searchType))
    const clicked = new Map<string, Direction>(
      rule.monitor === 'queries'
        ? []
        : evaluateEntities({ ...rule, metric: 'clicks', threshold: 1 }, entities, new Map(), day).flatMap(({ entity, finding }) =>
            finding ? [[entity.name, directionOfChange('clicks', finding.change ?? 0)] as const] : [],
          ),
    )
    const looked = rule.monitor === 'queries' ? series : series.filter(({ name }) => clicked.has(name) || open.has(name))
    const [now, before] = places
    if (!now) return null
    const ranked = looked.map((of) => ({ name: of.name, today: weeks(of, now), dayBefore: before ? weeks(of, before) : null }))
    return evaluatePositions(rule, ranked, rule.monitor === 'queries' ? null : clicked, open, day)
  }
  const expected = async (day: IsoDate, pause: () => Promise<void>): Promise<ExpectedWeek | null> => {
    if (rule.metric !== 'position') return expectedOfMany(rule, entitiesOn(day) ?? [], day, pause)
    const now = lookOf('position', day, days, rule.searchType)
    return (
      now &&
      expectedPlace(
        rule,
        series.map((of) => ({ name: of.name, today: weeks(of, now), dayBefore: null })),
      )
    )
  }
  return { evaluate, expected }
}

type Look = { current: Window; base: readonly Window[] }
const lookOf = (metric: 'clicks' | 'impressions' | 'position', day: IsoDate, days: ReadonlySet<IsoDate>, type: SearchType): Look | null => {
  const known = knownOf(metric, day, days, type)
  return known && { current: known.current, base: known.base.map(({ week }) => week) }
}

function ratesEvaluator(
  site: string,
  rule: Rule,
  rows: Parameters<typeof historyOf>[0],
  series: readonly Series[],
  span: Window,
  days: ReadonlySet<IsoDate>,
): Evaluator {
  const history = historyOf(rows, { ...span, from: span.start, type: rule.searchType }, days)
  const rates = ratesOf(history)
  const at = new Map(history.names.map((name, i) => [name, i]))
  const lookOn = (day: IsoDate, open: Open) => {
    const [start, end] = topDaysOf(day)
    if (start < span.start || !days.has(day)) return null
    const top = topOf(series, { start, end }, topCount.top_queries)
    const monitored = new Set([...(rule.monitor === 'queries' ? rule.targets : top), ...[...open.keys()].filter((name) => name !== site)])
    // Those it watches first, the busiest before the others.
    const names = new Set([...top.filter((name) => monitored.has(name)), ...monitored, ...top])
    const among = [...names].flatMap((name) => at.get(name) ?? [])
    const shared = top.flatMap((name) => at.get(name) ?? [])
    return { monitored, shared, at: { among, end: daysBetween(span.start, day) - 1, through: day } }
  }
  return {
    evaluate: async (day, open, pause) => {
      const look = lookOn(day, open)
      if (!look) return null
      const found = await evaluateRates(rule, history, rates, look.at, open, pause)
      const shared = await evaluateShared(rule, site, rates, { ...look.at, among: look.shared }, open.get(site) ?? null, pause)
      return [...found.filter(({ entity }) => look.monitored.has(entity.name)), ...(shared ? [shared] : [])]
    },
    expected: async (day) => {
      const look = lookOn(day, new Map())
      return look && look.monitored.size > 0 ? expectedRate(rule, history, rates, look.at) : null
    },
  }
}
