import { z } from 'zod'
import {
  type Alert,
  alertFinding,
  type AlertReport,
  alertReport,
  alertState,
  alertVerdict,
  otherFindings,
  severity,
} from '../../../contract/alerts/alerts.ts'
import type { ChangeBreakdown, ChangePart, Coincidence } from '../../../contract/alerts/change-breakdown.ts'
import type { RateBreakdown } from '../../../contract/alerts/rate-breakdown.ts'
import { rateMoved, ratePartsNamed } from '../../../core/alerting/rate-why.ts'
import { isoDate, searchType } from '../../../contract/common.ts'
import { levelText } from '../../../core/alerting/ending.ts'
import { partNames } from '../../../core/alerting/why.ts'
import { expectedSentence, figure, sizeOf, withoutMarkup } from '../../../core/alerting/copy.ts'
import { Refusal } from '../../common/errors.ts'
import type { ApiServices } from '../operation.ts'
import { limitArgument, propertyArgument } from './arguments.ts'
import { counted } from '../../../core/words.ts'
import { fitting, numbered, paragraphs, periodText, quoted } from './copy.ts'

import type { DataContexts } from './data-context.ts'
import { type McpTool, tool } from './tool.ts'

const window = z.object({ start: isoDate, end: isoDate }).nullable()

/** An alert in a list, as a sentence without markup. */
export const alertRow = z.object({
  id: z.string(),
  property: z.string(),
  severity: z.string(),
  metric: z.string(),
  title: z.string(),
  description: z.string(),
  about: z.object({ kind: z.string().describe('connection, site, segment, page or query'), name: z.string() }),
  searchType: searchType.optional().describe('Only for search types other than web.'),
  state: alertState,
  openedAt: z.iso.datetime(),
  snoozedUntil: z.iso.datetime().nullable(),
  currentValue: z.number().nullable(),
  previousValue: z.number().nullable(),
  change: z.number().nullable().describe('In percent; in positions for `position`.'),
  current: window,
  previous: window,
  /** How it ended; undescribed, since it is in several tools' output. */
  ended: z.string().optional(),
  verdict: alertVerdict.nullable().describe('The owner’s rating: useful or noise; null if not rated.'),
  unusual: z
    .object({ months: z.number() })
    .optional()
    .describe('For unusual changes: `previousValue` is the expected value; expect a change this large once every `months` months.'),
})
export type AlertRow = z.infer<typeof alertRow>

/** `settled: 280 clicks a week, was 700` */
const endedText = ({ ended, type }: Pick<Alert, 'ended' | 'type'>): string | undefined =>
  ended && `${ended.as}${ended.level ? `: ${levelText(type, ended.level)}` : ''}`

export const alertRowOf = (alert: Alert): AlertRow => ({
  id: alert.id,
  property: alert.target,
  severity: alert.severity,
  metric: alert.type,
  title: alert.title,
  description: withoutMarkup(alert.description),
  about: alert.entity,
  ...(alert.searchType && { searchType: alert.searchType }),
  state: alert.state,
  openedAt: alert.timestamp,
  snoozedUntil: alert.snoozedUntil,
  currentValue: alert.currentValue,
  previousValue: alert.previousValue,
  change: alert.change,
  current: alert.current,
  previous: alert.previous,
  ...(alert.ended && { ended: endedText(alert) }),
  verdict: alert.verdict,
  ...(alert.unusual && { unusual: { months: alert.unusual.months } }),
})

export const alertLine = (alert: AlertRow): string =>
  `${alert.title} (alert ${alert.id}, ${alert.severity}, ${alert.ended ?? alert.state}${alert.snoozedUntil ? ` until ${alert.snoozedUntil}` : ''}, opened ${alert.openedAt.slice(0, 10)}${alert.verdict ? `, rated ${alert.verdict}` : ''}, ${alert.property}). ${alert.description}`

/** An alert with the other changes that share its cause. */
const incident = alertRow.extend({
  findings: z
    .array(alertFinding.pick({ id: true, title: true, severity: true, state: true, change: true }))
    .optional()
    .describe('Other changes with the same cause, most severe first; three at most in a list. Each has its own alert_story.'),
  moreFindings: z.number().optional().describe('How many more of them there are.'),
})
type Incident = z.infer<typeof incident>

function incidentOf(alert: Alert): Incident {
  const others = otherFindings(alert).map(({ id, title, severity: grade, state, change }) => ({
    id,
    title,
    severity: grade,
    state,
    change,
  }))
  const findings = fitting(others)
  const more = others.length - findings.length + (alert.moreFindings ?? 0)
  return { ...alertRowOf(alert), ...(findings.length > 0 && { findings }), ...(more > 0 && { moreFindings: more }) }
}

/** The alert's line, and `Same cause: “CTR dropped: desk lamp” (alert 7); and 3 more.` */
function incidentLine(alert: Incident): string {
  const { findings = [], moreFindings = 0 } = alert
  const said = [
    ...findings.map(({ title, id }) => `${quoted(title)} (alert ${id})`),
    ...(moreFindings > 0 ? [`and ${moreFindings} more`] : []),
  ]
  return `${alertLine(alert)}${said.length > 0 ? ` Same cause: ${said.join('; ')}.` : ''}`
}

export const alertIdArgument = z
  .string()
  .regex(/^\d{1,15}$/, 'Use an alert ID from list_alerts')
  .describe('An alert ID from list_alerts.')

export const listAlertsTool = ({ alerts }: ApiServices, contexts: DataContexts): McpTool =>
  tool({
    name: 'list_alerts',
    title: 'Which alerts are open?',
    description:
      'Alerts about significant changes, newest first: open alerts (firing, acknowledged or snoozed) or all of them. Without a property, covers all sites.',
    scope: 'read',
    input: z.object({
      property: propertyArgument.describe('Only alerts for this site: a name from list_sites, or its host. Defaults to all sites.'),
      state: z.enum(['open', 'all']).default('open').describe('`all` includes recovered alerts.'),
      severity: severity.optional().describe('Only alerts of this severity.'),
      from: isoDate.optional().describe('Only alerts opened on or after this day (UTC), plus all that are still open.'),
      to: isoDate.optional().describe('Only alerts opened on or before this day (UTC).'),
      limit: limitArgument(20),
    }),
    output: z.object({
      alerts: z.array(incident),
      total: z.number().describe('The number of matches, which can exceed the rows returned.'),
    }),
    async run(person, { property: name, limit, ...filter }) {
      const property = name === undefined ? null : await contexts.propertyOf(person, name)
      const about = { ...filter, propertyId: property?.id ?? null }
      const [rows, total] = await Promise.all([alerts.list(person.id, { ...about, limit, offset: 0 }), alerts.count(person.id, about)])
      return { alerts: fitting(rows.map(incidentOf)), total }
    },
    text: ({ alerts: rows, total }) =>
      paragraphs(
        total === 0 ? 'No alerts match.' : `${counted(total, 'alert')}:`,
        numbered(rows.map(incidentLine)),
        rows.length < total && `Only the latest ${rows.length} are shown.`,
      ),
  })

const story = alertReport.pick({
  why: true,
  breakdown: true,
  rateBreakdown: true,
  coincidences: true,
  expected: true,
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
    title: 'Why did an alert fire?',
    description:
      'One alert in full: both periods, why the metric changed, what else happened around that time, top contributing pages or queries, the alert’s timeline (opened, acknowledged, snoozed, recovered), who was notified, and the metric by day.',
    scope: 'read',
    input: z.object({ id: alertIdArgument }),
    output: incident.extend({
      why: story.shape.why.describe('What drove the change, in a sentence or two.'),
      breakdown: story.shape.breakdown.describe(
        'The change in clicks or impressions, broken down by cause (the parts add up to the total) and by dimension.',
      ),
      rateBreakdown: story.shape.rateBreakdown.describe(
        'The change in CTR or position by dimension: `rate` comes from changes within each part, `mix` from changes in their shares of impressions; with `unnamed`, they add up to the change.',
      ),
      coincidences: story.shape.coincidences.describe('What else happened around the start of the change. It may be unrelated.'),
      expected: story.shape.expected,
      expectation: story.shape.expectation.describe(
        'If there is enough history: the first day, and the expected value for each day with the range that covers 19 of 20 normal days.',
      ),
      contributors: story.shape.contributors,
      timeline: story.shape.timeline,
      timelineCut: story.shape.timelineCut,
      deliveries: story.shape.deliveries,
      deliveriesCut: story.shape.deliveriesCut,
      series: story.shape.series.describe('By day. `value` is null if unknown; `complete` is false while Google may still revise it.'),
    }),
    async run(person, { id }) {
      const report = await alerts.report(person.id, id).catch((error: unknown) => {
        if (error instanceof Refusal && error.status === 404)
          throw new Refusal(404, `This account has no alert ${id}. Get alert IDs from list_alerts.`, 'id')
        throw error
      })
      const {
        why,
        breakdown,
        rateBreakdown,
        coincidences,
        expected,
        expectation,
        contributors,
        timeline,
        timelineCut,
        deliveries,
        deliveriesCut,
        series,
      } = report
      return {
        ...incidentOf(report),
        ...(why !== undefined && { why: withoutMarkup(why) }),
        ...(breakdown && { breakdown }),
        ...(rateBreakdown && { rateBreakdown }),
        ...(coincidences && { coincidences: fitting(coincidences) }),
        ...(expected && { expected }),
        ...(expectation && { expectation }),
        contributors: fitting(contributors),
        timeline: fitting(timeline),
        ...(timelineCut && { timelineCut }),
        deliveries: fitting(deliveries),
        ...(deliveriesCut && { deliveriesCut }),
        series,
      }
    },
    text: ({
      why,
      breakdown,
      rateBreakdown,
      coincidences,
      expected,
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
        incidentLine(alert),
        alert.current && alert.previous && !alert.unusual && `Compared: ${periodText(alert.current)} vs ${periodText(alert.previous)}.`,
        expectation !== undefined && `The change began on ${expectation.firstDay}.`,
        expected !== undefined && expectedSentence(metricOf(alert), expected),
        why !== undefined && `Why: ${why}`,
        breakdown !== undefined && breakdown.parts !== null && `By cause, in clicks: ${partsText(breakdown.parts)}.`,
        rateBreakdown !== undefined && isRate(alert.metric) && rateText(alert.metric, rateBreakdown),
        coincidences !== undefined && `Around the same time (may be a coincidence):\n${numbered(coincidences.map(coincidenceLine))}`,
        contributors.length > 0 && `Top contributors:\n${numbered(contributors.map((each) => contributorLine(alert, each)))}`,
        timeline.length > 0 &&
          `Timeline:\n${numbered(timeline.map(({ at, to, reason, by }) => `${at.slice(0, 16).replace('T', ' ')} UTC: ${to} (${reason.replaceAll('_', ' ')}${by ? `, by ${by}` : ''})`))}`,
        deliveries.length > 0 &&
          `Sent:\n${numbered(deliveries.map(({ channel, event, state, to, at }) => `${event} by ${channel}${to ? ` to ${to}` : ''}: ${state}${at ? ` ${at.slice(0, 16).replace('T', ' ')} UTC` : ''}`))}`,
        (timelineCut === true || deliveriesCut === true) && 'Older events or notifications are not shown.',
        series.some(({ complete }) => !complete) && 'Some recent days are not final yet.',
      ),
  })

const signed = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0, signDisplay: 'exceptZero' })

const partsText = (parts: NonNullable<ChangeBreakdown['parts']>): string =>
  (Object.entries(parts) as [ChangePart, number][])
    .filter(([, clicks]) => Math.round(clicks) !== 0)
    .map(([part, clicks]) => `${partNames[part][clicks < 0 ? 0 : 1]} ${signed.format(clicks)}`)
    .join('; ')

const isRate = (metric: string): metric is 'ctr' | 'position' => metric === 'ctr' || metric === 'position'

/** Null for queries that can't be split. */
function rateText(metric: 'ctr' | 'position', { by }: RateBreakdown): string | null {
  const named = ratePartsNamed(
    metric,
    by.find(({ dimension }) => dimension === 'query'),
  )
  return named.length === 0 ? null : `By cause: ${named.map(({ name, moved }) => `${name} ${rateMoved(metric, moved)}`).join('; ')}.`
}

const coincidenceLine = ({ kind, from, to, title }: Coincidence): string =>
  `${kind.replaceAll('_', ' ')}, ${from === to ? from : `${from} to ${to ?? 'now'}`}: ${quoted(title)}`

const metricOf = ({ metric }: AlertRow) => (metric === 'ctr' || metric === 'position' || metric === 'impressions' ? metric : 'clicks')

function contributorLine(alert: AlertRow, { entity, previousValue, currentValue, change }: AlertReport['contributors'][number]): string {
  const name = metricOf(alert)
  return `${entity.kind} ${quoted(entity.name)}: from ${figure(name, previousValue)} to ${figure(name, currentValue)}${sizeOf(name, { previous: previousValue, change })}`
}
