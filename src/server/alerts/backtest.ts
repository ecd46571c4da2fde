import { setImmediate } from 'node:timers/promises'
import type { BacktestAnswer } from '../../contract/alerts/conditions.ts'
import { type IsoDate } from '../../contract/common.ts'
import { daysBetween } from '../../core/analytics/days.ts'
import { backtest } from '../../core/alerting/backtest.ts'
import { restsOnFirstSeen } from '../../core/alerting/readiness.ts'
import { type Rule, topCount } from '../../core/alerting/rule.ts'
import { type Series, seriesOf } from '../../core/alerting/series.ts'
import { windowDays, windowsOf } from '../../core/alerting/windows.ts'
import { type DaysPick, entityDays } from '../facts/questions/entity-days.ts'
import type { Within } from '../facts/filter-sql.ts'
import { abandonedNow } from '../platform/tenant.ts'
import { grainOf } from './tasks.ts'
import { type BacktestDeps, backtestUnusual, type Tried } from './unusual/backtest.ts'
import { storedDays } from '../facts/stored-days.ts'

export type { BacktestDeps }

type Property = { id: number; name: string; completeThrough: IsoDate | null }

/** The maximum number of findings named per day, and of characters in all names: an imported name may have thousands. */
const mostNamed = 20
const mostLetters = 1_000_000
const nothing: BacktestAnswer = { from: null, through: null, days: [], alertsAYear: null, usual: null, expected: null }

/** On which days of the stored history a rule would have opened alerts. */
export async function runBacktest(deps: BacktestDeps, property: Property, rule: Rule, within?: Within): Promise<BacktestAnswer> {
  const tried = await tryRule(deps, property, rule, within)
  if (!tried) return nothing
  let letters = 0
  const days = tried.days.toReversed().map(({ date, findings, silenced }) => ({
    date,
    alerts: findings.length,
    silenced: silenced.length,
    entities: [...findings, ...silenced]
      .slice(0, mostNamed)
      .map(({ entity }) => entity.name)
      .filter((name) => (letters += name.length) <= mostLetters),
  }))
  return { ...tried, days: days.toReversed() }
}

/** The same with its findings: the daily figures are read once, and each day is evaluated in memory. Null if nothing is stored. */
export async function tryRule(deps: BacktestDeps, property: Property, rule: Rule, within?: Within): Promise<Tried | null> {
  const { id, completeThrough: through } = property
  if (through === null) return null
  if (rule.kind === 'unusual') return backtestUnusual(deps, { ...property, through }, rule, within, createPauses())
  const { facts } = deps
  const grain = grainOf(rule)
  const [stored] = await facts.ask(storedDays, {
    type: within?.type,
    grains: [within?.grain ?? grain],
    properties: [id],
    spans: [{ start: '1970-01-01', end: through }],
  })
  if (!stored || stored.from > through) return null
  const span = { start: stored.from, end: through }
  const rows = await facts.ask(entityDays, { grain, properties: [id], span, pick: pickOf(rule, property), within })
  const days = daysBetween(span.start, through)
  const series: Series[] = rows.map((row) => seriesOf(grain === 'total' ? { ...row, name: property.name } : row, span.start, days))
  const history = { completeDays: new Set(stored.dates), from: stored.from }
  return { through, expected: null, ...(await backtest(rule, series, history, through, createPauses())) }
}

/** Lets other requests run after this many milliseconds of work, and ends work that nobody is waiting for anymore. */
const longestTurnMs = 20
function createPauses(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < longestTurnMs) return
    await setImmediate()
    abandonedNow()?.throwIfAborted()
    since = performance.now()
  }
}

/** Every entity the rule may have evaluated on some day; a few extra do no harm. */
function pickOf(rule: Rule, { id }: Property): DaysPick {
  const { kind, monitor, minimumImpressions, targets } = rule
  // A window with this many impressions has a day with its share of them.
  const perDay = Math.max(1, minimumImpressions) / windowDays
  if (restsOnFirstSeen(rule)) return { by: 'appeared', impressions: perDay }
  if (monitor === 'top_pages' || monitor === 'top_queries') {
    const { base } = windowsOf(rule.comparison, '2000-01-01')
    return { by: 'ever top', count: topCount[monitor], days: daysBetween(base.start, base.end) }
  }
  if (kind === 'lost_query' && monitor === 'site') return { by: 'shown', impressions: perDay }
  return { by: 'names', named: targets.map((name) => ({ property: id, name })) }
}
