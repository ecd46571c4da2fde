import type { AlertReport } from '../../contract/alerts.ts'
import type { StoredContributor } from '../database/alert-tables.ts'
import type { FactsStore } from '../facts/store.ts'
import type { AlertRow } from './alerts-store.ts'
import { mostMoved } from './most-moved.ts'
import { fromStored } from './names.ts'

/** Parts looked at to tell what a change is made of, and how many of them are told. */
const looked = 200
const told = 5

/** What contributed to an alert: what was noted with it, or else the queries of its page or the pages of its query. */
export function createContributors(facts: FactsStore) {
  async function pairsBehind({ entityKind, entityName, propertyId, type, figures }: AlertRow): Promise<StoredContributor[]> {
    if ((entityKind !== 'page' && entityKind !== 'query') || !figures || figures.change === null) return []
    const { change, windows } = figures
    const of = { kind: entityKind, name: fromStored(entityName) }
    const rows = await facts.pairFigures({ property: propertyId, of, windows: [windows.current, windows.base], limit: looked })
    return mostMoved({ metric: type, change, scale: windows.scale, kind: entityKind === 'page' ? 'query' : 'page', rows }, told)
  }

  return async (row: AlertRow): Promise<AlertReport['contributors']> => {
    const noted = row.contributors.map((each) => ({ ...each, entity: { ...each.entity, name: fromStored(each.entity.name) } }))
    const parts = noted.length > 0 ? noted : await pairsBehind(row)
    return parts.map(({ entity, current, previous, change }) => ({ entity, currentValue: current, previousValue: previous, change }))
  }
}
