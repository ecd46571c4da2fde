import type { z } from 'zod'
import type {
  AnalyticsDays,
  AnalyticsSummary,
  AskedPeriod,
  dailyFileQuery,
  daysQuery,
  Segments,
  segmentsQuery,
} from '../../contract/analytics.ts'
import type { Period } from '../../contract/metrics.ts'
import { totalsOf } from '../../core/analytics/totals.ts'
import type { ReportProperty } from '../accounts/service.ts'
import { type DailyFigures, dailyFigures, grainOf } from '../facts/questions/daily-figures.ts'
import { exportColumns } from '../facts/export-rows.ts'
import { cutOffDays } from '../facts/stored-loads.ts'
import { csvFile } from '../common/csv-file.ts'
import { type CompleteProperty, isComplete } from './requested-property.ts'
import { fileNameOf } from './files.ts'
import type { CsvFile } from '../common/send-file.ts'
import {
  answerKey,
  comparedGrains,
  comparedOf,
  gapsOf,
  hasBefore,
  knownLoads,
  periodsKey,
  periodsOf,
  totalsOn,
  type AnalyticsParts,
} from './parts.ts'
import { type Listed, windowListed } from '../facts/questions/window-sums.ts'
import { segmentFigures } from '../facts/questions/compared-figures.ts'

const listGrains = ['total', 'page', 'query', 'query_page'] as const

export const isWithin =
  ({ start, end }: Period) =>
  ({ date }: { date: string }): boolean =>
    date >= start && date <= end

export const dayOf = (day: DailyFigures) => ({ date: day.date, ...totalsOf([day]) })

/** Everything above and beside the lists: totals, days, devices and countries. */
export function createOverview(parts: AnalyticsParts) {
  const { facts, windows, cache } = parts

  return {
    async summary(property: CompleteProperty, query: AskedPeriod): Promise<AnalyticsSummary> {
      const { id, name, completeThrough } = property
      const periods = await periodsOf(parts, property, query)
      return cache.get(answerKey('summary', property, periodsKey(periods)), async () => {
        const window = await windows.of(property, periods)
        const { current, previous } = window
        const spans = previous ? [current, previous] : [current]
        const [days, loads, compared, pages, keywords] = await Promise.all([
          facts.ask(dailyFigures, { property: id, spans }),
          knownLoads(parts, property, { grains: listGrains, spans }),
          comparedGrains(parts, property, periods),
          facts.ask(windowListed, 'page', window.id),
          facts.ask(windowListed, 'query', window.id),
        ])
        const stored = loads.filter(({ grain }) => grain !== 'query_page')
        const firstOf = (period: Period) =>
          stored.filter(isWithin(period)).reduce<string | null>((a, { date }) => (a && a < date ? a : date), null)
        const now = days.filter(isWithin(current))
        const listed = (sums: Listed, grain: 'page' | 'query') => ({
          ...sums,
          totals: totalsOn(now, loads, grain),
          cutOffDays: window.cutOffDays[grain],
          ...gapsOf(loads, grain, window),
        })
        return {
          property: name,
          current,
          previous,
          completeThrough,
          currentFrom: firstOf(current),
          previousFrom: previous && firstOf(previous),
          totals: totalsOf(now),
          previousTotals: previous && compared.includes('total') ? totalsOf(days.filter(isWithin(previous))) : null,
          comparedGrains: compared,
          pages: listed(pages, 'page'),
          keywords: listed(keywords, 'query'),
          pairs: { cutOffDays: window.cutOffDays.query_page, ...gapsOf(loads, 'query_page', window) },
          ...gapsOf(loads, 'total', window),
        }
      })
    },

    async segments(property: CompleteProperty, { dimension, ...asked }: z.infer<typeof segmentsQuery>): Promise<Segments> {
      const periods = await periodsOf(parts, property, asked)
      return cache.get(answerKey('segments', property, periodsKey(periods), dimension), async () => {
        const rows = await facts.ask(segmentFigures, { property: property.id, ...periods, dimension })
        const compared = await hasBefore(parts, property, periods, dimension)
        return rows.map(({ name, ...row }) => ({ name, ...comparedOf(row, compared) }))
      })
    },

    async days(property: CompleteProperty, { page, query, ...asked }: z.infer<typeof daysQuery>): Promise<AnalyticsDays> {
      const periods = await periodsOf(parts, property, asked)
      return cache.get(answerKey('days', property, periodsKey(periods), page, query), async () => {
        const { id, completeThrough } = property
        const { current, previous } = periods
        const spans = previous ? [current, previous] : [current]
        const grain = grainOf({ page, query })
        const [figures, loads] = await Promise.all([
          facts.ask(dailyFigures, { property: id, spans, page, query }),
          knownLoads(parts, property, { grains: [grain], spans }),
        ])
        return {
          current,
          previous,
          completeThrough,
          days: figures.filter(isWithin(current)).map(dayOf),
          previousDays: previous ? figures.filter(isWithin(previous)).map(dayOf) : [],
          cutOffDays: grain === 'total' ? 0 : cutOffDays(loads.filter(isWithin(current)), grain),
          ...gapsOf(loads, grain, periods),
        }
      })
    },

    /** Every row of every day of the period, as stored. */
    async dailyFile(property: ReportProperty, { grain, days, range }: Omit<z.infer<typeof dailyFileQuery>, 'compare'>): Promise<CsvFile> {
      const period = isComplete(property) ? (await periodsOf(parts, property, { days, range, compare: 'none' })).current : null
      const name = { property: property.name, report: `daily-${grain.replace('_', '-')}`, period }
      const rows = period ? facts.exportRows(grain, property.id, { searchType: 'web', ...period }) : noRows()
      return { fileName: fileNameOf(name), pieces: csvFile(exportColumns(grain), rows) }
    },
  }
}

async function* noRows() {}
