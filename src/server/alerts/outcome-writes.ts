import { type Selectable, sql } from 'kysely'
import type { IsoDate, SearchType } from '../../contract/common.ts'
import type { Condition } from '../../core/alerting/defaults.ts'
import { isSilentEnd, type Level, levelOf, levelSentence } from '../../core/alerting/ending.ts'
import type { Finding } from '../../core/alerting/evaluate.ts'
import type { RecoveryReason } from '../../core/alerting/lifecycle.ts'
import { severities, type Severity } from '../../core/alerting/severity.ts'
import type { AlertsTable, StoredEnd } from '../database/alert-tables.ts'
import type { Db } from '../database/open.ts'
import { toStored } from './names.ts'
import type { RuleScope } from './rules/scopes.ts'
import { evaluatedBy, type Evidence, figuresOf } from './incidents/stored-finding.ts'
import type { Evaluated } from './tasks.ts'

/** `severity` is that of the most severe part; `lead` is null unless it is a part of something; `alsoBy` are other rules that find it. */
type Opened = {
  condition: Condition
  finding: Finding
  severity: Severity
  lead: Lead | null
  alsoBy: readonly number[]
  /** The day it began, if known. */
  firstDay?: IsoDate
}

/** The alert about a cause: one opened with this finding, or an existing one. */
export type Lead = Finding | { alertId: number }

/** The outcome of one evaluation of a property. */
export type Outcome = {
  property: Evaluated
  /** By rule, unless it is about all of web search; `through` is the last evaluated day, which depends on the search type. */
  scopes: ReadonlyMap<string, RuleScope & { through: IsoDate }>
  opened: readonly (Evidence & Opened)[]
  /** Open alerts, and what they were opened with: something else may have the same cause, unless final data has yet to confirm it. */
  lasting: readonly { alertId: number; partOf: number | null; searchType: SearchType; finding: Finding; isPreliminary: boolean }[]
  /** Rules that by now find the same thing as another rule's open alert. */
  alsoBy: readonly { alertId: number; conditionIds: readonly number[] }[]
  /** Alerts that become parts of another one, and parts whose alert is gone, which become separate again. */
  attached: readonly { alertId: number; lead: Lead }[]
  detached: readonly number[]
  same: readonly (Evidence & { alertId: number; finding: Finding })[]
  /** Those opened by hours and confirmed by the final day, which the daily evaluation now finds as well: from here on they are its own. */
  adopted: readonly (Evidence & { alertId: number; finding: Finding })[]
  /** `level`: the figure that the metric settled at. `isReplaced`: a new alert about the same takes its place. */
  ended: readonly { alertId: number; reason: string; level?: number | null | Level; isReplaced?: boolean }[]
  /** Alerts whose own change is over while their parts last. */
  onlyParts: readonly { alertId: number; reason: RecoveryReason; level?: number | null | Level }[]
  /** Rules that couldn't be evaluated, and those that can be again. */
  broken: readonly { conditionId: number; problem: string; retryAt: Date }[]
  mended: readonly number[]
  /** For each evaluated rule: findings that didn't become alerts because there were too many, and their previous number. */
  leftOut: readonly { conditionId: number; count: number; before: number }[]
}

type Inserted = { id: number; conditionId: number | null; entityName: string; partOf: number | null }

/** Leads first, so that their parts can name them. */
export async function open(trx: Db, outcome: Outcome, now: Date): Promise<Inserted[]> {
  const { opened } = outcome
  const leads = await insert(
    trx,
    outcome,
    opened.filter(({ lead }) => lead === null),
    [],
    now,
  )
  return [
    ...leads,
    ...(await insert(
      trx,
      outcome,
      opened.filter(({ lead }) => lead !== null),
      leads,
      now,
    )),
  ]
}

/** If an alert to be opened existed already, its parts stay separate. */
function idOf(lead: Lead | null, inserted: readonly Inserted[]): number | null {
  if (lead === null) return null
  if ('alertId' in lead) return lead.alertId
  const name = toStored(lead.entity.name)
  return inserted.find(({ conditionId, entityName }) => conditionId === Number(lead.ruleId) && entityName === name)?.id ?? null
}

async function insert(trx: Db, outcome: Outcome, opened: Outcome['opened'], leads: readonly Inserted[], now: Date): Promise<Inserted[]> {
  if (opened.length === 0) return []
  const rows = await trx
    .insertInto('alerts')
    .values(
      opened.map(({ condition, finding, severity, lead, alsoBy: _alsoBy, firstDay, ...evidence }) => ({
        propertyId: outcome.property.id,
        partOf: idOf(lead, leads),
        conditionId: Number(finding.ruleId),
        kind: condition.kind,
        type: condition.type,
        comparison: condition.comparison,
        entityKind: finding.entity.kind,
        entityName: toStored(finding.entity.name),
        searchType: condition.searchType,
        segment: storedSegment(outcome.scopes.get(finding.ruleId)),
        state: 'firing' as const,
        opening: JSON.stringify({ ...figuresOf(finding), ...(firstDay !== undefined && { firstDay }) }),
        ...evaluatedBy({ ...finding, severity, ...(isRaised(severity, finding) && { interrupts: false }) }, evidence),
        action: 'null',
        openedAt: now,
        judgedAt: now,
        judgedThrough: throughOf(outcome, finding),
      })),
    )
    // An open one exists already, whoever opened it: nothing is opened twice.
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

/** Notes which other rules find what alerts are about. */
export async function noteFinders(trx: Db, { opened, alsoBy }: Outcome, inserted: readonly Inserted[]): Promise<void> {
  const placeOf = (conditionId: number | null, name: string) => JSON.stringify([conditionId, name])
  const ids = new Map(inserted.map(({ id, conditionId, entityName }) => [placeOf(conditionId, entityName), id]))
  const found = [
    ...alsoBy.flatMap(({ alertId, conditionIds }) => conditionIds.map((conditionId) => ({ alertId, conditionId }))),
    ...opened.flatMap(({ finding, alsoBy: others }) => {
      const alertId = ids.get(placeOf(Number(finding.ruleId), toStored(finding.entity.name)))
      return alertId === undefined ? [] : others.map((conditionId) => ({ alertId, conditionId }))
    }),
  ]
  if (found.length === 0) return
  await sql`INSERT INTO alert_finders (alert_id, condition_id)
    SELECT * FROM unnest(${found.map(({ alertId }) => alertId)}::bigint[], ${found.map(({ conditionId }) => conditionId)}::bigint[])
    ON CONFLICT DO NOTHING`.execute(trx)
}

/** Detaches parts whose alert is gone, then moves alerts that turn out to be parts of another one there, with their own parts. */
export async function regroup(trx: Db, { attached, detached }: Outcome, inserted: readonly Inserted[]): Promise<void> {
  if (detached.length > 0) await trx.updateTable('alerts').set({ partOf: null }).where('id', 'in', detached).execute()
  for (const { alertId, lead } of attached) {
    const partOf = idOf(lead, inserted)
    if (partOf === null) continue
    await trx
      .updateTable('alerts')
      .set({ partOf })
      .where((eb) => eb.or([eb('id', '=', alertId), eb('partOf', '=', alertId)]))
      .execute()
  }
}

/** Whether an alert is critical because of a part: then only a part can be worth waking somebody for. */
const isRaised = (severity: Severity, finding: Finding): boolean => severity === 'critical' && finding.severity !== 'critical'

/** An alert is as severe as its most severe part: those that joined it, or got worse, may make it worse, never milder. */
export async function raise(trx: Db, { attached, same }: Outcome, inserted: readonly Inserted[]): Promise<void> {
  const evaluated = [...attached, ...same].map(({ alertId }) => alertId)
  const joined = [...evaluated, ...inserted.flatMap(({ id, partOf }) => (partOf === null ? [] : [id]))]
  if (joined.length === 0) return
  const rank = (severity: string) => sql`array_position(${[...severities]}::text[], ${sql.ref(severity)})`
  await sql`UPDATE alerts SET severity = (${[...severities]}::text[])[worst.rank],
      figures = CASE WHEN worst.rank = array_position(${[...severities]}::text[], 'critical') THEN figures || '{"interrupts": false}' ELSE figures END
    FROM (SELECT part_of, min(${rank('severity')}) AS rank FROM alerts WHERE id = any(${joined}) AND part_of IS NOT NULL GROUP BY part_of) AS worst
    WHERE alerts.id = worst.part_of AND worst.rank < ${rank('alerts.severity')}`.execute(trx)
}

export async function adopt(trx: Db, outcome: Outcome, now: Date): Promise<void> {
  for (const { alertId, finding, ...evidence } of outcome.adopted) {
    const row = await trx
      .updateTable('alerts')
      .set({ ...evaluatedBy(finding, evidence), opening: JSON.stringify(figuresOf(finding)), basis: 'days' })
      .set({ judgedAt: now, judgedThrough: throughOf(outcome, finding) })
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

/**
 * Ends open alerts; returns those that did and need a message: parts end silently, and so do alerts that end for a reason other than
 * their metric. The rows are locked, so that their previous state is the one recorded.
 */
export async function end(trx: Db, ended: readonly Ended[], now: Date): Promise<number[]> {
  const announced: number[] = []
  for (let at = 0; at < ended.length; at += endedAtOnce) announced.push(...(await endSome(trx, ended.slice(at, at + endedAtOnce), now)))
  return announced
}

type Ended = { alertId: number; reason: string; detail?: string; level?: number | null | Level }

/** Rows of one statement: PostgreSQL takes 65,535 parameters, and one row has six. */
const endedAtOnce = 5_000

async function endSome(trx: Db, ended: readonly Ended[], now: Date): Promise<number[]> {
  const ends = new Map(ended.map((each) => [each.alertId, each]))
  const rows = await trx
    .selectFrom('alerts')
    .where('id', 'in', [...ends.keys()])
    .where('recoveredAt', 'is', null)
    .select(['id', 'state', 'partOf', 'type', 'opening', 'figures'])
    .orderBy('id')
    .forUpdate()
    .execute()
  if (rows.length === 0) return []
  const over = rows.map(({ id, state, partOf, ...row }) => {
    const { reason = '', detail, level } = ends.get(id) ?? {}
    const settled = settledAt(row, reason, level)
    const text = detail ?? (settled && levelSentence(row.type, settled)) ?? null
    return { id, state, partOf, reason, detail: text, ended: { reason, ...(settled && { level: settled }) } satisfies StoredEnd }
  })
  await sql`UPDATE alerts SET state = 'recovered', snoozed_until = NULL, recovered_at = ${now}, ended = those.ended::jsonb
    FROM unnest(${over.map(({ id }) => id)}::bigint[], ${over.map((each) => JSON.stringify(each.ended))}::text[]) AS those (id, ended)
    WHERE alerts.id = those.id`.execute(trx)
  await trx
    .insertInto('alertEvents')
    .values(
      over.map(({ id: alertId, state: fromState, reason, detail }) => ({
        alertId,
        fromState,
        toState: 'recovered',
        reason,
        detail,
        at: now,
      })),
    )
    .execute()
  return over.flatMap(({ id, partOf, reason }) => (partOf === null && !isSilentEnd(reason) ? [id] : []))
}

/** The level that an alert settled at, or had settled at before its parts were over; undefined if it ends otherwise. */
export const settledAt = (
  { type, opening, figures }: Pick<Selectable<AlertsTable>, 'type' | 'opening' | 'figures'>,
  reason: string,
  level: number | null | Level | undefined,
): Level | undefined =>
  reason === 'new_level' && opening && figures ? levelOf(type, opening, figures, level === undefined ? figures.settled : level) : undefined

const storedSegment = (scope: RuleScope | undefined): string | null => (scope?.segment ? JSON.stringify(scope.segment) : null)

/** The last day that the rule behind a finding was evaluated on. */
export const throughOf = ({ property, scopes }: Outcome, { ruleId }: Finding): IsoDate => scopes.get(ruleId)?.through ?? property.through

/**
 * Splits alerts to end into those whose rule was changed or that a new one replaces, and all others; parts that become separate first are
 * among the others.
 */
export function splitReplaced({ ended, detached }: Outcome): [replaced: Outcome['ended'], others: Outcome['ended']] {
  const { true: replaced = [], false: others = [] } = Object.groupBy(
    ended,
    ({ alertId, reason, isReplaced = false }) => `${isReplaced || (reason === 'rule_changed' && !detached.includes(alertId))}` as const,
  )
  return [replaced, others]
}
