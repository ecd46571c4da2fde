import { z } from 'zod'
import { expectedDay } from '../figures.ts'
import { byId, isoDate, orElse, propertyQuery, rowsOf, searchType, textUpTo } from '../common.ts'
import { conditionType } from './conditions.ts'
import { changeBreakdown, coincidence } from './change-breakdown.ts'
import { rateBreakdown } from './rate-breakdown.ts'
import { channelName } from '../delivery/channels.ts'
import { signedIn } from '../endpoint.ts'
import { period } from '../metrics.ts'

export const severity = z.enum(['critical', 'warning', 'info', 'positive'])
export type Severity = z.infer<typeof severity>
/** 0 for the most severe, for sorting. */
export const severityRank = (grade: Severity): number => severity.options.indexOf(grade)

/** Separate from `viewed`: whether somebody looked at it doesn't affect its state. */
export const alertState = z.enum(['firing', 'acknowledged', 'snoozed', 'recovered'])
export type AlertState = z.infer<typeof alertState>

/** Somebody's verdict on an alert: a real change, or noise. */
export const alertVerdict = z.enum(['useful', 'noise'])
export type AlertVerdict = z.infer<typeof alertVerdict>

/** What an alert is about, from the largest part of a property to the smallest. */
export const entityKind = z.enum(['connection', 'site', 'segment', 'page', 'query'])
const entity = z.object({ kind: entityKind, name: z.string() })

/**
 * For an alert opened by a day's hours: `preliminary` until the day is final, which confirms or withdraws it. Until then its figures are
 * those of the hours; if confirmed, those of the whole day.
 */
export const alertHours = z.object({
  day: isoDate,
  /** How far into that day hours were counted, in Pacific time: 14 for 14:00, 24 for all of it. */
  through: z.number().int(),
  /** Number of previous weeks from which the share of a day by that hour was learned; for a final day, those it was compared with. */
  weeks: z.number().int(),
  status: z.enum(['preliminary', 'confirmed', 'withdrawn']),
})
export type AlertHours = z.infer<typeof alertHours>

/**
 * For an alert about something unusual: the previous value is the expected one for the current days, whatever the previous days had, and
 * such a change occurs about once in this many months here. `days`: of how many of these days the values are, without holidays, outages and
 * days without data; absent if of all.
 */
export const alertUnusual = z.object({ months: z.number(), days: z.number().int().optional() })

/**
 * For an alert beyond a threshold: what was expected of the current days, going by the past of what it is about, and the usual range.
 * `months`: such a value occurs about once in this many months; absent if it is more common, or if the past is too short to tell.
 */
export const alertExpected = z.object({ value: z.number(), low: z.number(), high: z.number(), months: z.number().optional() })
export type AlertExpected = z.infer<typeof alertExpected>

/** Number of days covered by `data`. */
export const alertSeriesDays = 28

/** SPEC §3 also has values as text; null is a value, too: there was nothing. */
const compared = z.codec(z.any().optional(), z.number().nullable(), {
  decode: (given): number | null => (given === undefined ? 0 : typeof given === 'string' ? numberIn(given) : given),
  encode: (value) => value,
})

function numberIn(text: string): number | null {
  const number = text.trim() === '' ? Number.NaN : Number(text.replaceAll(',', ''))
  return Number.isFinite(number) ? number : null
}

/** How an alert ended, when, and why. */
export const alertEnd = z.object({
  /**
   * `recovered`: back to normal; `withdrawn`: final data doesn't show it; `settled`: at a new level; `revised`: Google's data changed; `ended`:
   * otherwise, for example with its rule.
   */
  as: z.enum(['recovered', 'withdrawn', 'settled', 'revised', 'ended']),
  at: z.iso.datetime(),
  /** The reason of the last event in its timeline; null if it isn't known. */
  reason: z.string().nullable(),
  /** For `settled`, if known: the figure it settled at and the one before the alert; sums are of this many days. Null: there was none. */
  level: z.object({ value: z.number().nullable(), before: z.number().nullable(), days: z.number() }).optional(),
})
export type AlertEnd = z.infer<typeof alertEnd>

/** A finding of an alert: its own, or another one with the same cause. */
export const alertFinding = z.object({
  id: z.string(),
  severity,
  state: alertState,
  type: conditionType,
  title: z.string(),
  entity,
  currentValue: z.number().nullable(),
  previousValue: z.number().nullable(),
  change: z.number().nullable(),
  ended: alertEnd.optional(),
})
export type AlertFinding = z.infer<typeof alertFinding>

/** An alert in a list. Readers apply SPEC §3's defaults to missing fields; the fields it names are enough. */
export const alert = z.object({
  id: z.string(),
  /** One of `severity`; others appear gray (SPEC §4). */
  severity: orElse(z.string(), 'warning'),
  type: orElse(conditionType, 'clicks'),
  title: orElse(z.string(), 'Unknown Alert'),
  /** Text with at most the allow-listed markup (OPEN-POINTS 13). */
  description: orElse(z.string(), 'No description available'),
  /** The compared figures: sums for clicks and impressions, a fraction for CTR, a mean for positions; null if absent. */
  currentValue: compared,
  previousValue: compared,
  timestamp: z.iso.datetime({ offset: true }),
  /** The property's name, in Search Console's `resource_id` form. */
  target: orElse(z.string(), ''),
  /** Daily figures of `alertSeriesDays` through the last evaluated day, oldest first; leaves out days without one, such as those not stored. */
  data: orElse(z.array(z.number()), []),
  viewed: orElse(z.boolean(), false),
  state: orElse(alertState, 'firing'),
  snoozedUntil: orElse(z.iso.datetime().nullable(), null),
  entity: orElse(entity, { kind: 'site', name: '' }),
  /** Only if its rule is about a search type other than web. */
  searchType: searchType.optional(),
  /** Only if its rule is limited to a segment: the segment's name. */
  segment: z.string().optional(),
  /** Percent, or places for positions. */
  change: orElse(z.number().nullable(), null),
  current: orElse(period.nullable(), null),
  previous: orElse(period.nullable(), null),
  unusual: alertUnusual.optional(),
  /** Absent for an unusual change, and if the past is too short to tell. */
  expected: alertExpected.optional(),
  /** The day it began, as far as the data shows. */
  firstDay: isoDate.optional(),
  /** The last day of the window that opened it, which includes its first day or starts soon after it. */
  openedWith: isoDate.optional(),
  /** Its own finding, then others with the same cause, most severe first: up to fifty of them, three in a list. */
  findings: orElse(z.array(alertFinding), []),
  /** How many further ones there are, if any. */
  moreFindings: z.number().int().optional(),
  conditionId: orElse(z.string().nullable(), null),
  /** Only for an alert opened by hours. */
  hours: alertHours.optional(),
  /** Only once it is over. */
  ended: alertEnd.optional(),
  /** Somebody's verdict; null until then. */
  verdict: orElse(alertVerdict.nullable(), null),
  /** A path or URL to fix it, for a connection alert. */
  action: orElse(z.object({ label: z.string(), href: z.string() }).nullable(), null),
})
export type Alert = z.infer<typeof alert>

/** An alert's findings without its own. */
export const otherFindings = ({ id, findings }: Pick<Alert, 'id' | 'findings'>): AlertFinding[] =>
  findings.filter((finding) => finding.id !== id)
export const alerts = z.array(alert)

const filter = {
  property: z.string().min(1).max(2048).optional(),
  severity: severity.optional(),
  /** Days in UTC; `from` also includes open ones of any age. */
  from: isoDate.optional(),
  to: isoDate.optional(),
  state: z.enum(['open', 'all']).default('all'),
  viewed: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
}
/** The list's filter, for all matches. */
export const alertsFilter = z.object(filter)
export const alertsCount = z.object({ count: z.number().int() })

/** For the selected property, or `?property=<name>|all`; latest first; of those at the same moment, the most severe first. */
export const alertsQuery = alertsFilter.extend({
  limit: z.coerce.number().int().min(1).max(500).default(200),
  offset: z.coerce.number().int().min(0).default(0),
})

const event = z.object({
  at: z.iso.datetime(),
  from: alertState.nullable(),
  to: alertState,
  reason: z.string(),
  /** The same in words, if it involves figures. */
  detail: z.string().optional(),
  /** The person responsible; null for the system. */
  by: z.string().nullable(),
})

/** Maximum number of events of an alert, and of messages about it, that are returned: the newest ones. */
export const mostReturned = 100

/** A day's figure; null if unknown or undefined, such as the CTR of a day without impressions. */
const dailyFigure = z.object({ date: isoDate, value: z.number().nullable(), complete: z.boolean() })

/** The expected value day by day. */
export const alertExpectation = z.object({
  /** The first day of the change, as far as the days show it. */
  firstDay: isoDate,
  days: z.array(expectedDay),
})
export type AlertExpectation = z.infer<typeof alertExpectation>

/** An alert's full report. */
export const alertReport = alert.extend({
  /** The alert for the cause, if this is one of its findings. */
  partOf: z.string().optional(),
  /** The rules that found it, its own first; without those deleted since. */
  rules: orElse(z.array(z.object({ id: z.string(), title: z.string() })), []),
  /**
   * Daily values from some weeks before the current window until some weeks after it; includes the previous window unless that is in
   * `previousSeries`.
   */
  series: z.array(dailyFigure),
  /**
   * For windows too far apart for one series: as many days, each as far before its counterpart as the windows are apart. Otherwise empty.
   */
  previousSeries: z.array(dailyFigure),
  /** For an alert opened by hours: its day, by hour in Pacific time; null if unknown. */
  byHour: z.array(z.object({ hour: z.number().int(), value: z.number().nullable(), usual: z.number().nullable() })).optional(),
  /** When its owner first opened it. */
  viewedAt: z.iso.datetime().nullable(),
  /**
   * The main causes of the change: in a sentence or two with at most the allow-listed markup, and in figures: `breakdown` for clicks and
   * impressions, `rateBreakdown` for CTR and position.
   */
  why: z.string().optional(),
  breakdown: changeBreakdown.optional(),
  rateBreakdown: rateBreakdown.optional(),
  /** What else happened on the days it began; absent if nothing is known. */
  coincidences: z.array(coincidence).optional(),
  /** The expected value for each day, as known before it; absent if the past is too short to tell. */
  expectation: alertExpectation.optional(),
  contributors: z.array(
    z.object({ entity, currentValue: z.number().nullable(), previousValue: z.number().nullable(), change: z.number().nullable() }),
  ),
  /** Oldest first. */
  timeline: z.array(event),
  /** Whether older events are left out. */
  timelineCut: z.boolean().optional(),
  deliveries: z.array(
    z.object({
      channel: channelName,
      event: z.enum(['opened', 'recovered', 'woken', 'worsened']),
      /** Together with others in a digest, or in its own message. */
      inDigest: z.boolean(),
      state: z.enum(['waiting', 'sent', 'failed', 'suppressed']),
      /** Where it goes, in displayable form. */
      to: z.string().nullable(),
      /** When it was sent; null until then. */
      at: z.iso.datetime().nullable(),
      /** Why it is waiting, failed or was not sent. */
      detail: z.string().nullable(),
    }),
  ),
  /** Whether older messages are left out. */
  deliveriesCut: z.boolean().optional(),
})
export type AlertReport = z.infer<typeof alertReport>

/** The number of new alerts, and of findings that didn't become alerts because there were too many. */
export const evaluateAnswer = z.object({ count: z.number().int(), leftOut: orElse(z.number().int(), 0) })
export type EvaluateAnswer = z.infer<typeof evaluateAnswer>

export const alertIds = z.object({ ids: z.array(z.string().max(15)).min(1).max(500) })
export const snooze = z.object({ until: textUpTo(40).check(z.iso.datetime()) })

/** Null removes it. */
export const newVerdict = z.object({ verdict: alertVerdict.nullable() })

const path = '/api/alerts'
export const alertEndpoints = {
  list: signedIn.get(path, { query: alertsQuery, isLong: 'names', answer: rowsOf(alerts) }),
  count: signedIn.get(`${path}/count`, { query: alertsFilter, answer: alertsCount }),
  file: signedIn.get(`${path}/export.csv`, { query: alertsFilter, answer: 'file' }),
  /** Evaluates a property's rules now. */
  evaluate: signedIn.post(`${path}/evaluate`, { query: propertyQuery, answer: evaluateAnswer }),
  /** Both return those alerts as they are now. */
  acknowledge: signedIn.post(`${path}/acknowledge`, { body: alertIds, isLong: 'names', answer: alerts }),
  view: signedIn.post(`${path}/viewed`, { body: alertIds, isLong: 'names', answer: alerts }),
  /** Returns how many were new. */
  viewAll: signedIn.post(`${path}/view-all`, { query: propertyQuery, answer: alertsCount }),
  report: signedIn.get(`${path}/:id`, { params: byId, isLong: 'names', answer: alertReport }),
  snooze: signedIn.post(`${path}/:id/snooze`, { params: byId, body: snooze, answer: alert }),
  unsnooze: signedIn.post(`${path}/:id/unsnooze`, { params: byId, answer: alert }),
  /** For a finding, its alert is rated and returned. */
  rate: signedIn.post(`${path}/:id/verdict`, { params: byId, body: newVerdict, answer: alert }),
}
