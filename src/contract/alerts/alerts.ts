import { z } from 'zod'
import { byId, isoDate, orElse, propertyQuery, rowsOf } from '../common.ts'
import { conditionType } from './conditions.ts'
import { changeBreakdown, coincidence } from './change-breakdown.ts'
import { channelName } from '../delivery/channels.ts'
import { endpoint } from '../endpoint.ts'

export const severity = z.enum(['critical', 'warning', 'info', 'positive'])
export type Severity = z.infer<typeof severity>

/** Apart from `viewed`: whether somebody looked at it says nothing about what became of it. */
export const alertState = z.enum(['firing', 'acknowledged', 'snoozed', 'recovered'])
export type AlertState = z.infer<typeof alertState>

/** What somebody said of an alert: the figures really changed, or it was noise. */
export const alertVerdict = z.enum(['useful', 'noise'])
export type AlertVerdict = z.infer<typeof alertVerdict>

/** What an alert is about, from what concerns the most of a property to the least. */
export const entityKind = z.enum(['connection', 'site', 'page', 'query'])
const entity = z.object({ kind: entityKind, name: z.string() })
const window = z.object({ start: isoDate, end: isoDate })

/**
 * Of an alert that was opened by the hours of a day: `preliminary` until the day is final, which confirms or withdraws it.
 * Its figures are of those hours until then, and of the whole day once that confirms it.
 */
export const alertHours = z.object({
  day: isoDate,
  /** Until when that day was counted, in hours of California's clock: 14 for 14:00, 24 for all of it. */
  through: z.number().int(),
  /** Weeks before, of whose same hours the mean is what is usual. */
  weeks: z.number().int(),
  status: z.enum(['preliminary', 'confirmed', 'withdrawn']),
})
export type AlertHours = z.infer<typeof alertHours>

/**
 * Of an alert about what is unusual: the previous value is what was to be expected of the current days, whatever the previous ones had,
 * and a change like it comes about once in so many months here.
 */
export const alertUnusual = z.object({ months: z.number() })

/** Days that the figures in `data` are of. */
export const alertSeriesDays = 28

/** SPEC §3 has values as text too; null is a value: there was nothing. */
const compared = z.codec(z.any().optional(), z.number().nullable(), {
  decode: (given): number | null => (given === undefined ? 0 : typeof given === 'string' ? numberIn(given) : given),
  encode: (value) => value,
})

function numberIn(text: string): number | null {
  const number = text.trim() === '' ? Number.NaN : Number(text.replaceAll(',', ''))
  return Number.isFinite(number) ? number : null
}

/** What else was found of the same cause, the most severe first: at most fifty of an alert. */
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
})
export type AlertFinding = z.infer<typeof alertFinding>

/** An alert as lists show it. Whoever reads a list takes SPEC §3's defaults for what is missing; the fields that it names are enough. */
export const alert = z.object({
  id: z.string(),
  /** One of `severity`; any other is shown in gray (SPEC §4). */
  severity: orElse(z.string(), 'warning'),
  type: orElse(conditionType, 'clicks'),
  title: orElse(z.string(), 'Unknown Alert'),
  /** Text with at most the markup of the allow-list (OPEN-POINTS 13). */
  description: orElse(z.string(), 'No description available'),
  /** Figures compared: sums for clicks and impressions, a fraction for CTR, a mean for positions; null for what was not there. */
  currentValue: compared,
  previousValue: compared,
  timestamp: z.iso.datetime({ offset: true }),
  /** The property's name, as Search Console takes it for `resource_id`. */
  target: orElse(z.string(), ''),
  /** Daily figures of `alertSeriesDays` up to the day it was judged by, oldest first; days without one are left out. */
  data: orElse(z.array(z.number()), []),
  viewed: orElse(z.boolean(), false),
  state: orElse(alertState, 'firing'),
  snoozedUntil: orElse(z.iso.datetime().nullable(), null),
  entity: orElse(entity, { kind: 'site', name: '' }),
  /** Per cent, or places for positions. */
  change: orElse(z.number().nullable(), null),
  current: orElse(window.nullable(), null),
  previous: orElse(window.nullable(), null),
  unusual: alertUnusual.optional(),
  /** Only where more was found of the same cause; the most severe first, in a list three at most. */
  findings: z.array(alertFinding).optional(),
  /** How many there are besides, where there are more. */
  moreFindings: z.number().int().optional(),
  conditionId: orElse(z.string().nullable(), null),
  /** Only of one that was opened by hours. */
  hours: alertHours.optional(),
  /** What somebody said of it; null until then. */
  verdict: orElse(alertVerdict.nullable(), null),
  /** A path or address that mends it, for an alert about the connection. */
  action: orElse(z.object({ label: z.string(), href: z.string() }).nullable(), null),
})
export type Alert = z.infer<typeof alert>
export const alerts = z.array(alert)

const filter = {
  property: z.string().min(1).max(2048).optional(),
  severity: severity.optional(),
  /** Days of UTC; with `from`, open ones count as well, however old. */
  from: isoDate.optional(),
  to: isoDate.optional(),
  state: z.enum(['open', 'all']).default('all'),
  viewed: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
}
/** The same filter as the list, all of them. */
export const alertsFilter = z.object(filter)
export const alertsCount = z.object({ count: z.number().int() })

/** Of the selected property, or `?property=<name>|all`; the latest first, of one moment the most severe. */
export const alertsQuery = alertsFilter.extend({
  limit: z.coerce.number().int().min(1).max(500).default(200),
  offset: z.coerce.number().int().min(0).default(0),
})

const event = z.object({
  at: z.iso.datetime(),
  from: alertState.nullable(),
  to: alertState,
  reason: z.string(),
  /** The same in words, where figures belong to it. */
  detail: z.string().optional(),
  /** Who did it; null for the system. */
  by: z.string().nullable(),
})

/** What happened to an alert, and what was sent about it: so much of either is told, the newest. */
export const mostTold = 100

/** A day's figure; null for one that is not known, or has none: the CTR of a day without impressions. */
const dailyFigure = z.object({ date: isoDate, value: z.number().nullable(), complete: z.boolean() })

/** What was expected day by day; of about 19 of 20 ordinary days the figure lies between `low` and `high`. */
export const alertExpectation = z.object({
  /** The first day of the change, as far as the days tell. */
  firstDay: isoDate,
  days: z.array(z.object({ date: isoDate, expected: z.number(), low: z.number(), high: z.number() })),
})
export type AlertExpectation = z.infer<typeof alertExpectation>

/** One alert's full report. */
export const alertReport = alert.extend({
  /** The alert that tells of the cause, where this is one of its findings. */
  partOf: z.string().optional(),
  /** Day by day from some weeks before the current window until some weeks after it; the previous one is in it, or in `previousSeries`. */
  series: z.array(dailyFigure),
  /** Where the windows lie too far apart to be in one series: as many days, each as far before its counterpart as the windows are. Else empty. */
  previousSeries: z.array(dailyFigure),
  /** The day of an alert opened by hours, hour by hour on California's clock; null for what is not known. */
  byHour: z.array(z.object({ hour: z.number().int(), value: z.number().nullable(), usual: z.number().nullable() })).optional(),
  /** When its owner first looked at it. */
  viewedAt: z.iso.datetime().nullable(),
  /** What the change is mostly made of, in a sentence or two, with at most the markup of the allow-list; and in figures, of clicks and impressions. */
  why: z.string().optional(),
  breakdown: changeBreakdown.optional(),
  /** What else happened on the days on which it began; absent where nothing is known of. */
  coincidences: z.array(coincidence).optional(),
  /** Of an alert about what is unusual: what was expected of each day, as far as could be known before it. */
  expectation: alertExpectation.optional(),
  contributors: z.array(
    z.object({ entity, currentValue: z.number().nullable(), previousValue: z.number().nullable(), change: z.number().nullable() }),
  ),
  /** Oldest first. */
  timeline: z.array(event),
  /** Whether there were older events, which are left out. */
  timelineCut: z.boolean().optional(),
  deliveries: z.array(
    z.object({
      channel: channelName,
      event: z.enum(['opened', 'recovered', 'woken']),
      /** With others in a digest, or in a message of its own. */
      inDigest: z.boolean(),
      state: z.enum(['waiting', 'sent', 'failed', 'suppressed']),
      /** Where it goes, as far as it may be shown. */
      to: z.string().nullable(),
      /** When it was sent; null until then. */
      at: z.iso.datetime().nullable(),
      /** Why it waits, failed or was not sent. */
      detail: z.string().nullable(),
    }),
  ),
  /** Whether there were older messages, which are left out. */
  deliveriesCut: z.boolean().optional(),
})
export type AlertReport = z.infer<typeof alertReport>

/** How many alerts are new, and how many findings became none because there were too many. */
export const evaluateAnswer = z.object({ count: z.number().int(), leftOut: orElse(z.number().int(), 0) })
export type EvaluateAnswer = z.infer<typeof evaluateAnswer>

export const alertIds = z.object({ ids: z.array(z.string()).min(1).max(500) })
export const snooze = z.object({ until: z.iso.datetime() })

/** Null takes it back. */
export const newVerdict = z.object({ verdict: alertVerdict.nullable() })
/** What there is to judge for whoever has the email. */
export const verdictByLink = newVerdict.extend({ title: z.string(), property: z.string(), at: z.iso.datetime().nullable() })
export type VerdictByLink = z.infer<typeof verdictByLink>
/** What a link may say; it takes nothing back. */
export const linkedVerdict = z.object({ verdict: alertVerdict })

const path = '/api/alerts'
export const alertEndpoints = {
  list: endpoint({ method: 'GET', path, access: 'session', query: alertsQuery, answer: rowsOf(alerts) }),
  count: endpoint({ method: 'GET', path: `${path}/count`, access: 'session', query: alertsFilter, answer: alertsCount }),
  file: endpoint({ method: 'GET', path: `${path}/export.csv`, access: 'session', query: alertsFilter, answer: 'file' }),
  /** Judges the rules of a property now. */
  evaluate: endpoint({ method: 'POST', path: `${path}/evaluate`, access: 'session', query: propertyQuery, answer: evaluateAnswer }),
  /** Both answer those alerts as they are then. */
  acknowledge: endpoint({ method: 'POST', path: `${path}/acknowledge`, access: 'session', body: alertIds, answer: alerts }),
  view: endpoint({ method: 'POST', path: `${path}/viewed`, access: 'session', body: alertIds, answer: alerts }),
  /** Answers how many were new. */
  viewAll: endpoint({ method: 'POST', path: `${path}/view-all`, access: 'session', query: propertyQuery, answer: alertsCount }),
  report: endpoint({ method: 'GET', path: `${path}/:id`, access: 'session', params: byId, answer: alertReport }),
  snooze: endpoint({ method: 'POST', path: `${path}/:id/snooze`, access: 'session', params: byId, body: snooze, answer: alert }),
  unsnooze: endpoint({ method: 'POST', path: `${path}/:id/unsnooze`, access: 'session', params: byId, answer: alert }),
  /** Of a finding, it is the alert that tells of it which is rated and answered. */
  judge: endpoint({ method: 'POST', path: `${path}/:id/verdict`, access: 'session', params: byId, body: newVerdict, answer: alert }),
}

const ofMails = {
  path: '/api/alert-verdict',
  access: { anybody: 'the link from the email says which alert, and nothing else of the account' },
  query: z.object({ token: z.string().min(1).max(2048) }),
  answer: verdictByLink,
} as const
/** The alert that a link of an email asks about; and what its reader says of it. Reading changes nothing. */
export const verdictLinkEndpoints = {
  read: endpoint({ ...ofMails, method: 'GET' }),
  judge: endpoint({ ...ofMails, method: 'POST', body: linkedVerdict }),
}
