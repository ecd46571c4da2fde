import { z } from 'zod'
import { conditionType } from '../../contract/alerts/conditions.ts'
import {
  alertEnd,
  alertExpected,
  alertFinding,
  alertHours,
  alertUnusual,
  alertState,
  entityKind,
  severity,
} from '../../contract/alerts/alerts.ts'
import { coincidence } from '../../contract/alerts/change-breakdown.ts'
import { isoDate, searchType } from '../../contract/common.ts'

const span = z.object({ start: isoDate, end: isoDate })

/** What a message says about one alert. Names in it are user-supplied and may be anything except control characters. */
export const messageItem = z.object({
  alertId: z.string(),
  event: z.enum(['opened', 'recovered', 'woken', 'worsened']),
  severity,
  state: alertState,
  type: conditionType,
  /** Plain text, one line. */
  title: z.string(),
  /** What changed, from what to what, and the dates; `name` is a page or query. */
  sentence: z.array(z.union([z.string(), z.object({ name: z.string() })])),
  /** The main cause of the change. */
  why: z.array(z.union([z.string(), z.object({ name: z.string() })])).optional(),
  /** What else happened on the days it began. */
  coincidences: z.array(coincidence).optional(),
  entity: z.object({ kind: entityKind, name: z.string() }),
  /** Only for a search type other than web. */
  searchType: searchType.optional(),
  /** As in the alert's report: sums, a fraction for CTR, a mean for positions. */
  currentValue: z.number().nullable(),
  previousValue: z.number().nullable(),
  /** Percent, or places for positions. */
  change: z.number().nullable(),
  current: span.nullable(),
  previous: span.nullable(),
  /** For an alert opened by a day's hours. */
  hours: alertHours.optional(),
  ended: alertEnd.optional(),
  unusual: alertUnusual.optional(),
  expected: alertExpected.optional(),
  firstDay: isoDate.optional(),
  /** Other findings with the same cause. */
  findings: z.array(alertFinding).optional(),
  moreFindings: z.number().int().optional(),
  /** Titles of the rules that found it, if there are several. */
  rules: z.array(z.string()).optional(),
  openedAt: z.iso.datetime(),
  /** Most important first. */
  contributors: z.array(
    z.object({
      name: z.string(),
      currentValue: z.number().nullable(),
      previousValue: z.number().nullable(),
      change: z.number().nullable(),
    }),
  ),
  /** Daily figures through the last evaluated day, oldest first. */
  series: z.array(z.number()),
  /** If its change became much larger: the one that this reader was told, the present one, and of which day if only hours show it. */
  worse: z.object({ before: z.number(), now: z.number(), soFar: z.string().optional() }).optional(),
  /** How to fix a connection alert: one of our paths or a URL. */
  action: z.object({ label: z.string(), href: z.string() }).nullable(),
})
export type MessageItem = z.infer<typeof messageItem>

/**
 * `change` is in percent of the previous value, for positions too; null without a base or if that is 0 (0 if both are), and if both weeks
 * weren't counted the same way: `incomparable` then says so.
 */
const figure = z.object({
  value: z.number(),
  previous: z.number().nullable(),
  change: z.number().nullable(),
  incomparable: z.string().optional(),
})

/** How a property did, in its dashboard's figures: 7 complete days compared with the previous 7. */
export const standing = z.object({
  current: span,
  previous: span,
  clicks: figure,
  impressions: figure,
  ctr: figure,
  position: figure,
})
export type Standing = z.infer<typeof standing>

/** Alerts beyond the most severe ones that a message holds. */
const more = z.number().int().positive()

const everyMessage = z.discriminatedUnion('kind', [
  /** One person's alerts found at one time: the properties with the most severe alerts first. A webhook gets one message per property. */
  z.object({
    kind: z.literal('alerts'),
    properties: z.array(z.object({ name: z.string(), items: z.array(messageItem) })),
    /** How many properties this person monitors. */
    monitored: z.number().int(),
    more: more.optional(),
  }),
  z.object({
    kind: z.literal('digest'),
    frequency: z.enum(['daily', 'weekly']),
    /** Worst first. */
    properties: z.array(
      z.object({
        name: z.string(),
        /** Null while no complete day is stored. */
        standing: standing.nullable(),
        items: z.array(messageItem),
        /** Ongoing alerts, including those in `items`. */
        open: z.number().int(),
      }),
    ),
    more: more.optional(),
  }),
  z.object({ kind: z.literal('test'), property: z.string().nullable() }),
])

/** From before messages could be about several properties. */
const ofOneProperty = z
  .object({ kind: z.literal('alerts'), property: z.string(), items: z.array(z.unknown()) })
  .transform(({ kind, property, items }) => ({ kind, properties: [{ name: property, items }], monitored: 1 }))

/** A notification's content as first written: every attempt sends the same. */
export const message = z.preprocess((stored) => ofOneProperty.safeParse(stored).data ?? stored, everyMessage)
export type Message = z.infer<typeof message>
export type MessageOf<K extends Message['kind']> = Extract<Message, { kind: K }>

/** A message's items over all its properties. */
export const itemsIn = (given: Exclude<Message, { kind: 'test' }>): MessageItem[] => given.properties.flatMap(({ items }) => items)
