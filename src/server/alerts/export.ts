import type { Db } from '../database/open.ts'
import { viewOf } from './alert-view.ts'
import { conditionOf } from './rules/conditions.ts'

/** Every rule and alert of a person, including those of disconnected Google accounts. */
export async function exportedAlerts(db: Db, userId: string) {
  const rules = await db
    .selectFrom('alertConditions')
    .innerJoin('properties', 'properties.id', 'alertConditions.propertyId')
    .where('properties.userId', '=', userId)
    .selectAll('alertConditions')
    .select('properties.name as property')
    .orderBy('alertConditions.id')
    .execute()
  const alerts = await db
    .selectFrom('alerts')
    .innerJoin('properties', 'properties.id', 'alerts.propertyId')
    .where('properties.userId', '=', userId)
    .selectAll('alerts')
    .select('properties.name as property')
    .orderBy('alerts.id')
    .execute()
  return {
    rules: rules.map((row) => ({ property: row.property, ...conditionOf(row), createdAt: row.createdAt })),
    alerts: alerts.map((row) => ({ ...viewOf(row), recoveredAt: row.recoveredAt, verdictAt: row.verdictAt })),
  }
}
