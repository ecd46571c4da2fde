import { z } from 'zod'
import type { AnomalyMetric } from '../../../contract/annotations.ts'
import { dayFigures, figures, type RowFigures } from '../../../contract/figures.ts'
import type { Period } from '../../../contract/metrics.ts'
import { daysBetween, eachDay } from '../../../core/analytics/days.ts'
import { consecutivePeriods } from '../../../core/analytics/periods.ts'
import { changeOf } from '../../../core/analytics/shown-change.ts'
import { totalsOf } from '../../../core/analytics/totals.ts'
import { grainOf } from '../../facts/questions/daily-figures.ts'
import type { ApiServices } from '../operation.ts'
import { periodArguments } from './arguments.ts'
import { counted } from '../../../core/words.ts'
import { comparedText, figuresText, notComparable, paragraphs, periodText, quoted } from './copy.ts'
import { dataContext, type DataContexts, contextText } from './data-context.ts'
import { type McpTool, tool } from './tool.ts'

const changes = z
  .object({
    clicksPercent: z.number().nullable(),
    impressionsPercent: z.number().nullable(),
    ctrPercent: z.number().nullable(),
    positions: z.number().nullable().describe('In positions; negative is an improvement.'),
  })
  .describe('Null with nothing to compare, or if Google counted differently on some of the days.')

const output = dataContext.extend({
  page: z.string().nullable(),
  query: z.string().nullable(),
  totals: figures.describe('`ctr` is a fraction; `position` is weighted by impressions, 0 if unknown.'),
  previousTotals: figures.nullable(),
  change: changes.nullable(),
  days: z.array(dayFigures).describe('By day, oldest first. Days that are not stored are omitted.'),
  previousDays: z.array(dayFigures),
})

export const sitePerformanceTool = ({ analytics }: ApiServices, contexts: DataContexts): McpTool =>
  tool({
    name: 'site_performance',
    title: 'How is a site doing?',
    description:
      'Clicks, impressions, CTR and average position of a site for a period, compared with the previous period or a year earlier, with the daily trend. Set `page` or `query` to see only that page or query.',
    scope: 'read',
    input: z.object({
      ...periodArguments,
      page: z.string().min(1).max(4096).optional().describe('The full URL of one page, as list_pages returns it.'),
      query: z.string().min(1).max(4096).optional().describe('One query, exactly as list_keywords returns it.'),
    }),
    output,
    async run(person, { property: name, page, query, ...asked }) {
      const site = await contexts.siteOf(person, name)
      const grain = grainOf({ page, query })
      const about = await contexts.ofPeriod(site, asked, grain, grain === 'total' ? [] : [grain])
      const found = await analytics.overview.days(site.property, { ...asked, page, query })
      const whole = page === undefined && query === undefined
      const compared = about.dataContext.comparedWith !== null
      const totals = whole ? about.summary.totals : sumOf(found.days)
      const before = whole ? about.summary.previousTotals : sumOf(found.previousDays)
      const previousTotals = compared ? before : null
      return {
        ...about.dataContext,
        page: page ?? null,
        query: query ?? null,
        totals,
        previousTotals,
        change: previousTotals && changesOf(totals, previousTotals, notComparable(about.dataContext)),
        days: withZeros(found.days, about.dataContext.period, found.gaps),
        previousDays: withZeros(found.previousDays, about.dataContext.comparedWith, found.previousGaps),
      }
    },
    text: ({ page, query, totals, previousTotals, days, ...rest }) =>
      paragraphs(
        `${[query !== null && `The query ${quoted(query)}`, page !== null && `The page ${quoted(page)}`].filter(Boolean).join(' on ') || rest.property}, ${periodText(rest.period)}: ${comparedText({ ...totals, previous: previousTotals }, rest)}.`,
        trendOf(days, rest.period),
        contextText(rest),
      ),
  })

/** Weights days by impressions, so that the mean position is that of the whole period. */
const sumOf = (days: readonly RowFigures[]): RowFigures =>
  totalsOf(
    days.map(({ clicks, impressions, position }) => ({
      clicks,
      impressions,
      positionSum: position * impressions,
      rankedImpressions: position > 0 ? impressions : 0,
    })),
  )

function changesOf(now: RowFigures, before: RowFigures, incomparable: readonly AnomalyMetric[]): z.infer<typeof changes> {
  const change = (metric: AnomalyMetric) => {
    const isUnknown = incomparable.includes(metric) || (metric === 'ctr' && now.impressions === 0)
    return isUnknown ? null : changeOf(metric, now[metric], before[metric])
  }
  return {
    clicksPercent: change('clicks'),
    impressionsPercent: change('impressions'),
    ctrPercent: change('ctr'),
    positions: change('position'),
  }
}

/** The stored days of a period: those without impressions are zeros, unlike missing ones. */
function withZeros(days: readonly Day[], period: Period | null, gaps: readonly Period[]): Day[] {
  if (period === null) return []
  const known = new Map(days.map((day) => [day.date, day]))
  return eachDay(period.start, period.end)
    .filter((date) => !gaps.some(({ start, end }) => start <= date && date <= end))
    .map((date) => known.get(date) ?? { date, ...sumOf([]) })
}

/** The completely stored weeks of the period, so that weekends don't look like a drop; the days themselves are in the data. */
function trendOf(days: readonly Day[], { start, end }: Period): string | null {
  const [best, worst] = [days.reduce(...most(1)), days.reduce(...most(-1))]
  if (!best || !worst) return null
  if (days.every(({ impressions }) => impressions === 0)) return 'No impressions in this period.'
  const weeks = consecutivePeriods({ start, end }, 7, Math.floor(daysBetween(start, end) / 7))
    .map((week) => ({ week, of: days.filter(({ date }) => date >= week.start && date <= week.end) }))
    .filter(({ of }) => of.length === 7)
  const byWeek =
    weeks.length > 1 && `By week, oldest first: ${weeks.map(({ week, of }) => `${week.start} ${figuresText(sumOf(of))}`).join('; ')}.`
  return [
    byWeek,
    `Data for ${counted(days.length, 'day')}; most clicks on ${best.date} (${best.clicks.toLocaleString('en-US')}), fewest on ${worst.date} (${worst.clicks.toLocaleString('en-US')}).`,
  ]
    .filter(Boolean)
    .join(' ')
}

type Day = z.infer<typeof dayFigures>
const most = (sign: 1 | -1) =>
  [(found: Day | null, day: Day) => (found && sign * (day.clicks - found.clicks) <= 0 ? found : day), null] as const
