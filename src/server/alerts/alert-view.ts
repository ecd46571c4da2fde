import type { Alert, AlertEnd, AlertFinding, Severity } from '../../contract/alerts/alerts.ts'
import type { PeriodAlert } from '../../contract/reports/periodic.ts'
import {
  type AlertFacts,
  escapeMarkup,
  type HourlyFacts,
  hourlySentenceOf,
  hourlyTitleOf,
  markupOf,
  type Sentence,
  sentenceOf,
  titleOf,
} from '../../core/alerting/copy.ts'
import { endingOf } from '../../core/alerting/ending.ts'
import type { StoredEnd } from '../database/alert-tables.ts'
import type { AlertRow, ListedAlert, PartRow } from './incidents/alerts-store.ts'
import { fromStored, toStored } from './names.ts'
import { isHourlyMetric } from '../../core/alerting/hours/hourly.ts'

const connectionTitles: Record<string, string> = {
  token_revoked: 'Google access was revoked',
  scope_missing: 'Google access is missing a permission',
  api_disabled: 'The Search Console API is disabled',
  permission_missing: 'No permission to read this property',
  property_form: 'The property has a different address',
  data_late: 'Data is late',
}

/** An alert in words, for screens and messages alike: `sentence` in pieces, `markup` with allow-listed markup only. */
export type AlertWords = { title: string; sentence: Sentence; markup: string }

export function wordsOf(row: ListedAlert): AlertWords {
  const byHours = hourlyFactsOf(row)
  if (byHours) {
    const sentence = hourlySentenceOf(byHours)
    return { title: hourlyTitleOf(byHours), sentence: [sentence], markup: escapeMarkup(sentence) }
  }
  const facts = factsOf(row)
  if (!facts) {
    const message = row.message ?? ''
    return {
      title: connectionTitles[row.entityName] ?? 'The Google connection needs attention',
      sentence: [message],
      markup: escapeMarkup(message),
    }
  }
  const sentence: Sentence = sentenceOf(facts)
  return { title: titleOf(facts), sentence, markup: markupOf(sentence) }
}

function factsOf({ kind, type, entityKind, entityName, searchType, segment, figures }: ListedAlert): AlertFacts | null {
  if (kind === null || entityKind === 'connection' || figures === null) return null
  const entity = { kind: entityKind, name: fromStored(entityName) }
  return { kind, metric: type, entity, searchType, segment: segment?.name, ...figures }
}

/** Null for an alert evaluated by days, whatever opened it. */
function hourlyFactsOf({ basis, type, figures, hours }: ListedAlert): HourlyFacts | null {
  if (basis !== 'hours' || hours === null || figures === null || !isHourlyMetric(type)) return null
  return { metric: type, current: figures.current, previous: figures.previous, change: figures.change, hours, final: hours.final }
}

function hoursOf({ hours }: ListedAlert): Pick<Alert, 'hours'> {
  if (hours === null) return {}
  const { day, through, weeks, status } = hours
  return { hours: { day, through, weeks, status } }
}

type Over = { recoveredAt: Date | string | null; ended: StoredEnd | null; severity: Severity; hours?: ListedAlert['hours'] }

function endOf({ recoveredAt, ended, severity, hours }: Over): { ended?: AlertEnd } {
  if (recoveredAt === null) return {}
  const { reason = null, level } = ended ?? {}
  const as = endingOf({ reason, level, severity, isWithdrawn: hours?.status === 'withdrawn' })
  return { ended: { as, at: new Date(recoveredAt).toISOString(), reason, ...(level && { level }) } }
}

function findingOf({
  id,
  kind,
  type,
  entityKind,
  entityName,
  searchType,
  segment,
  severity,
  state,
  figures,
  ...over
}: PartRow): AlertFinding[] {
  if (kind === null || entityKind === 'connection' || figures === null) return []
  const entity = { kind: entityKind, name: fromStored(entityName) }
  const { current, previous, change } = figures
  const title = titleOf({ kind, metric: type, entity, searchType, segment: segment?.name, ...figures })
  return [
    {
      id: String(id),
      severity,
      state,
      type,
      title,
      entity,
      currentValue: current,
      previousValue: previous,
      change,
      ...endOf({ severity, ...over }),
    },
  ]
}

type Findings = Pick<Alert, 'findings' | 'moreFindings'>

function findingsOf({ parts }: ListedAlert, own: AlertFinding): Findings {
  if (parts === undefined || parts.count === 0) return { findings: [own] }
  const more = parts.count - parts.listed.length
  return { findings: [own, ...parts.listed.flatMap(findingOf)], ...(more > 0 && { moreFindings: more }) }
}

const unusualOf = (months: number, { days }: { days?: number }) => ({ months, ...(days !== undefined && { days }) })

/** For an alert opened by hours, that day is the first day. */
function beginningOf({ opening, hours }: ListedAlert): Pick<Alert, 'firstDay' | 'openedWith'> {
  if (!opening) return {}
  const firstDay = hours?.day ?? opening.firstDay
  return { ...(firstDay !== undefined && { firstDay }), openedWith: opening.windows.current.end }
}

export function viewOf(row: ListedAlert): Alert {
  const { figures } = row
  const words = wordsOf(row)
  const own: AlertFinding = {
    id: String(row.id),
    severity: row.severity,
    state: row.state,
    type: row.type,
    title: words.title,
    entity: { kind: row.entityKind, name: fromStored(row.entityName) },
    currentValue: figures?.current ?? null,
    previousValue: figures?.previous ?? null,
    change: figures?.change ?? null,
    ...endOf(row),
  }
  return {
    ...own,
    description: words.markup,
    timestamp: row.openedAt.toISOString(),
    target: row.property,
    data: [...row.series],
    viewed: row.viewedAt !== null,
    snoozedUntil: row.snoozedUntil?.toISOString() ?? null,
    ...(row.searchType !== 'web' && { searchType: row.searchType }),
    ...(row.segment && { segment: row.segment.name }),
    current: figures?.windows.current ?? null,
    previous: figures?.windows.base ?? null,
    ...(figures?.months !== undefined && { unusual: unusualOf(figures.months, figures) }),
    ...(figures?.expected && { expected: figures.expected }),
    ...beginningOf(row),
    ...findingsOf(row, own),
    conditionId: row.conditionId === null ? null : String(row.conditionId),
    ...hoursOf(row),
    verdict: row.verdict,
    action: row.action,
  }
}

/** Maximum length of a name in a list on screen, as in messages: the full names of hundreds of alerts would take megabytes. */
const mostInList = 500
const cut = (name: string): string => (name.length > mostInList ? `${name.slice(0, mostInList - 1)}…` : name)

/** The same for a list on screen. */
export function listViewOf({ parts, ...row }: ListedAlert): Alert {
  const listed = parts?.listed.map((part) => ({ ...part, entityName: cut(part.entityName) }))
  return viewOf({ ...row, entityName: cut(row.entityName), ...(parts && listed && { parts: { ...parts, listed } }) })
}

/**
 * The same for readers outside the account, with its rule's segment under the name that these know it by; null for none. The name it opened
 * with is the owner's own, and a session alone may have typed it (docs/decisions/0103).
 */
export const forOthers = (row: AlertRow, name: string | null): AlertRow => ({
  ...row,
  segment: row.segment && name !== null ? { ...row.segment, name } : null,
  ...(row.entityKind === 'segment' && { entityName: toStored(name ?? '') }),
})

/** In the form of a report on a period. */
export const periodAlertOf = (row: AlertRow): PeriodAlert => ({
  id: String(row.id),
  severity: row.severity,
  title: wordsOf(row).title,
  entity: { kind: row.entityKind, name: fromStored(row.entityName) },
  change: row.figures?.change ?? null,
  openedAt: row.openedAt.toISOString(),
  day: row.opening?.windows.current.end ?? null,
  state: row.state,
  endedAt: row.recoveredAt?.toISOString() ?? null,
  endedAs: endOf(row).ended?.as ?? null,
  why: null,
})
