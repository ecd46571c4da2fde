import type { Selectable } from 'kysely'
import type { IsoDate, SearchType } from '../../contract/common.ts'
import { addDays } from '../../core/analytics/days.ts'
import type { Finding } from '../../core/alerting/evaluate.ts'
import type { OpenAlert, RecoveryReason } from '../../core/alerting/lifecycle.ts'
import { type Earlier, type Covered, coveredSoFar, keyOfCovered, type Passed, type WideAlert } from '../../core/alerting/muting.ts'
import type { RuleVerdicts } from '../../core/alerting/run.ts'
import type { Lasting } from '../../core/alerting/same-thing.ts'
import { isOverAYear } from '../../core/alerting/windows.ts'
import type { AlertsTable, StoredContributor } from '../database/alert-tables.ts'
import type { Outcome } from './outcome-writes.ts'

/** What evaluation needs to know about an open alert. */
export type OpenRow = Selectable<
  Pick<
    AlertsTable,
    'id' | 'propertyId' | 'conditionId' | 'entityKind' | 'entityName' | 'type' | 'searchType' | 'state' | 'basis' | 'partOf'
  >
> &
  Selectable<Pick<AlertsTable, 'opening' | 'figures' | 'covered' | 'judgedAt' | 'judgedThrough' | 'severity' | 'hours' | 'segment'>> & {
    /** Other rules that found the same, of those that are on. */
    alsoBy: readonly number[]
    /** Why its own change is over, if only its parts last. */
    ownEnd: RecoveryReason | null
  }

/** A site-wide change in one search type that is over. */
export type PassedOfType = Passed & { searchType: SearchType }

// What each of the rules of alerting needs to know about an open alert, as it is stored.

export function openAlertOf(row: OpenRow, isChanged: Pick<OpenAlert, 'isRuleChanged' | 'isOtherChanged'>): OpenAlert[] {
  const { opening, figures, entityKind: kind, judgedThrough, state, conditionId } = row
  if (row.basis === 'hours' || !opening || !figures || judgedThrough === null || kind === 'connection' || state === 'recovered') return []
  const entity = { kind, name: row.entityName }
  const finding = { ruleId: String(conditionId), entity, metric: row.type, severity: row.severity, ...opening }
  return [
    {
      id: String(row.id),
      ruleId: String(conditionId),
      entity,
      searchType: row.searchType,
      state,
      finding,
      latest: figures,
      evaluatedThrough: judgedThrough,
      ...isChanged,
      ownEnd: row.ownEnd,
    },
  ]
}

/** Whether an alert was last found by a rule of another kind than its own. */
export const isFoundByAnotherKind = ({ opening, figures }: OpenRow): boolean =>
  (opening?.months === undefined) !== (figures?.months === undefined)

/** For how many days an alert waits for another rule that found it and now can't be evaluated. */
const patienceDays = 3

export const isWaitedFor = ({ judgedThrough }: OpenRow, through: IsoDate): boolean =>
  judgedThrough !== null && through <= addDays(judgedThrough, patienceDays)

/** An alert about a whole site that has ended, or does so now. */
type Ended = Pick<OpenRow, 'entityKind' | 'basis' | 'type' | 'searchType' | 'opening' | 'figures' | 'covered' | 'judgedThrough'>

/** The change that an alert about a whole site was about. One compared with last year isn't about those days. */
export function passedOf(row: Ended | undefined, reason: RecoveryReason): PassedOfType[] {
  if (row?.entityKind !== 'site' || row.basis !== 'days' || (reason !== 'back' && reason !== 'new_level')) return []
  const { type: metric, searchType, opening, judgedThrough: end } = row
  const change = largestOf(changesOf(row))
  if (!opening || change === null || end === null || isOverAYear(opening.windows)) return []
  return [
    {
      metric,
      searchType,
      change,
      start: opening.windows.current.start,
      since: opening.windows.current.end,
      end,
      isBack: reason === 'back',
      covered: new Set(row.covered.map(({ entity }) => keyOfCovered(entity))),
    },
  ]
}

/** What open alerts about a whole site cover is still explained by them on an evening that decides nothing about them. */
export function undecidedOf(open: readonly OpenRow[], runs: readonly RuleVerdicts[]): PassedOfType[] {
  const decided = new Map(
    runs.flatMap((run) => ('verdicts' in run ? [[Number(run.ruleId), new Set(run.verdicts.map(({ entity }) => entity.name))]] : [])),
  )
  return open
    .filter(({ conditionId, entityName }) => decided.get(conditionId ?? 0)?.has(entityName) === false)
    .flatMap((row) => passedOf(row, 'new_level'))
}

/** The changes that are known of an alert: its first, its last, and its largest in between. */
export const changesOf = ({ opening, figures }: Pick<OpenRow, 'opening' | 'figures'>): readonly (number | null | undefined)[] => [
  opening?.change,
  figures?.change,
  figures?.largest,
]

/** Of these, the largest one; null if none has a size. */
export const largestOf = (changes: readonly (number | null | undefined)[]): number | null =>
  changes.reduce<number | null>((most, change) => (Math.abs(change ?? 0) > Math.abs(most ?? 0) ? (change ?? null) : most), null)

/** What an open alert about the whole site covers, by its rule. */
export function wideOf({ conditionId, entityKind, opening, figures, covered: parts }: OpenRow): [string, WideAlert][] {
  if (entityKind !== 'site' || !opening || !figures) return []
  const covered = new Map(parts.map(({ entity, change }) => [keyOfCovered(entity), change ?? 0]))
  const change = Math.abs(largestOf(changesOf({ opening, figures })) ?? 0)
  return [[String(conditionId), { since: opening.windows.current.end, change, covered }]]
}

/** What an alert covers from now on: only findings of a whole site cover others. */
export const coverageOf = (
  finding: Finding,
  before: readonly Covered[],
  parts: readonly StoredContributor[],
  through: IsoDate,
): readonly Covered[] => (finding.entity.kind === 'site' ? coveredSoFar(before, parts, through) : [])

/** An open alert that a rule found, as its first finder or as another one. */
export function earlierOf({ conditionId, alsoBy, entityName: name, opening, basis }: OpenRow, ruleId: string): Earlier[] {
  const isItsOwn = [conditionId, ...alsoBy].some((id) => String(id) === ruleId)
  return isItsOwn && opening && basis === 'days' ? [{ ruleId, name, opening, end: null }] : []
}

export function lastingOf({ conditionId, entityKind, entityName, type, figures, state }: OpenRow): Lasting[] {
  if (entityKind === 'connection' || !figures || state === 'recovered') return []
  const { change, windows } = figures
  return [{ ruleId: String(conditionId), entity: { kind: entityKind, name: entityName }, metric: type, change, windows }]
}

export function openingOf({ id, partOf, searchType, opening, basis, hours, ...row }: OpenRow): Outcome['lasting'] {
  const { conditionId, entityKind: kind, entityName: name, type: metric, severity } = row
  if (kind === 'connection' || !opening) return []
  const finding = { ruleId: String(conditionId), entity: { kind, name }, metric, severity, ...opening }
  return [{ alertId: id, partOf, searchType, finding, isPreliminary: basis === 'hours' && hours?.status === 'preliminary' }]
}
