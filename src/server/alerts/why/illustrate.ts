import { alertSeriesDays } from '../../../contract/alerts/alerts.ts'
import { addDays } from '../../../core/analytics/days.ts'
import type { Finding } from '../../../core/alerting/evaluate.ts'
import type { Entity } from '../../../core/alerting/rule.ts'
import type { StoredContributor } from '../../database/alert-tables.ts'
import { type EntityDays, entityDays } from '../../facts/questions/entity-days.ts'
import type { FactsStore } from '../../facts/store.ts'
import type { Outcome } from '../outcome-writes.ts'
import { dailyValues } from '../daily-values.ts'
import { mostMoved } from './most-moved.ts'
import { entityGrain } from '../tasks.ts'
import type { Within } from '../../facts/filter-sql.ts'
import { entityFigures } from '../../facts/questions/entity-figures.ts'

/** How many pages are looked at to break down a site-wide change, and how many of them are kept. */
const pagesLookedAt = 50
const mostPages = 5

/** Alerts whose days are read at once: their names may be long. */
const drawnAtOnce = 500

/** The name of the only row of a site or segment. */
const whole = ''

type Drawn = Outcome['same'][number] | Outcome['opened'][number]

/** Adds what makes new and open alerts readable: daily values, and the breakdown of a site-wide change. */
export function createIllustration(facts: FactsStore) {
  async function seriesOf(
    outcome: Outcome,
    { kind, within }: { kind: Entity['kind']; within: Within | null },
    drawn: readonly Drawn[],
  ): Promise<Map<string, EntityDays>> {
    const { id, through } = outcome.property
    const grain = entityGrain(kind)
    const rows = await facts.ask(entityDays, {
      grain,
      properties: [id],
      span: { start: addDays(through, 1 - alertSeriesDays), end: through },
      pick: { by: 'names', named: drawn.map(({ finding }) => ({ property: id, name: finding.entity.name })) },
      within,
    })
    return new Map(rows.map((row) => [grain === 'total' ? whole : row.name, row]))
  }

  async function draw<D extends Drawn>(outcome: Outcome, all: readonly D[]): Promise<D[]> {
    const drawn: D[] = []
    for (let from = 0; from < all.length; from += drawnAtOnce) drawn.push(...(await drawSome(outcome, all.slice(from, from + drawnAtOnce))))
    return drawn
  }

  async function drawSome<D extends Drawn>(outcome: Outcome, drawn: readonly D[]): Promise<D[]> {
    const within = ({ finding }: Drawn): Within | null => outcome.segments.get(finding.ruleId)?.within ?? null
    const keyOf = (each: Drawn): string => JSON.stringify([each.finding.entity.kind, within(each)])
    const known = new Map<string, Map<string, EntityDays>>()
    for (const [key, of] of Map.groupBy(drawn, keyOf)) {
      const [first] = of
      if (first) known.set(key, await seriesOf(outcome, { kind: first.finding.entity.kind, within: within(first) }, of))
    }
    return Promise.all(
      drawn.map(async (each) => {
        const { finding, contributors } = each
        const isWhole = entityGrain(finding.entity.kind) === 'total'
        const days = known.get(keyOf(each))?.get(isWhole ? whole : finding.entity.name)
        const values = dailyValues(finding.metric, days, alertSeriesDays)
        const isBare = isWhole && contributors.length === 0
        return {
          ...each,
          series: values.flatMap((value) => value ?? []),
          contributors: isBare ? await partsBehind(outcome.property.id, finding, within(each)) : contributors,
        }
      }),
    )
  }

  /** Pages, or the queries of a segment that is about queries only. */
  async function partsBehind(property: number, { metric, windows, change }: Finding, within: Within | null): Promise<StoredContributor[]> {
    if (within && within.grain !== 'page' && within.grain !== 'query' && within.grain !== 'query_page') return []
    const kind = within?.grain === 'query' ? ('query' as const) : ('page' as const)
    if ((metric !== 'clicks' && metric !== 'impressions') || change === null) return []
    const [row, ...others] = [windows.current, windows.base]
    const span = change < 0 ? windows.base : windows.current
    const rows = await facts.ask(entityFigures, {
      grain: kind,
      properties: [property],
      windows: [row, ...others],
      pick: { by: 'top', span, count: pagesLookedAt },
      named: [],
      within,
    })
    return mostMoved({ metric, change, scale: windows.scale, kind, rows }, mostPages)
  }

  return async (outcome: Outcome): Promise<Outcome> => ({
    ...outcome,
    opened: await draw(outcome, outcome.opened),
    same: await draw(outcome, outcome.same),
    adopted: await draw(outcome, outcome.adopted),
  })
}
