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
import { entityFigures } from '../../facts/questions/entity-figures.ts'

/** How many pages are looked at to break down a site-wide change, and how many of them are kept. */
const pagesLookedAt = 50
const pagesTold = 5

type Drawn = Outcome['same'][number] | Outcome['opened'][number]

/** Adds what makes new and open alerts readable: daily values, and the breakdown of a site-wide change. */
export function createIllustration(facts: FactsStore) {
  async function seriesOf(outcome: Outcome, kind: Entity['kind'], drawn: readonly Drawn[]): Promise<Map<string, EntityDays>> {
    const { id, name, through } = outcome.property
    const rows = await facts.ask(entityDays, {
      grain: kind === 'site' ? 'total' : kind,
      properties: [id],
      span: { start: addDays(through, 1 - alertSeriesDays), end: through },
      pick: { by: 'names', named: drawn.map(({ finding }) => ({ property: id, name: finding.entity.name })) },
    })
    return new Map(rows.map((row) => [kind === 'site' ? name : row.name, row]))
  }

  async function draw<D extends Drawn>(outcome: Outcome, drawn: readonly D[]): Promise<D[]> {
    const known = new Map<string, Map<string, EntityDays>>()
    for (const [kind, of] of Map.groupBy(drawn, ({ finding }) => finding.entity.kind)) known.set(kind, await seriesOf(outcome, kind, of))
    return Promise.all(
      drawn.map(async (each) => {
        const { finding, contributors } = each
        const values = dailyValues(finding.metric, known.get(finding.entity.kind)?.get(finding.entity.name), alertSeriesDays)
        const isSite = finding.entity.kind === 'site' && contributors.length === 0
        return {
          ...each,
          series: values.flatMap((value) => value ?? []),
          contributors: isSite ? await pagesBehind(outcome.property.id, finding) : contributors,
        }
      }),
    )
  }

  async function pagesBehind(property: number, { metric, windows, change }: Finding): Promise<StoredContributor[]> {
    if ((metric !== 'clicks' && metric !== 'impressions') || change === null) return []
    const [row, ...others] = [windows.current, windows.base]
    const span = change < 0 ? windows.base : windows.current
    const pages = await facts.ask(entityFigures, {
      grain: 'page',
      properties: [property],
      windows: [row, ...others],
      pick: { by: 'top', span, count: pagesLookedAt },
      named: [],
    })
    return mostMoved({ metric, change, scale: windows.scale, kind: 'page', rows: pages }, pagesTold)
  }

  return async (outcomes: readonly Outcome[]): Promise<Outcome[]> => {
    const drawn: Outcome[] = []
    for (const outcome of outcomes) {
      const { opened, same, adopted } = outcome
      drawn.push({
        ...outcome,
        opened: await draw(outcome, opened),
        same: await draw(outcome, same),
        adopted: await draw(outcome, adopted),
      })
    }
    return drawn
  }
}
