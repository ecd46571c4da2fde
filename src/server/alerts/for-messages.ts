import { sql } from 'kysely'
import { type Alert, otherFindings, type Severity } from '../../contract/alerts/alerts.ts'
import type { Coincidence } from '../../contract/alerts/change-breakdown.ts'
import type { Db } from '../database/open.ts'
import { type AlertRow, type ListedAlert, listedColumns, partsOfAlert } from './incidents/alerts-store.ts'
import { viewOf, wordsOf } from './alert-view.ts'
import type { Explain } from './why/explanations.ts'
import { fromStored } from './names.ts'
import type { Sentence } from '../../core/alerting/copy.ts'

/** An alert as messages show it. */
export type MessageAlert = Pick<
  Alert,
  | 'title'
  | 'state'
  | 'type'
  | 'entity'
  | 'searchType'
  | 'currentValue'
  | 'previousValue'
  | 'change'
  | 'current'
  | 'previous'
  | 'hours'
  | 'ended'
  | 'unusual'
  | 'expected'
  | 'firstDay'
  | 'moreFindings'
  | 'action'
> & {
  /** Other ones with the same cause; absent without any. */
  findings?: Alert['findings']
  /** Titles of the rules that found it, its own first; absent if it is just one. */
  rules?: string[]
  alertId: string
  propertyId: number
  property: string
  severity: Severity
  /** In pieces, so that each channel can mark the names its own way. */
  sentence: Sentence
  openedAt: string
  contributors: { name: string; currentValue: number | null; previousValue: number | null; change: number | null }[]
  series: number[]
}

/** Maximum number of contributors of an alert in a message. */
const mostContributors = 20

/** Largest contribution first, as in the report (why/contributors.ts); for CTR and positions, in the order they are stored in. */
const topContributors = sql<AlertRow['contributors']>`(SELECT coalesce(jsonb_agg(part ORDER BY place), '[]') FROM (
  SELECT part, row_number() OVER (ORDER BY CASE WHEN alerts.type IN ('clicks', 'impressions')
    THEN -abs(coalesce((part->>'current')::float8, 0) - coalesce((part->>'previous')::float8, 0)) END, stored) AS place
  FROM jsonb_array_elements(alerts.contributors) WITH ORDINALITY AS parts (part, stored) ORDER BY place LIMIT ${sql.lit(mostContributors)}
) AS top)`.as('contributors')

/** Maximum number of rules of an alert in a message. */
const mostRules = 5

const rulesOfAlert = sql<string[]>`(SELECT coalesce(jsonb_agg(title ORDER BY place), '[]') FROM (
  SELECT title, row_number() OVER (ORDER BY id <> alerts.condition_id, id) AS place FROM alert_conditions
  WHERE id = alerts.condition_id OR id IN (SELECT condition_id FROM alert_finders WHERE alert_id = alerts.id)
  ORDER BY place LIMIT ${sql.lit(mostRules)}) AS rules)`.as('rules')

type MessageRow = ListedAlert & Pick<AlertRow, 'contributors'> & { rules: string[] }

/**
 * Alerts by id, whoever owns them, for messages to their owners. Excludes the columns that only a report shows, and contributors beyond
 * those in a message: an alert's size in memory is limited in characters (docs/decisions/0070).
 */
export async function messageAlerts(db: Db, ids: readonly string[]): Promise<MessageAlert[]> {
  const rows: MessageRow[] = await alertsBy(db, ids)
    .select(listedColumns)
    .select(['properties.name as property', partsOfAlert.as('parts')])
    .select([topContributors, rulesOfAlert])
    .execute()
  return rows.map(messageAlertOf)
}

/** What is behind an alert: a sentence on its main cause, its contributors, and what else happened on those days. */
export type MessageExplanation = { why: Sentence | null; coincidences: Coincidence[]; contributors: MessageAlert['contributors'] }

/** The explanation of each alert, from the facts; one at a time, as nobody waits for it. Messages may go to anyone: no private notes. */
export async function messageExplanations(db: Db, explain: Explain, ids: readonly string[]): Promise<Map<string, MessageExplanation>> {
  const explanations = new Map<string, MessageExplanation>()
  const rows = await alertsBy(db, ids).selectAll('alerts').select('properties.name as property').execute()
  for (const row of rows) {
    const { why, coincidences, contributors } = await explain(row, 'others')
    explanations.set(String(row.id), {
      why,
      coincidences,
      contributors: contributors.slice(0, mostContributors).map(({ entity, ...figures }) => ({ name: entity.name, ...figures })),
    })
  }
  return explanations
}

const alertsBy = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('alerts')
    .innerJoin('properties', 'properties.id', 'alerts.propertyId')
    .where(sql<boolean>`alerts.id = any(${ids.map(Number)})`)
    .orderBy('alerts.id')

export async function countOpen(db: Db, propertyIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('alerts')
    .where(sql<boolean>`property_id = any(${[...propertyIds]})`)
    .where('recoveredAt', 'is', null)
    .where('partOf', 'is', null)
    .groupBy('propertyId')
    .select(['propertyId', sql<number>`count(*)::integer`.as('count')])
    .execute()
  return new Map(rows.map(({ propertyId, count }) => [propertyId, count]))
}

function messageAlertOf(row: MessageRow): MessageAlert {
  const {
    id,
    title,
    state,
    type,
    entity,
    searchType,
    currentValue,
    previousValue,
    change,
    current,
    previous,
    hours,
    ended,
    unusual,
    expected,
    firstDay,
    moreFindings,
    action,
    timestamp,
    target,
    ...view
  } = viewOf(row)
  const findings = otherFindings({ id, ...view })
  return {
    alertId: id,
    propertyId: row.propertyId,
    property: target,
    severity: row.severity,
    title,
    state,
    type,
    sentence: wordsOf(row).sentence,
    entity,
    ...(searchType && { searchType }),
    currentValue,
    previousValue,
    change,
    current,
    previous,
    ...(hours && { hours }),
    ...(ended && { ended }),
    ...(unusual && { unusual }),
    ...(expected && { expected }),
    ...(firstDay !== undefined && { firstDay }),
    ...(findings.length > 0 && { findings }),
    ...(moreFindings && { moreFindings }),
    ...(row.rules.length > 1 && { rules: row.rules }),
    action,
    openedAt: timestamp,
    contributors: row.contributors.map((each) => ({
      name: fromStored(each.entity.name),
      currentValue: each.current,
      previousValue: each.previous,
      change: each.change,
    })),
    series: [...row.series],
  }
}
