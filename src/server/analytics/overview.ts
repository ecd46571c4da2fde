import type { z } from 'zod'
import type {
  AnalyticsDays,
  AnalyticsQuery,
  AnalyticsSummary,
  dailyFileQuery,
  daysQuery,
  Segments,
  segmentsQuery,
} from '../../contract/analytics.ts'
import type { Period } from '../../contract/metrics.ts'
import { comparedPeriod, lastDays } from '../../core/analytics/periods.ts'
import { totalsOf } from '../../core/analytics/totals.ts'
import type { ReportProperty } from '../accounts/service.ts'
import { type DailyFigures, dailyFigures, grainOf } from '../facts/questions/daily-figures.ts'
import { exportColumns } from '../facts/export-rows.ts'
import { cutOffDays, storedLoads } from '../facts/stored-loads.ts'
import { csvFile } from '../common/csv-file.ts'
import { type CompleteProperty, isComplete } from './asked-property.ts'
import { fileNameOf, type ReportFile } from './files.ts'
import { answerKey, comparedGrains, comparedOf, hasBefore, type AnalyticsParts } from './parts.ts'
import { windowListed } from '../facts/questions/window-sums.ts'
import { segmentFigures } from '../facts/questions/compared-figures.ts'

const overviewGrains = ['total', 'page', 'query'] as const

export const isWithin =
  ({ start, end }: Period) =>
  ({ date }: { date: string }): boolean =>
    date >= start && date <= end

export const dayOf = (day: DailyFigures) => ({ date: day.date, ...totalsOf([day]) })

/** What stands above and beside the lists: totals, days, devices and countries. */
export function createOverview(parts: AnalyticsParts) {
  const { facts, windows, cache } = parts

  return {
    summary(property: CompleteProperty, query: AnalyticsQuery): Promise<AnalyticsSummary> {
      const { id, name, completeThrough } = property
      return cache.get(answerKey('summary', property, query.days, query.compare), async () => {
        const window = await windows.of(property, query)
        const { current, previous } = window
        const spans = previous ? [current, previous] : [current]
        const [days, loads, compared, pages, keywords] = await Promise.all([
          facts.ask(dailyFigures, { property: id, spans }),
          facts.ask(storedLoads, { property: id, grains: overviewGrains, spans }),
          comparedGrains(parts, property, query),
          facts.ask(windowListed, 'page', window.id),
          facts.ask(windowListed, 'query', window.id),
        ])
        const firstStored = (period: Period) =>
          loads.filter(isWithin(period)).reduce<string | null>((a, { date }) => (a && a < date ? a : date), null)
        const previousFrom = previous && firstStored(previous)
        return {
          property: name,
          current,
          previous,
          completeThrough,
          currentFrom: firstStored(current),
          previousFrom,
          totals: totalsOf(days.filter(isWithin(current))),
          previousTotals: previous && compared.includes('total') ? totalsOf(days.filter(isWithin(previous))) : null,
          comparedGrains: compared,
          pages: { ...pages, cutOffDays: window.cutOffDays.page },
          keywords: { ...keywords, cutOffDays: window.cutOffDays.query },
          pairs: { cutOffDays: window.cutOffDays.query_page },
        }
      })
    },

    segments(property: CompleteProperty, { days, compare, dimension }: z.infer<typeof segmentsQuery>): Promise<Segments> {
      return cache.get(answerKey('segments', property, days, compare, dimension), async () => {
        const current = lastDays(property.completeThrough, days)
        const previous = comparedPeriod(current, days, compare)
        const rows = await facts.ask(segmentFigures, { property: property.id, current, previous, dimension })
        const compared = await hasBefore(parts, property, { days, compare }, dimension)
        return rows.map(({ name, ...row }) => ({ name, ...comparedOf(row, compared) }))
      })
    },

    days(property: CompleteProperty, { days, compare, page, query }: z.infer<typeof daysQuery>): Promise<AnalyticsDays> {
      return cache.get(answerKey('days', property, days, compare, page, query), async () => {
        const { id, completeThrough } = property
        const current = lastDays(completeThrough, days)
        const previous = comparedPeriod(current, days, compare)
        const spans = previous ? [current, previous] : [current]
        const grain = grainOf({ page, query })
        const [figures, loads] = await Promise.all([
          facts.ask(dailyFigures, { property: id, spans, page, query }),
          grain === 'total' ? [] : facts.ask(storedLoads, { property: id, grains: [grain], spans: [current] }),
        ])
        return {
          current,
          previous,
          completeThrough,
          days: figures.filter(isWithin(current)).map(dayOf),
          previousDays: previous ? figures.filter(isWithin(previous)).map(dayOf) : [],
          cutOffDays: cutOffDays(loads, grain),
        }
      })
    },

    /** Every row of every day of the period, as stored. */
    dailyFile(property: ReportProperty, { days, grain }: z.infer<typeof dailyFileQuery>): ReportFile {
      const period = isComplete(property) ? lastDays(property.completeThrough, days) : null
      const name = { property: property.name, report: `daily-${grain.replace('_', '-')}`, period }
      const rows = period ? facts.exportRows(grain, property.id, { searchType: 'web', ...period }) : noRows()
      return { fileName: fileNameOf(name), pieces: csvFile(exportColumns(grain), rows) }
    },
  }
}

async function* noRows() {}
