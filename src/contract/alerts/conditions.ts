import { z } from 'zod'
import { byId, cleanedText, isoDate, oneLine, orElse, propertyQuery, searchType } from '../common.ts'
import { signedIn } from '../endpoint.ts'

export const conditionType = z.enum(['clicks', 'ctr', 'impressions', 'position'])
export type ConditionType = z.infer<typeof conditionType>

/**
 * What a rule looks for: a figure that changed by some amount, one that differs from the expected value, a query or page that is new among
 * the top positions, or a lost ranking.
 */
export const conditionKind = z.enum(['change', 'unusual', 'new_query', 'lost_query', 'new_page'])
export type ConditionKind = z.infer<typeof conditionKind>

/** `all_pages` and `all_queries` are for unusual changes. */
export const monitor = z.enum(['site', 'top_pages', 'top_queries', 'pages', 'queries', 'new_content', 'all_pages', 'all_queries'])
export type Monitor = z.infer<typeof monitor>

/** Which change of a figure counts; a position falls when its number grows. */
export const direction = z.enum(['falls', 'rises', 'both'])
export type Direction = z.infer<typeof direction>

/** False alarms per year of a rule for unusual changes: about 0.5, 1 or 2. */
export const sensitivity = z.enum(['low', 'normal', 'high'])
export type Sensitivity = z.infer<typeof sensitivity>

export const comparison = z.enum(['previous_7_days', 'previous_30_days', 'same_period_last_year'])
export type Comparison = z.infer<typeof comparison>

export const thresholdUnit = z.enum(['%', 'positions'])
export type ThresholdUnit = z.infer<typeof thresholdUnit>

const option = <T extends z.ZodType>(value: T) => z.array(z.object({ value, label: z.string() }))

const title = cleanedText(120, oneLine, 'The title can have up to 120 characters').min(1, 'Give the rule a title')
const targets = z
  .array(z.string().min(1).max(2048, 'A page or keyword can have up to 2,048 characters'))
  .max(100, 'You can add up to 100 pages or keywords')
  .refine((names) => names.reduce((sum, { length }) => sum + length, 0) <= 50_000, 'The list can have up to 50,000 characters in total')
/** A segment of the account (`/api/explore/saved`); null for none. */
const segment = byId.shape.id.nullable()
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

/** A rule as displayed (SPEC §3): `comparison` for clicks only, `minimumImpressions` for the others. */
export const alertCondition = z.object({
  id: z.string(),
  property: orElse(z.string(), ''),
  type: orElse(conditionType, 'clicks'),
  kind: orElse(conditionKind, 'change'),
  title: z.string(),
  icon: z.string(),
  isEnabled: z.boolean(),
  direction: orElse(direction, 'falls'),
  /** Whether changes that are usual for this site, page or query are ignored. */
  onlyUnusual: orElse(z.boolean(), false),
  monitor,
  monitorOptions: orElse(option(monitor), []),
  /** Whose figures it is about. */
  searchType: orElse(searchType, 'web'),
  /** Only for a rule limited to a segment: its id and name. */
  segment: z.string().optional(),
  segmentName: z.string().optional(),
  /** Selected pages or queries, for the monitors `pages` and `queries`. */
  targets: orElse(z.array(z.string()), []),
  threshold: z.number(),
  thresholdUnit,
  comparison: comparison.optional(),
  comparisonOptions: option(comparison).optional(),
  minimumImpressions: z.number().optional(),
  /** Only for a rule about unusual changes, whose `threshold` is the smallest change it reports. */
  sensitivity: sensitivity.optional(),
  /** Why the last evaluation failed; null if it didn't. */
  problem: orElse(z.string().nullable(), null),
  /** Findings of the last evaluation that didn't become alerts because there were too many. */
  leftOut: orElse(z.number().int(), 0),
  /** How many of its rated alerts from the last 12 months were useful; only if there are any. */
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
  searchType,
  targets,
  segment,
  threshold,
  comparison,
  minimumImpressions,
  sensitivity,
})

const withinUnit = {
  check: (rule: { threshold?: number | undefined; thresholdUnit?: ThresholdUnit | undefined }) =>
    rule.thresholdUnit !== '%' || rule.threshold === undefined || rule.threshold <= 100,
  problem: { path: ['threshold'], error: "A percentage can't be over 100" },
}

/** Missing fields take the type's default; a title with "spike" watches rises. */
export const newCondition = fields
  .partial()
  .extend({ type: conditionType, kind: conditionKind.default('change'), thresholdUnit: thresholdUnit.optional() })
  .refine(withinUnit.check, withinUnit.problem)
export type NewCondition = z.input<typeof newCondition>

/** Only the changed fields. The server checks a percentage against the rule's unit. */
export const conditionChange = fields.partial()
export type ConditionChange = z.infer<typeof conditionChange>

/** A setting suggested by the ratings of the last 12 months; null for none. */
export const ruleProposal = z.object({
  proposal: z
    .object({
      /** One field, in the form of a rule change. */
      change: fields.pick({ sensitivity: true, onlyUnusual: true, threshold: true }).partial(),
      /** How many of the rated alerts that the rule opens now it would still have opened. */
      useful: z.object({ kept: z.number().int(), of: z.number().int() }),
      noise: z.object({ kept: z.number().int(), of: z.number().int() }),
      /**
       * Alerts the rule would have opened with the current and the proposed setting, within this many days: a year, or all that is stored.
       */
      alerts: z.object({ now: z.number().int(), proposed: z.number().int(), days: z.number().int() }),
    })
    .nullable(),
})
export type RuleProposal = z.infer<typeof ruleProposal>['proposal']

/** When an unsaved rule would have alerted. */
export const backtestAnswer = z.object({
  /** The evaluated part of the stored history. */
  from: isoDate.nullable(),
  through: isoDate.nullable(),
  /**
   * Days with alerts, or with changes ignored as usual, oldest first; `entities` names the first twenty of a day, fewer on older days if
   * names are long.
   */
  days: z.array(z.object({ date: isoDate, alerts: z.number().int(), silenced: z.number().int(), entities: z.array(z.string()) })),
  /** Alerts per year that the rule opens here; null while too little is stored to tell. */
  alertsAYear: z.number().nullable(),
  /** What is usual for the busiest entity the rule watches; null without the switch, or while too little is stored to tell. */
  usual: z
    .object({
      entity: z.string(),
      /** Its variation from week to week, in percent; in places for positions. */
      varies: z.number(),
      /** The change at which the rule alerts: negative for a drop of a count or a CTR, positive for a loss of places. */
      alertsFrom: z.number(),
    })
    .nullable(),
  /** Smart rules: what is expected of a week of the busiest entity; null while too little is stored to tell. */
  expected: z
    .object({
      entity: z.string(),
      /** Clicks or impressions of the week, its CTR as a fraction, or its position. */
      value: z.number(),
      /** The values at which the rule alerts; null if it never does in that direction. */
      low: z.number().nullable(),
      high: z.number().nullable(),
    })
    .nullable(),
})
export type BacktestAnswer = z.infer<typeof backtestAnswer>

const path = '/api/alert-conditions'
const made = { query: propertyQuery, body: newCondition, bodyBytes: 256 * 1024 } as const
/** Rules (SPEC §7, OPEN-POINTS 5, 6, 22), for `?property=` or the selected one. */
export const alertConditionEndpoints = {
  list: signedIn.get(path, { query: propertyQuery, isLong: 'names', answer: alertConditions }),
  create: signedIn.post(path, { ...made, answer: alertCondition, status: 201 }),
  backtest: signedIn.post(`${path}/backtest`, { ...made, changesNothing: true, answer: backtestAnswer }),
  /** The change suggested by its alerts' ratings. */
  proposal: signedIn.get(`${path}/:id/proposal`, { params: byId, answer: ruleProposal }),
  change: signedIn.patch(`${path}/:id`, { params: byId, body: conditionChange, bodyBytes: 256 * 1024, answer: alertCondition }),
  remove: signedIn.remove(`${path}/:id`, { params: byId }),
  /** Makes a copy, switched off. */
  duplicate: signedIn.post(`${path}/:id/duplicate`, { params: byId, answer: alertCondition, status: 201 }),
}
