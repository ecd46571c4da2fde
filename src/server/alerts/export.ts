import { type ExportFile, jsonArray } from '../common/export-file.ts'
import type { Db } from '../database/open.ts'
import { viewOf } from './alert-view.ts'
import { partsOfAlert } from './incidents/alerts-store.ts'
import { conditionOf } from './rules/conditions.ts'
import { segmentName } from './rules/conditions-store.ts'

/** Alerts read at once, and rules, whose names may be longer: up to 50,000 characters each. */
const atOnce = 100
const rulesAtOnce = 20

/**
 * alerts.json: every rule and alert of a person, including those of disconnected Google accounts. A finding that is part of another alert is
 * in it twice: by itself, naming that alert, and among that alert's findings.
 */
export const alertsFile = (db: Db, userId: string): ExportFile => ({
  name: 'alerts.json',
  about: 'Your alert rules and their alerts.',
  content: pieces(db, userId),
})

async function* pieces(db: Db, userId: string): AsyncGenerator<string> {
  yield '{"rules": '
  yield* jsonArray(
    (id) =>
      db
        .selectFrom('alertConditions')
        .innerJoin('properties', 'properties.id', 'alertConditions.propertyId')
        .where('properties.userId', '=', userId)
        .where('alertConditions.id', '>', id)
        .selectAll('alertConditions')
        .select(['properties.name as property', segmentName])
        .orderBy('alertConditions.id')
        .limit(rulesAtOnce)
        .execute(),
    (row) => ({ property: row.property, ...conditionOf(row), segment: row.segmentName, createdAt: row.createdAt }),
  )
  yield ',\n"alerts": '
  yield* jsonArray(
    (id) =>
      db
        .selectFrom('alerts')
        .innerJoin('properties', 'properties.id', 'alerts.propertyId')
        .where('properties.userId', '=', userId)
        .where('alerts.id', '>', id)
        .selectAll('alerts')
        .select(['properties.name as property', partsOfAlert.as('parts')])
        .orderBy('alerts.id')
        .limit(atOnce)
        .execute(),
    (row) => ({
      ...viewOf(row),
      partOf: row.partOf === null ? null : String(row.partOf),
      recoveredAt: row.recoveredAt,
      verdictAt: row.verdictAt,
    }),
  )
  yield '}\n'
}
