import { z } from 'zod'
import { conditionType } from '../../contract/alerts/conditions.ts'
import { alertFinding, alertHours, alertUnusual, alertState, entityKind, severity } from '../../contract/alerts/alerts.ts'
import { coincidence } from '../../contract/alerts/change-breakdown.ts'
import { isoDate } from '../../contract/common.ts'

const span = z.object({ start: isoDate, end: isoDate })

/** What is told of one alert. Names in it are somebody else's text and may be anything but control characters. */
export const newsItem = z.object({
  alertId: z.string(),
  event: z.enum(['opened', 'recovered', 'woken']),
  severity,
  state: alertState,
  type: conditionType,
  /** Plain text, one line. */
  title: z.string(),
  /** What changed, from what to what, over which dates; `name` is a page or query. */
  sentence: z.array(z.union([z.string(), z.object({ name: z.string() })])),
  /** What the change is mostly made of. */
  why: z.array(z.union([z.string(), z.object({ name: z.string() })])).optional(),
  /** What else happened on the days on which it began. */
  coincidences: z.array(coincidence).optional(),
  entity: z.object({ kind: entityKind, name: z.string() }),
  /** As the alert's report shows them: sums, a fraction for CTR, a mean for positions. */
  currentValue: z.number().nullable(),
  previousValue: z.number().nullable(),
  /** Per cent, or places for positions. */
  change: z.number().nullable(),
  current: span.nullable(),
  previous: span.nullable(),
  /** Of one that was opened by the hours of a day. */
  hours: alertHours.optional(),
  unusual: alertUnusual.optional(),
  /** What else was found of the same cause. */
  findings: z.array(alertFinding).optional(),
  moreFindings: z.number().int().optional(),
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
  /** Daily figures up to the day it was judged by, oldest first. */
  series: z.array(z.number()),
  /** What mends it, for an alert about the connection: a path of ours or an address. */
  action: z.object({ label: z.string(), href: z.string() }).nullable(),
})
export type NewsItem = z.infer<typeof newsItem>

/** `change` in per cent of the previous value, for positions as well; null where there is nothing to compare with. */
const figure = z.object({ value: z.number(), previous: z.number().nullable(), change: z.number().nullable() })

/** How a property did, in the figures of its dashboard: 7 complete days against the 7 before. */
export const standing = z.object({
  current: span,
  previous: span,
  clicks: figure,
  impressions: figure,
  ctr: figure,
  position: figure,
})
export type Standing = z.infer<typeof standing>

const everyMessage = z.discriminatedUnion('kind', [
  /** What was found at one time, of one person: the properties with the most severe news first. A webhook gets one for each property. */
  z.object({
    kind: z.literal('alerts'),
    properties: z.array(z.object({ name: z.string(), items: z.array(newsItem) })),
    /** How many properties this person monitors. */
    monitored: z.number().int(),
  }),
  z.object({
    kind: z.literal('digest'),
    frequency: z.enum(['daily', 'weekly']),
    /** Those that did worst first. */
    properties: z.array(
      z.object({
        name: z.string(),
        /** Null while no complete day is stored. */
        standing: standing.nullable(),
        items: z.array(newsItem),
        /** Alerts that last, those in `items` included. */
        open: z.number().int(),
      }),
    ),
  }),
  z.object({ kind: z.literal('test'), property: z.string().nullable() }),
])

/** Before messages could be about several properties. */
const ofOneProperty = z
  .object({ kind: z.literal('alerts'), property: z.string(), items: z.array(z.unknown()) })
  .transform(({ kind, property, items }) => ({ kind, properties: [{ name: property, items }], monitored: 1 }))

/** What a notification says, as it was when it was put together: every attempt sends the same. */
export const message = z.preprocess((stored) => ofOneProperty.safeParse(stored).data ?? stored, everyMessage)
export type Message = z.infer<typeof message>
export type MessageOf<K extends Message['kind']> = Extract<Message, { kind: K }>

/** All that a message tells of, whichever property it is about. */
export const itemsIn = (told: Exclude<Message, { kind: 'test' }>): NewsItem[] => told.properties.flatMap(({ items }) => items)
