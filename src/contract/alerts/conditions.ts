import { z } from 'zod'
import { byId, isoDate, orElse, propertyQuery } from '../common.ts'
import { endpoint } from '../endpoint.ts'

export const conditionType = z.enum(['clicks', 'ctr', 'impressions', 'position'])
export type ConditionType = z.infer<typeof conditionType>

/**
 * What is looked for: a figure that changed by so much, one that is other than was to be expected, a query or page that is new among the
 * first positions, or a ranking that is gone.
 */
export const conditionKind = z.enum(['change', 'unusual', 'new_query', 'lost_query', 'new_page'])
export type ConditionKind = z.infer<typeof conditionKind>

/** `all_pages` and `all_queries` are for what is unusual. */
export const monitor = z.enum(['site', 'top_pages', 'top_queries', 'pages', 'queries', 'new_content', 'all_pages', 'all_queries'])
export type Monitor = z.infer<typeof monitor>

/** What is looked for of a figure; a position falls when its number grows. */
export const direction = z.enum(['falls', 'rises', 'both'])
export type Direction = z.infer<typeof direction>

/** False alarms a year of a rule about what is unusual: about one in two years, one, two. */
export const sensitivity = z.enum(['low', 'normal', 'high'])
export type Sensitivity = z.infer<typeof sensitivity>

export const comparison = z.enum(['previous_7_days', 'previous_30_days', 'same_period_last_year'])
export type Comparison = z.infer<typeof comparison>

export const thresholdUnit = z.enum(['%', 'positions'])
export type ThresholdUnit = z.infer<typeof thresholdUnit>

const option = <T extends z.ZodType>(value: T) => z.array(z.object({ value, label: z.string() }))

const title = z.string().trim().min(1, 'Give the rule a title').max(120, 'The title can have up to 120 characters')
const targets = z
  .array(z.string().min(1).max(2048, 'A page or query can have up to 2,048 characters'))
  .max(100, 'You can add up to 100 pages or queries')
const threshold = z
  .number('Enter a number')
  .int('Enter a whole number')
  .min(1, 'The threshold must be at least 1')
  .max(1000, 'The threshold can be up to 1,000')
const minimumImpressions = z
  .number('Enter a number')
  .int('Enter a whole number')
  .min(1, 'Minimum impressions must be at least 1')
  .max(10_000_000, 'Minimum impressions can be up to 10,000,000')

/** A rule as it is shown (SPEC §3): `comparison` for clicks only, `minimumImpressions` for the others. */
export const alertCondition = z.object({
  id: z.string(),
  property: orElse(z.string(), ''),
  type: orElse(conditionType, 'clicks'),
  kind: orElse(conditionKind, 'change'),
  title: z.string(),
  icon: z.string(),
  isEnabled: z.boolean(),
  direction: orElse(direction, 'falls'),
  /** Whether changes that are usual for this site, page or query stay silent. */
  onlyUnusual: orElse(z.boolean(), false),
  monitor,
  monitorOptions: orElse(option(monitor), []),
  /** Chosen pages or queries, for the monitors `pages` and `queries`. */
  targets: orElse(z.array(z.string()), []),
  threshold: z.number(),
  thresholdUnit,
  comparison: comparison.optional(),
  comparisonOptions: option(comparison).optional(),
  minimumImpressions: z.number().optional(),
  /** Only of a rule about what is unusual, whose `threshold` is the smallest change it tells of. */
  sensitivity: sensitivity.optional(),
  /** Why the rule could not be judged the last time; null when it could. */
  problem: orElse(z.string().nullable(), null),
  /** Findings that became no alert when it was last judged, because there were too many. */
  leftOut: orElse(z.number().int(), 0),
  /** Of its alerts of the last 12 months that somebody rated, how many were useful; only where there are any. */
  rated: z.object({ useful: z.number().int(), of: z.number().int() }).optional(),
})
export type AlertCondition = z.infer<typeof alertCondition>
export const alertConditions = z.array(alertCondition)

const fields = z.object({
  title,
  isEnabled: z.boolean(),
  direction,
  onlyUnusual: z.boolean(),
  monitor,
  targets,
  threshold,
  comparison,
  minimumImpressions,
  sensitivity,
})

const withinUnit = {
  check: (rule: { threshold?: number | undefined; thresholdUnit?: ThresholdUnit | undefined }) =>
    rule.thresholdUnit !== '%' || rule.threshold === undefined || rule.threshold <= 100,
  problem: { path: ['threshold'], error: 'A percentage is at most 100' },
}

/** What is left out takes the type's default; a title with "spike" watches rises. */
export const newCondition = fields
  .partial()
  .extend({ type: conditionType, kind: conditionKind.default('change'), thresholdUnit: thresholdUnit.optional() })
  .refine(withinUnit.check, withinUnit.problem)
export type NewCondition = z.input<typeof newCondition>

/** The changed fields. The server checks a percentage against the rule's unit. */
export const conditionChange = fields.partial()
export type ConditionChange = z.infer<typeof conditionChange>

/** Another setting that the rated alerts of the last 12 months speak for; null for none. */
export const ruleProposal = z.object({
  proposal: z
    .object({
      /** One field, as a change of the rule takes it. */
      change: fields.pick({ sensitivity: true, onlyUnusual: true, threshold: true }).partial(),
      /** Rated alerts that it would still have opened, of those that the rule opens now. */
      useful: z.object({ kept: z.number().int(), of: z.number().int() }),
      noise: z.object({ kept: z.number().int(), of: z.number().int() }),
      /** Alerts that the rule would have opened as it is, and as it is proposed, in so many days: those of a year, or of all that is stored. */
      alerts: z.object({ now: z.number().int(), proposed: z.number().int(), days: z.number().int() }),
    })
    .nullable(),
})
export type RuleProposal = z.infer<typeof ruleProposal>['proposal']

/** When an unsaved rule would have alerted. */
export const backtestAnswer = z.object({
  /** The stored history that was looked through. */
  from: isoDate.nullable(),
  through: isoDate.nullable(),
  /**
   * The days on which alerts would have been opened, or were not because the change is usual, oldest first; `entities` names the first
   * twenty of a day.
   */
  days: z.array(z.object({ date: isoDate, alerts: z.number().int(), silenced: z.number().int(), entities: z.array(z.string()) })),
  /** Alerts a year that the rule opens here; null while too little is stored to tell. */
  alertsAYear: z.number().nullable(),
  /** What is usual for the busiest of what the rule watches; null without the switch, or while too little is stored to tell. */
  usual: z
    .object({
      entity: z.string(),
      /** How far it varies from week to week, in percent; in places for positions. */
      varies: z.number(),
      /** The change from which on the rule alerts: below zero for a drop of a count or a CTR, above for a loss of places. */
      alertsFrom: z.number(),
    })
    .nullable(),
})
export type BacktestAnswer = z.infer<typeof backtestAnswer>

const path = '/api/alert-conditions'
const made = { query: propertyQuery, body: newCondition } as const
/** Rules (SPEC §7, OPEN-POINTS 5, 6, 22), of `?property=` or the selected one. */
export const alertConditionEndpoints = {
  list: endpoint({ method: 'GET', path, access: 'session', query: propertyQuery, answer: alertConditions }),
  create: endpoint({ ...made, method: 'POST', path, access: 'session', answer: alertCondition, status: 201 }),
  backtest: endpoint({ ...made, method: 'POST', path: `${path}/backtest`, access: 'session', answer: backtestAnswer }),
  /** Asks what the ratings of its alerts speak for. */
  proposal: endpoint({ method: 'GET', path: `${path}/:id/proposal`, access: 'session', params: byId, answer: ruleProposal }),
  change: endpoint({
    method: 'PATCH',
    path: `${path}/:id`,
    access: 'session',
    params: byId,
    body: conditionChange,
    answer: alertCondition,
  }),
  remove: endpoint({ method: 'DELETE', path: `${path}/:id`, access: 'session', params: byId }),
  /** A copy, switched off. */
  duplicate: endpoint({
    method: 'POST',
    path: `${path}/:id/duplicate`,
    access: 'session',
    params: byId,
    answer: alertCondition,
    status: 201,
  }),
}
