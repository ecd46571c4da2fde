import type { Condition } from '../../core/alerting/defaults.ts'
import type { Finding } from '../../core/alerting/evaluate.ts'
import type { Severity } from '../../core/alerting/severity.ts'
import type { StoredContributor, StoredFigures } from '../database/alert-tables.ts'
import type { Db } from '../database/open.ts'
import { toStored } from './names.ts'
import type { Evaluated } from './tasks.ts'

/** `severity` is that of the gravest part; `lead` null where it is not a part of anything. */
type Opened = { condition: Condition; finding: Finding; severity: Severity; lead: Lead | null }

type Told = { contributors: readonly StoredContributor[]; series: readonly number[] }

/** The alert that tells of a cause: one that is opened with this finding, or one that is there. */
export type Lead = Finding | { alertId: number }

/** What one evaluation of a property comes to. */
export type Outcome = {
  property: Evaluated
  opened: readonly (Told & Opened)[]
  /** Alerts that last, and what they were opened with: something else may have the same cause. */
  lasting: readonly { alertId: number; partOf: number | null; finding: Finding }[]
  /** Those of them that become parts of another one, and parts whose alert is gone: they stand alone again. */
  attached: readonly { alertId: number; lead: Lead }[]
  detached: readonly number[]
  same: readonly (Told & { alertId: number; finding: Finding })[]
  /** Those that hours opened and the final day confirmed, of which the days now say the same: they are theirs from here on. */
  adopted: readonly (Told & { alertId: number; finding: Finding })[]
  ended: readonly { alertId: number; reason: string }[]
  /** Rules that could not be judged, and those that could again. */
  broken: readonly { conditionId: number; problem: string; retryAt: Date }[]
  mended: readonly number[]
  /** Of each rule that was judged: findings that became no alert because there were too many, and how many those were before. */
  leftOut: readonly { conditionId: number; count: number; before: number }[]
}

type Inserted = { id: number; conditionId: number | null; entityName: string; partOf: number | null }

/** Those that lead first, for their parts to name them. */
export async function open(trx: Db, { property, opened }: Outcome, now: Date): Promise<Inserted[]> {
  const leads = await insert(
    trx,
    property,
    opened.filter(({ lead }) => lead === null),
    [],
    now,
  )
  return [
    ...leads,
    ...(await insert(
      trx,
      property,
      opened.filter(({ lead }) => lead !== null),
      leads,
      now,
    )),
  ]
}

/** Of an alert that was to be opened and was there already, the parts stand alone. */
function idOf(lead: Lead | null, inserted: readonly Inserted[]): number | null {
  if (lead === null) return null
  if ('alertId' in lead) return lead.alertId
  const name = toStored(lead.entity.name)
  return inserted.find(({ conditionId, entityName }) => conditionId === Number(lead.ruleId) && entityName === name)?.id ?? null
}

async function insert(trx: Db, property: Evaluated, opened: Outcome['opened'], leads: readonly Inserted[], now: Date): Promise<Inserted[]> {
  if (opened.length === 0) return []
  const rows = await trx
    .insertInto('alerts')
    .values(
      opened.map(({ condition, finding, severity, lead, ...told }) => ({
        propertyId: property.id,
        partOf: idOf(lead, leads),
        conditionId: Number(finding.ruleId),
        kind: condition.kind,
        type: condition.type,
        comparison: condition.comparison,
        entityKind: finding.entity.kind,
        entityName: toStored(finding.entity.name),
        state: 'firing' as const,
        opening: JSON.stringify(figuresOf(finding)),
        ...judgedBy({ ...finding, severity }, told),
        action: 'null',
        openedAt: now,
        judgedAt: now,
        judgedThrough: property.through,
      })),
    )
    // One that lasts already, opened by whomever: nothing is opened twice.
    .onConflict((oc) => oc.doNothing())
    .returning(['id', 'conditionId', 'entityName', 'partOf'])
    .execute()
  if (rows.length > 0) {
    const values = rows.map(({ id: alertId }) => ({
      alertId,
      fromState: null,
      toState: 'firing' as const,
      reason: 'condition_met',
      at: now,
    }))
    await trx.insertInto('alertEvents').values(values).execute()
  }
  return rows
}

/** Alerts that turn out to be parts of another one go there with their own parts. */
export async function regroup(trx: Db, { attached, detached }: Outcome, inserted: readonly Inserted[]): Promise<void> {
  for (const { alertId, lead } of attached) {
    const partOf = idOf(lead, inserted)
    if (partOf === null) continue
    await trx
      .updateTable('alerts')
      .set({ partOf })
      .where((eb) => eb.or([eb('id', '=', alertId), eb('partOf', '=', alertId)]))
      .execute()
  }
  if (detached.length > 0) await trx.updateTable('alerts').set({ partOf: null }).where('id', 'in', detached).execute()
}

export async function adopt(trx: Db, { property, adopted }: Outcome, now: Date): Promise<void> {
  for (const { alertId, finding, ...told } of adopted) {
    const row = await trx
      .updateTable('alerts')
      .set({ ...judgedBy(finding, told), opening: JSON.stringify(figuresOf(finding)), basis: 'days' })
      .set({ judgedAt: now, judgedThrough: property.through })
      .where('id', '=', alertId)
      .where('basis', '=', 'hours')
      .where('recoveredAt', 'is', null)
      .returning('state')
      .executeTakeFirst()
    if (!row) continue
    await trx
      .insertInto('alertEvents')
      .values({ alertId, fromState: row.state, toState: row.state, reason: 'week_agrees', at: now })
      .execute()
  }
}

/** Ends alerts that last; answers those that did and are told of: parts end silently. The rows are locked, so that the state they had is the one noted. */
export async function end(trx: Db, ended: readonly { alertId: number; reason: string; detail?: string }[], now: Date): Promise<number[]> {
  if (ended.length === 0) return []
  const reasons = new Map(ended.map(({ alertId, reason, detail = null }) => [alertId, { reason, detail }]))
  const rows = await trx
    .selectFrom('alerts')
    .where('id', 'in', [...reasons.keys()])
    .where('recoveredAt', 'is', null)
    .select(['id', 'state', 'partOf'])
    .orderBy('id')
    .forUpdate()
    .execute()
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  await trx.updateTable('alerts').set({ state: 'recovered', snoozedUntil: null, recoveredAt: now }).where('id', 'in', ids).execute()
  await trx
    .insertInto('alertEvents')
    .values(
      rows.map(({ id, state }) => ({
        alertId: id,
        fromState: state,
        toState: 'recovered',
        ...(reasons.get(id) ?? { reason: '' }),
        at: now,
      })),
    )
    .execute()
  return rows.flatMap(({ id, partOf }) => (partOf === null ? [id] : []))
}

const figuresOf = ({ previous, current, change, windows, months, interrupts }: Finding): StoredFigures => ({
  previous,
  current,
  change,
  windows,
  ...(months !== undefined && { months }),
  ...(interrupts !== undefined && { interrupts }),
})

export const judgedBy = (finding: Finding, { contributors, series }: Told) => ({
  severity: finding.severity,
  figures: JSON.stringify(figuresOf(finding)),
  contributors: JSON.stringify(
    contributors.map(({ entity, ...rest }) => ({ ...rest, entity: { ...entity, name: toStored(entity.name) } })),
  ),
  series: JSON.stringify(series),
})
