import { signOf } from '../../../core/alerting/figures.ts'
import type { AlertReport } from '../../../contract/alerts/alerts.ts'
import type { StoredContributor } from '../../database/alert-tables.ts'
import type { FactsStore } from '../../facts/store.ts'
import type { AlertRow } from '../incidents/alerts-store.ts'
import { cameOrWent, mostMoved } from './most-moved.ts'
import { fromStored } from '../names.ts'
import { pairsOf, type RuleScopes } from '../rules/scopes.ts'
import { pairFigures } from '../../facts/questions/pair-figures.ts'

/** How many parts are looked at to break down a change, and how many of them are kept. */
const looked = 200
const mostContributors = 5

/** An alert's contributors: those stored with it, else the queries of its page or the pages of its query. */
export function createContributors(facts: FactsStore, scopes: Pick<RuleScopes, 'ofAlert'>) {
  async function pairsBehind(row: AlertRow): Promise<StoredContributor[]> {
    const { entityKind, entityName, propertyId, type, figures } = row
    if ((entityKind !== 'page' && entityKind !== 'query') || !figures) return []
    const { windows } = figures
    const of = { kind: entityKind, name: fromStored(entityName) }
    const rows = await facts.ask(pairFigures, {
      property: propertyId,
      of,
      windows: [windows.current, windows.base],
      limit: looked,
      within: pairsOf(await scopes.ofAlert(row)),
    })
    const parts = { metric: type, scale: windows.scale, kind: entityKind === 'page' ? ('query' as const) : ('page' as const), rows }
    return figures.current === null || figures.previous === null
      ? cameOrWent({ ...parts, ...figures }, mostContributors)
      : mostMoved({ ...parts, change: signOf(figures) }, mostContributors)
  }

  return async (row: AlertRow): Promise<AlertReport['contributors']> => {
    const noted = row.contributors.map((each) => ({ ...each, entity: { ...each.entity, name: fromStored(each.entity.name) } }))
    const parts = noted.length > 0 ? inOrder(row, noted) : await pairsBehind(row)
    return parts.map(({ entity, current, previous, change }) => ({ entity, currentValue: current, previousValue: previous, change }))
  }
}

export type Contributors = ReturnType<typeof createContributors>

/** Largest contribution first: a tenth of many is more than half of a few. */
function inOrder({ type }: AlertRow, parts: readonly StoredContributor[]): readonly StoredContributor[] {
  if (type !== 'clicks' && type !== 'impressions') return parts
  const moved = ({ current, previous }: StoredContributor): number => Math.abs((current ?? 0) - (previous ?? 0))
  return parts.toSorted((a, b) => moved(b) - moved(a))
}
