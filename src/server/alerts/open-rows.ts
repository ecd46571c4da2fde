import type { OpenAlert } from '../../core/alerting/lifecycle.ts'
import { type Earlier, keyOfCovered, type WideAlert } from '../../core/alerting/muting.ts'
import type { Lasting } from '../../core/alerting/same-thing.ts'
import { isOverAYear } from '../../core/alerting/windows.ts'
import type { OpenRow, PassedOfType } from './evaluation-store.ts'
import type { Outcome } from './outcome-writes.ts'

// What each of the rules of alerting needs to know about an open alert, as it is stored.

export function openAlertOf(row: OpenRow, isRuleChanged: boolean): OpenAlert[] {
  const { opening, figures, entityKind: kind, judgedThrough, state, conditionId } = row
  if (row.basis === 'hours' || !opening || !figures || judgedThrough === null || kind === 'connection' || state === 'recovered') return []
  const entity = { kind, name: row.entityName }
  const finding = { ruleId: String(conditionId), entity, metric: row.type, severity: row.severity, ...opening }
  return [
    {
      id: String(row.id),
      ruleId: String(conditionId),
      entity,
      state,
      finding,
      latest: figures,
      judgedThrough,
      isRuleChanged,
      ownEnd: row.ownEnd,
    },
  ]
}

/** What an alert of a whole site that ends now was about (evaluation-store.ts has those that ended before). */
export function passedOf(row: OpenRow | undefined): PassedOfType[] {
  if (row?.entityKind !== 'site' || row.basis !== 'days') return []
  const { type: metric, searchType, opening, figures, judgedThrough: end } = row
  const [first, last] = [opening?.change ?? null, figures?.change ?? null]
  if (!opening || first === null || last === null || end === null || isOverAYear(opening.windows)) return []
  return [{ metric, searchType, change: Math.abs(first) > Math.abs(last) ? first : last, start: opening.windows.current.start, end }]
}

/** What an open alert about the whole site covers, by its rule. */
export function wideOf({ conditionId, entityKind, opening, figures, covers }: OpenRow): [string, WideAlert][] {
  if (entityKind !== 'site' || !opening || !figures) return []
  const covered = new Map(covers.map(({ entity, change }) => [keyOfCovered(entity), change ?? 0]))
  const change = Math.max(...[opening, figures].map((each) => Math.abs(each.change ?? 0)))
  return [[String(conditionId), { since: opening.windows.current.end, change, covered }]]
}

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
