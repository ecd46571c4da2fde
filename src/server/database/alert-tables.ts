import type { ColumnType, Generated } from 'kysely'
import type {
  Comparison,
  ConditionKind,
  ConditionType,
  Direction,
  Monitor,
  Sensitivity,
  ThresholdUnit,
} from '../../contract/alerts/conditions.ts'
import type { Alert, AlertHours, AlertState, AlertVerdict, Severity } from '../../contract/alerts/alerts.ts'
import type { IsoDate } from '../../contract/common.ts'
import type { AlertMetric } from '../../core/alerting/rule.ts'
import type { DetectorState } from '../../core/detection/smart.ts'

/** An identity column. */
type Id = ColumnType<number, never, never>

/** A rule. Names of pages and queries are stored as alerts/names.ts says. */
export type AlertConditionsTable = {
  id: Id
  propertyId: number
  type: ConditionType
  kind: ConditionKind
  title: string
  isEnabled: boolean
  direction: Direction
  /** Whether changes that are usual for the entity stay silent. */
  onlyUnusual: boolean
  monitor: Monitor
  targets: Json<readonly string[]>
  threshold: number
  thresholdUnit: ThresholdUnit
  comparison: Comparison | null
  minimumImpressions: number | null
  sensitivity: Sensitivity | null
  /** Why it could not be judged, since when, and when it is tried again. */
  problem: string | null
  problemSince: Date | null
  retryAt: Date | null
  /** Findings that became no alert when it was last judged, because there were too many. */
  leftOut: Generated<number>
  /** Set by the database when left out, never changed afterwards. */
  createdAt: ColumnType<Date, Date | undefined, never>
  /** When what it looks for was last changed. */
  changedAt: ColumnType<Date, Date | undefined, Date>
}

/** How far the rules of a property have been judged. */
export type AlertWatchesTable = {
  propertyId: number
  /** The version of the facts they were judged by; null to have them judged again. */
  judgedVersion: number | null
  judgedThrough: IsoDate | null
  judgedAt: Date | null
  /** How often its hours were heard to have changed, and that of it which was judged. */
  hoursTold: Generated<number>
  hoursJudged: Generated<number>
  /** How often a rule of it was made, changed or deleted. Whoever does so, or stores what rules have found, holds this row first. */
  rulesChanged: Generated<number>
}

/** What a property's past for one figure comes to (alerts/baselines.ts). */
export type AlertBaselinesTable = { propertyId: number; metric: AlertMetric; restsOn: string; state: Json<DetectorState> }

/** Written and read whole, as JSON. */
type Json<T> = ColumnType<T, string, string>

/** The figures an alert rests on, and over which days. */
export type StoredFigures = {
  previous: number | null
  current: number | null
  change: number | null
  windows: { current: { start: IsoDate; end: IsoDate }; base: { start: IsoDate; end: IsoDate }; scale: number }
  /** Of what is unusual: `previous` is what was to be expected, and a change like it comes about once in so many months here. */
  months?: number
  /** Of a critical fall beyond a threshold: whether it is one to wake somebody for (core/alerting/unusual/interrupting.ts). */
  interrupts?: boolean
}
/** Of an alert that hours opened: what the final day came to, and the last final day that was looked at. */
export type StoredHours = AlertHours & {
  final: { current: number; previous: number; change: number | null } | null
  judged: IsoDate | null
}
export type StoredContributor = Omit<StoredFigures, 'windows' | 'months' | 'interrupts'> & {
  entity: { kind: 'page' | 'query'; name: string }
}

export type AlertsTable = {
  id: Id
  propertyId: number
  /** The alert that tells of it: one cause is one alert. Null of that one itself. */
  partOf: Generated<number | null>
  conditionId: number | null
  /** What it is judged by. One that hours opened goes over to the days as soon as a week of them shows the same. */
  basis: Generated<'days' | 'hours'>
  /** Null where hours did not open it; outlasts its going over to the days. */
  hours: ColumnType<StoredHours | null, string | null | undefined, string>
  /** Null for an alert about the connection. */
  kind: ConditionKind | null
  type: ConditionType
  comparison: Comparison | null
  entityKind: Alert['entity']['kind']
  /** For the connection: what is wrong with it. */
  entityName: string
  severity: Severity
  state: AlertState
  snoozedUntil: Date | null
  viewedAt: Date | null
  /** What it was opened with, and what it was last judged by; null for the connection. */
  opening: Json<StoredFigures | null>
  figures: Json<StoredFigures | null>
  contributors: Json<readonly StoredContributor[]>
  /** Daily figures up to the day it was last judged by. */
  series: Json<readonly number[]>
  /** What happened and what to do, for the connection. */
  message: string | null
  action: Json<{ label: string; href: string } | null>
  openedAt: Date
  judgedAt: Date
  judgedThrough: IsoDate | null
  recoveredAt: Date | null
  /** What somebody said of it, and when. */
  verdict: Generated<AlertVerdict | null>
  verdictAt: Generated<Date | null>
}

/** A transition, or a verdict; never changed. */
export type AlertEventsTable = {
  id: Id
  alertId: number
  fromState: AlertState | null
  toState: AlertState
  reason: string
  /** The same in words, where figures belong to it. */
  detail: string | null
  /** The id of the person who did it; null for the system. */
  byUser: string | null
  at: Date
}
