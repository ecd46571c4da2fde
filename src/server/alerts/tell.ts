import { sql } from 'kysely'
import type { Alert, Severity } from '../../contract/alerts/alerts.ts'
import type { Coincidence } from '../../contract/alerts/change-breakdown.ts'
import type { Db } from '../database/open.ts'
import { type AlertRow, partsOfAlert } from './incidents/alerts-store.ts'
import { viewOf, wordsOf } from './alert-view.ts'
import type { Explain } from './why/explanations.ts'
import { fromStored } from './names.ts'
import type { Sentence } from '../../core/alerting/words.ts'

/** An alert as messages tell it. */
export type AlertTold = Pick<
  Alert,
  | 'title'
  | 'state'
  | 'type'
  | 'entity'
  | 'currentValue'
  | 'previousValue'
  | 'change'
  | 'current'
  | 'previous'
  | 'hours'
  | 'unusual'
  | 'findings'
  | 'moreFindings'
  | 'action'
> & {
  alertId: string
  propertyId: number
  property: string
  severity: Severity
  /** Whether it, or what it is made of, is critical and to be woken for. */
  interrupts: boolean
  /** In pieces, so that each channel can mark the names its own way. */
  sentence: Sentence
  openedAt: string
  contributors: { name: string; currentValue: number | null; previousValue: number | null; change: number | null }[]
  series: number[]
}

/** Alerts by their ids, whosever they are: for what tells their owners. */
export const tellAlerts = async (db: Db, ids: readonly string[]): Promise<AlertTold[]> => (await load(db, ids)).map(toldOf)

/** What is behind an alert: the sentence of what it is mostly made of, what contributed to it, and what else happened on those days. */
export type ExplanationTold = { why: Sentence | null; coincidences: Coincidence[]; contributors: AlertTold['contributors'] }

/** The same of each, asked of the facts; one at a time, as nobody waits for it. Messages may go to anyone: private notes are not in it. */
export async function tellExplanations(db: Db, explain: Explain, ids: readonly string[]): Promise<Map<string, ExplanationTold>> {
  const told = new Map<string, ExplanationTold>()
  for (const row of await load(db, ids)) {
    const { why, coincidences, contributors } = await explain(row, 'others')
    told.set(String(row.id), {
      why,
      coincidences,
      contributors: contributors.map(({ entity, ...figures }) => ({ name: entity.name, ...figures })),
    })
  }
  return told
}

async function load(db: Db, ids: readonly string[]): Promise<AlertRow[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('alerts')
    .innerJoin('properties', 'properties.id', 'alerts.propertyId')
    .where(sql<boolean>`alerts.id = any(${ids.map(Number)})`)
    .selectAll('alerts')
    .select(['properties.name as property', partsOfAlert.as('parts')])
    .orderBy('alerts.id')
    .execute()
}

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

function toldOf(row: AlertRow): AlertTold {
  const {
    id,
    title,
    state,
    type,
    entity,
    currentValue,
    previousValue,
    change,
    current,
    previous,
    hours,
    unusual,
    findings,
    moreFindings,
    action,
    timestamp,
    target,
  } = viewOf(row)
  return {
    alertId: id,
    propertyId: row.propertyId,
    property: target,
    severity: row.severity,
    interrupts: row.severity === 'critical' && [row, ...(row.parts?.told ?? [])].some(isToWakeFor),
    title,
    state,
    type,
    sentence: wordsOf(row).sentence,
    entity,
    currentValue,
    previousValue,
    change,
    current,
    previous,
    ...(hours && { hours }),
    ...(unusual && { unusual }),
    ...(findings && { findings }),
    ...(moreFindings && { moreFindings }),
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

/** An alert has the severity of its gravest part; of its own figures only a critical one says whether it is to be woken for. */
const isToWakeFor = ({ severity, figures }: Pick<AlertRow, 'severity' | 'figures'>): boolean =>
  severity === 'critical' && figures?.interrupts !== false
