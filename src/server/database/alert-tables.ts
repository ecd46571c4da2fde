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
import type { IsoDate, SearchType } from '../../contract/common.ts'
import type { Level } from '../../core/alerting/ending.ts'
import type { Covered } from '../../core/alerting/muting.ts'
import type { AlertMetric } from '../../core/alerting/rule.ts'
import type { StoredSegment } from './annotation-tables.ts'
import type { ExpectedValue } from '../../core/alerting/unusual/expected-value.ts'
import type { DetectorState } from '../../core/detection/smart.ts'

/** An identity column. */
type Id = ColumnType<number, never, never>

/** A rule. alerts/names.ts says how page and query names are stored. */
export type AlertConditionsTable = {
  id: Id
  propertyId: number
  type: ConditionType
  kind: ConditionKind
  title: string
  isEnabled: boolean
  direction: Direction
  /** Whether changes that are usual for the entity are ignored. */
  onlyUnusual: boolean
  monitor: Monitor
  searchType: Generated<SearchType>
  targets: Json<readonly string[]>
  /** One of the owner's `saved_explorations`, which can't be deleted meanwhile. */
  segmentId: ColumnType<number | null, number | null | undefined, number | null>
  threshold: number
  thresholdUnit: ThresholdUnit
  comparison: Comparison | null
  minimumImpressions: number | null
  sensitivity: Sensitivity | null
  /** Why it couldn't be evaluated, since when, and when to retry. */
  problem: string | null
  problemSince: Date | null
  retryAt: Date | null
  /** Findings of the last evaluation that didn't become alerts because there were too many. */
  leftOut: Generated<number>
  /** Set by the database if omitted, never changed afterwards. */
  createdAt: ColumnType<Date, Date | undefined, never>
  /** When its criteria last changed, or the holidays that a smart rule allows for; a new title changes nothing. */
  changedAt: ColumnType<Date, Date | undefined, Date>
}

/** How far a property's rules have been evaluated. */
export type AlertWatchesTable = {
  propertyId: number
  /** The facts version they were evaluated on; null to evaluate them again. */
  judgedVersion: number | null
  judgedThrough: IsoDate | null
  /** When it was last evaluated, or when that was last tried. */
  judgedAt: Date | null
  /** How often its hours were reported as changed, and which of these reports was evaluated. */
  hoursTold: Generated<number>
  hoursJudged: Generated<number>
  /** How often one of its rules was created, changed or deleted. Whoever does so, or stores findings, locks this row first. */
  rulesChanged: Generated<number>
}

/** The summary of a property's past for one search type and metric (alerts/unusual/baselines.ts). */
export type SiteBaselinesTable = {
  propertyId: number
  searchType: SearchType
  metric: AlertMetric
  restsOn: string
  state: Json<DetectorState>
}

/** Written and read as a whole, as JSON. */
type Json<T> = ColumnType<T, string, string>

/** The figures behind an alert, and their days. */
export type StoredFigures = {
  previous: number | null
  current: number | null
  change: number | null
  windows: { current: { start: IsoDate; end: IsoDate }; base: { start: IsoDate; end: IsoDate }; scale: number }
  /** For an unusual change: `previous` is the expected value, and such a change occurs about once in this many months here. */
  months?: number
  /** Of how many days of the current window they are, without holidays, outages and unknown days; absent if of all. */
  days?: number
  /** The factor by which last year's season changed what would otherwise be usual. */
  seasonal?: number
  /** For a change beyond a threshold: what was expected of the current days (core/alerting/unusual/expected-value.ts). */
  expected?: ExpectedValue
  /** Of an alert's opening: the day it began, as far as the facts tell. */
  firstDay?: IsoDate
  /** For a critical drop beyond a threshold: whether it warrants interrupting somebody (core/alerting/unusual/interrupting.ts). */
  interrupts?: boolean
  /** Of an alert that is open only for its parts: the level its own metric settled at. */
  settled?: Level
  /** Of the last figures of a whole site: the largest change so far; absent in those that were last stored before this was. */
  largest?: number
}
/**
 * For an alert opened by hours: the final day's result, and the last final day checked. `seen`: how far the hours that opened it went;
 * absent if that wasn't stored yet.
 */
export type StoredHours = AlertHours & {
  seen?: number
  final: { current: number; previous: number; change: number | null } | null
  judged: IsoDate | null
}
export type StoredContributor = Pick<StoredFigures, 'previous' | 'current' | 'change'> & {
  entity: { kind: 'page' | 'query'; name: string }
}

/** Why an alert ended, and the level its metric settled at, if it did. */
export type StoredEnd = { reason: string; level?: Level }

export type AlertsTable = {
  id: Id
  propertyId: number
  /** The alert that covers it: one cause, one alert. Null for that alert itself. */
  partOf: Generated<number | null>
  conditionId: number | null
  /** Whether it is evaluated by hours or by days. An alert opened by hours switches to days once a week of them shows the same. */
  basis: Generated<'days' | 'hours'>
  /** Null if hours didn't open it; kept when it switches to days. */
  hours: ColumnType<StoredHours | null, string | null | undefined, string>
  /** Null for a connection alert. */
  kind: ConditionKind | null
  type: ConditionType
  comparison: Comparison | null
  entityKind: Alert['entity']['kind']
  /** For the connection: the kind of problem. */
  entityName: string
  severity: Severity
  state: AlertState
  snoozedUntil: Date | null
  viewedAt: Date | null
  /** The figures that opened it, and the last evaluated ones; null for the connection. */
  opening: Json<StoredFigures | null>
  figures: Json<StoredFigures | null>
  contributors: Json<readonly StoredContributor[]>
  /** For a whole site: the findings it has covered so far (core/alerting/muting.ts). */
  covered: ColumnType<readonly Covered[], string | undefined, string>
  /** Daily figures up to the last evaluated day. */
  series: Json<readonly number[]>
  /** The search type its rule was about when it opened. */
  searchType: ColumnType<SearchType, SearchType | undefined, never>
  /** The segment its rule was limited to when it opened, or when that rule took it over; its figures are this segment's. */
  segment: ColumnType<StoredSegment | null, string | null | undefined, never>
  /** For the connection: what happened and what to do. */
  message: string | null
  action: Json<{ label: string; href: string } | null>
  openedAt: Date
  judgedAt: Date
  judgedThrough: IsoDate | null
  recoveredAt: Date | null
  /** Null while it is open, and for some that ended before this was stored. */
  ended: ColumnType<StoredEnd | null, string | null | undefined, string>
  /** Somebody's verdict on it, and when. */
  verdict: Generated<AlertVerdict | null>
  verdictAt: Generated<Date | null>
}

/** Another rule that finds what an alert is about, besides its own (`conditionId`). */
export type AlertFindersTable = { alertId: number; conditionId: number }

/** A transition or a verdict; never changed. */
export type AlertEventsTable = {
  id: Id
  alertId: number
  fromState: AlertState | null
  toState: AlertState
  reason: string
  /** The same in words, if it involves figures. */
  detail: string | null
  /** The id of the person responsible; null for the system. */
  byUser: string | null
  at: Date
}
