import { z } from 'zod'
import { type Alert, type AlertReport, alertReport, alertState, alertVerdict, severity } from '../../../contract/alerts.ts'
import type { ChangeBreakdown, ChangePart, Coincidence } from '../../../contract/change-breakdown.ts'
import { isoDate } from '../../../contract/common.ts'
import { partNames } from '../../../core/alerting/why.ts'
import { changeText, figure, withoutMarkup } from '../../../core/alerting/words.ts'
import { Refusal } from '../../common/errors.ts'
import type { ApiServices } from '../operation.ts'
import { limitArgument, propertyArgument } from './arguments.ts'
import { fitting, quoted } from './plain.ts'

import type { Standings } from './standing.ts'
import { type McpTool, tool } from './tool.ts'
import { count, numbered, paragraphs, periodText } from './words.ts'

const window = z.object({ start: isoDate, end: isoDate }).nullable()

/** An alert in a list: what happened, in a sentence without markup. */
export const alertRow = z.object({
  id: z.string(),
  property: z.string(),
  severity: z.string(),
  metric: z.string(),
  title: z.string(),
  description: z.string(),
  about: z.object({ kind: z.string().describe('connection, site, page or query'), name: z.string() }),
  state: alertState,
  openedAt: z.iso.datetime(),
  snoozedUntil: z.iso.datetime().nullable(),
  currentValue: z.number().nullable(),
  previousValue: z.number().nullable(),
  change: z.number().nullable().describe('Per cent; places for positions.'),
  current: window,
  previous: window,
  verdict: alertVerdict.nullable().describe('What its owner said of it: useful, or noise; null until then.'),
  unusual: z
    .object({ months: z.number() })
    .optional()
    .describe('The previous value is what was to be expected; a change like it comes about once in so many months here.'),
})
export type AlertRow = z.infer<typeof alertRow>

export const alertRowOf = (alert: Alert): AlertRow => ({
  id: alert.id,
  property: alert.target,
  severity: alert.severity,
  metric: alert.type,
  title: alert.title,
  description: withoutMarkup(alert.description),
  about: alert.entity,
  state: alert.state,
  openedAt: alert.timestamp,
  snoozedUntil: alert.snoozedUntil,
  currentValue: alert.currentValue,
  previousValue: alert.previousValue,
  change: alert.change,
  current: alert.current,
  previous: alert.previous,
  verdict: alert.verdict,
  ...(alert.unusual && { unusual: alert.unusual }),
})

export const alertLine = (alert: AlertRow): string =>
  `${alert.title} (alert ${alert.id}, ${alert.severity}, ${alert.state}${alert.snoozedUntil ? ` until ${alert.snoozedUntil}` : ''}, opened ${alert.openedAt.slice(0, 10)}${alert.verdict ? `, rated ${alert.verdict}` : ''}, ${alert.property}). ${alert.description}`

export const alertIdArgument = z
  .string()
  .regex(/^\d{1,15}$/, 'An alert is named by its number, as list_alerts gives it')
  .describe('The number of an alert, as list_alerts gives it.')

export const listAlertsTool = ({ alerts }: ApiServices, standings: Standings): McpTool =>
  tool({
    name: 'list_alerts',
    title: 'Which alerts are open?',
    description:
      'Alerts on changes that stand out, the latest first: those that are open now (firing, acknowledged or snoozed), or all there ever were. Without a property: of all sites.',
    scope: 'read',
    input: z.object({
      property: propertyArgument.describe('Only of this site: a name as list_sites gives it, or its host. Without it: of all sites.'),
      state: z.enum(['open', 'all']).default('open').describe('`all` includes those that have recovered.'),
      severity: severity.optional().describe('Only of this severity.'),
      from: isoDate.optional().describe('Only those opened since this day (UTC), and all that are still open.'),
      to: isoDate.optional().describe('Only those opened up to this day (UTC).'),
      limit: limitArgument(20),
    }),
    output: z.object({
      alerts: z.array(alertRow),
      total: z.number().describe('How many match; more than there are rows when the list was cut.'),
    }),
    async run(person, { property: name, limit, ...filter }) {
      const property = name === undefined ? null : await standings.propertyOf(person, name)
      const about = { ...filter, propertyId: property?.id ?? null }
      const [rows, total] = await Promise.all([alerts.list(person.id, { ...about, limit, offset: 0 }), alerts.count(person.id, about)])
      return { alerts: fitting(rows.map(alertRowOf)), total }
    },
    tell: ({ alerts: rows, total }) =>
      paragraphs(
        total === 0 ? 'No alerts match.' : `${count(total, 'alert')}:`,
        numbered(rows.map(alertLine)),
        rows.length < total && `Only the latest ${rows.length} are shown.`,
      ),
  })

const story = alertReport.pick({
  why: true,
  breakdown: true,
  coincidences: true,
  expectation: true,
  contributors: true,
  timeline: true,
  timelineCut: true,
  deliveries: true,
  deliveriesCut: true,
  series: true,
})

export const alertStoryTool = ({ alerts }: ApiServices): McpTool =>
  tool({
    name: 'alert_story',
    title: 'What is behind an alert?',
    description:
      'One alert with its whole story: both compared periods, why it changed, what else happened then, which pages or queries contributed, its life (opened, acknowledged, snoozed, recovered), to whom it was sent, and the figure day by day.',
    scope: 'read',
    input: z.object({ id: alertIdArgument }),
    output: alertRow.extend({
      why: story.shape.why.describe('What the change is mostly made of, in a sentence or two.'),
      breakdown: story.shape.breakdown.describe(
        'The change in clicks or impressions split into parts that add up to it, and by dimension.',
      ),
      coincidences: story.shape.coincidences.describe('What else happened when the change began: it may have nothing to do with it.'),
      expectation: story.shape.expectation.describe(
        'Of an unusual change: its first day, and what was expected of each day, with the band in which 19 of 20 ordinary days lie.',
      ),
      contributors: story.shape.contributors,
      timeline: story.shape.timeline,
      timelineCut: story.shape.timelineCut,
      deliveries: story.shape.deliveries,
      deliveriesCut: story.shape.deliveriesCut,
      series: story.shape.series.describe(
        'Day by day; `value` is null where nothing is known, `complete` false where Google may still change it.',
      ),
    }),
    async run(person, { id }) {
      const report = await alerts.report(person.id, id).catch((error: unknown) => {
        if (error instanceof Refusal && error.status === 404)
          throw new Refusal(404, `There is no alert ${id} in this account. list_alerts gives the numbers.`, 'id')
        throw error
      })
      const { why, breakdown, coincidences, expectation, contributors, timeline, timelineCut, deliveries, deliveriesCut, series } = report
      return {
        ...alertRowOf(report),
        ...(why !== undefined && { why: withoutMarkup(why) }),
        ...(breakdown && { breakdown }),
        ...(coincidences && { coincidences: fitting(coincidences) }),
        ...(expectation && { expectation }),
        contributors: fitting(contributors),
        timeline: fitting(timeline),
        ...(timelineCut && { timelineCut }),
        deliveries: fitting(deliveries),
        ...(deliveriesCut && { deliveriesCut }),
        series,
      }
    },
    tell: ({
      why,
      breakdown,
      coincidences,
      expectation,
      contributors,
      timeline,
      timelineCut,
      deliveries,
      deliveriesCut,
      series,
      ...alert
    }) =>
      paragraphs(
        alertLine(alert),
        alert.current &&
          alert.previous &&
          !alert.unusual &&
          `Compared: ${periodText(alert.current)} against ${periodText(alert.previous)}.`,
        expectation !== undefined && `The change began on ${expectation.firstDay}.`,
        why !== undefined && `Why: ${why}`,
        breakdown !== undefined && breakdown.parts !== null && `In parts, in clicks: ${partsText(breakdown.parts)}.`,
        coincidences !== undefined && `What else happened then, perhaps by coincidence:\n${numbered(coincidences.map(coincidenceLine))}`,
        contributors.length > 0 && `What contributed:\n${numbered(contributors.map((each) => contributorLine(alert, each)))}`,
        timeline.length > 0 &&
          `Its life:\n${numbered(timeline.map(({ at, to, reason, by }) => `${at.slice(0, 16).replace('T', ' ')} UTC: ${to} (${reason.replaceAll('_', ' ')}${by ? `, by ${by}` : ''})`))}`,
        deliveries.length > 0 &&
          `Sent:\n${numbered(deliveries.map(({ channel, event, state, to, at }) => `${event} by ${channel}${to ? ` to ${to}` : ''}: ${state}${at ? ` ${at.slice(0, 16).replace('T', ' ')} UTC` : ''}`))}`,
        (timelineCut === true || deliveriesCut === true) && 'Older events or messages are left out.',
        series.some(({ complete }) => !complete) && 'Some of the last days are not final yet.',
      ),
  })

const signed = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0, signDisplay: 'exceptZero' })

const partsText = (parts: NonNullable<ChangeBreakdown['parts']>): string =>
  (Object.entries(parts) as [ChangePart, number][])
    .filter(([, clicks]) => Math.round(clicks) !== 0)
    .map(([part, clicks]) => `${partNames[part][clicks < 0 ? 0 : 1]} ${signed.format(clicks)}`)
    .join('; ')

const coincidenceLine = ({ kind, from, to, title }: Coincidence): string =>
  `${kind.replaceAll('_', ' ')}, ${from === to ? from : `${from} to ${to ?? 'now'}`}: ${quoted(title)}`

function contributorLine(
  { metric }: AlertRow,
  { entity, previousValue, currentValue, change }: AlertReport['contributors'][number],
): string {
  const name = metric === 'ctr' || metric === 'position' || metric === 'impressions' ? metric : 'clicks'
  return `${entity.kind} ${quoted(entity.name)}: from ${figure(name, previousValue)} to ${figure(name, currentValue)} (${changeText(name, change)})`
}
