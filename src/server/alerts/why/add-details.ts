import { signOf } from '../../../core/alerting/figures.ts'
import { alertSeriesDays } from '../../../contract/alerts/alerts.ts'
import type { IsoDate } from '../../../contract/common.ts'
import { addDays, eachDay } from '../../../core/analytics/days.ts'
import type { Finding } from '../../../core/alerting/evaluate.ts'
import type { Entity } from '../../../core/alerting/rule.ts'
import { severities } from '../../../core/alerting/severity.ts'
import type { StoredContributor } from '../../database/alert-tables.ts'
import { type EntityDays, entityDays } from '../../facts/questions/entity-days.ts'
import { storedDays } from '../../facts/stored-days.ts'
import { type Outcome, throughOf } from '../outcome-writes.ts'
import { type QuestionTime, unlessTooSlow } from '../question-time.ts'
import { dailyValues } from '../daily-values.ts'
import { mostMoved } from './most-moved.ts'
import { toStored } from '../names.ts'
import { expectationOf } from '../unusual/expectation.ts'
import type { PastStores } from '../unusual/unusual.ts'
import { entityGrain } from '../tasks.ts'
import { everythingOf, type Within } from '../../facts/filter-sql.ts'
import { entityFigures } from '../../facts/questions/entity-figures.ts'

/** How many pages are looked at to break down a site-wide change, and how many of them are kept. */
const pagesLookedAt = 50
const mostPages = 5

/** Alerts whose days are read at once: their names may be long. */
const drawnAtOnce = 500

/** Maximum number of new alerts of one evaluation whose first day is determined: each takes queries of its own. */
const mostBegun = 20

/** The name of the only row of a site or segment. */
const whole = ''

/** The figures of some entities, and which days are known at all. */
type Days = { rows: ReadonlyMap<string, EntityDays>; isKnown: readonly boolean[] }

type Drawn = Outcome['same'][number] | Outcome['opened'][number]

/**
 * Adds what makes new and open alerts readable, as far as there is time: daily values, the breakdown of a site-wide change, and the day a
 * new one began.
 */
export function createDetails({ facts, countries }: PastStores) {
  async function seriesOf(
    outcome: Outcome,
    { kind, within, through }: { kind: Entity['kind']; within: Within | null; through: IsoDate },
    drawn: readonly Drawn[],
    time: QuestionTime,
  ): Promise<Days | undefined> {
    const { id } = outcome.property
    const grain = entityGrain(kind)
    const span = { start: addDays(through, 1 - alertSeriesDays), end: through }
    const question = {
      grain,
      properties: [id],
      span,
      pick: { by: 'names' as const, named: drawn.map(({ finding }) => ({ property: id, name: finding.entity.name })) },
      within,
    }
    const stored = { type: within?.type, grains: [within?.grain ?? grain], properties: [id], spans: [span] }
    const ask = () => Promise.all([facts.ask(entityDays, question), facts.ask(storedDays, stored)])
    const answer = await unlessTooSlow(time.ask([outcome.property], ask))
    if (!answer) return undefined
    const [rows, [days]] = answer
    const dates = new Set(days?.dates)
    return {
      rows: new Map(rows.map((row) => [grain === 'total' ? whole : row.name, row])),
      isKnown: eachDay(span.start, span.end).map((date) => dates.has(date)),
    }
  }

  async function draw<D extends Drawn>(outcome: Outcome, all: readonly D[], time: QuestionTime): Promise<D[]> {
    const drawn: D[] = []
    for (let from = 0; from < all.length; from += drawnAtOnce)
      drawn.push(...(await drawSome(outcome, all.slice(from, from + drawnAtOnce), time)))
    return drawn
  }

  async function drawSome<D extends Drawn>(outcome: Outcome, drawn: readonly D[], time: QuestionTime): Promise<D[]> {
    const within = ({ finding }: Drawn): Within | null => outcome.scopes.get(finding.ruleId)?.within ?? null
    const keyOf = (each: Drawn): string => JSON.stringify([each.finding.entity.kind, within(each)])
    const known = new Map<string, Days | undefined>()
    for (const [key, of] of Map.groupBy(drawn, keyOf)) {
      const [first] = of
      if (!first) continue
      const shared = { kind: first.finding.entity.kind, within: within(first), through: throughOf(outcome, first.finding) }
      known.set(key, await seriesOf(outcome, shared, of, time))
    }
    return Promise.all(
      drawn.map(async (each) => {
        const { finding, contributors } = each
        const isWhole = entityGrain(finding.entity.kind) === 'total'
        const days = known.get(keyOf(each))
        const values = dailyValues(finding.metric, days?.rows.get(isWhole ? whole : finding.entity.name), alertSeriesDays)
        const isBare = isWhole && contributors.length === 0
        return {
          ...each,
          // A day that isn't stored isn't zero.
          series: values.flatMap((value, day) => (days?.isKnown[day] ? (value ?? []) : [])),
          contributors: isBare ? await partsBehind(outcome.property, finding, within(each), time) : contributors,
        }
      }),
    )
  }

  /** Pages, or the queries of a segment that is about queries only. */
  async function partsBehind(
    property: Outcome['property'],
    { metric, windows, change: size }: Finding,
    all: Within | null,
    time: QuestionTime,
  ): Promise<StoredContributor[]> {
    const within = all?.grain === 'total' ? everythingOf(all.type, 'page') : all
    if (within && within.grain !== 'page' && within.grain !== 'query' && within.grain !== 'query_page') return []
    const kind = within?.grain === 'query' ? ('query' as const) : ('page' as const)
    if (metric !== 'clicks' && metric !== 'impressions') return []
    const change = signOf({ change: size })
    const [row, ...others] = [windows.current, windows.base]
    const span = change < 0 ? windows.base : windows.current
    const question = {
      grain: kind,
      properties: [property.id],
      windows: [row, ...others],
      pick: { by: 'top' as const, span, count: pagesLookedAt },
      named: [],
      within,
    }
    const rows = (await unlessTooSlow(time.ask([property], () => facts.ask(entityFigures, question)))) ?? []
    return mostMoved({ metric, change, scale: windows.scale, kind, rows }, mostPages)
  }

  /** With the first day of each, the most severe first; those that are parts of another one don't need it. */
  async function begun(outcome: Outcome, opened: Outcome['opened'], time: QuestionTime): Promise<Outcome['opened']> {
    const { property, scopes } = outcome
    const asked = opened
      .filter(({ lead, finding }) => lead === null && (finding.months !== undefined || finding.expected !== undefined))
      .toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))
      .slice(0, mostBegun)
    const days = new Map<Finding, IsoDate>()
    for (const { condition, finding } of asked) {
      const { entity, metric: type, windows, ruleId } = finding
      const { searchType } = condition
      const figures = { ...finding, windows }
      const row = {
        propertyId: property.id,
        type,
        entityKind: entity.kind,
        entityName: toStored(entity.name),
        searchType,
        figures,
        opening: figures,
      }
      const { end } = windows.current
      const within = scopes.get(ruleId)?.within ?? null
      const ask = () => expectationOf({ facts, countries }, row, { from: end, end }, within)
      const expectation = await unlessTooSlow(time.ask([property], ask))
      if (expectation) days.set(finding, expectation.firstDay)
    }
    return opened.map((each) => {
      const firstDay = days.get(each.finding)
      return firstDay === undefined ? each : { ...each, firstDay }
    })
  }

  return async (outcome: Outcome, time: QuestionTime): Promise<Outcome> => ({
    ...outcome,
    opened: await begun(outcome, await draw(outcome, outcome.opened, time), time),
    same: await draw(outcome, outcome.same, time),
    adopted: await draw(outcome, outcome.adopted, time),
  })
}
