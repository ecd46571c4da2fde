import { z } from 'zod'
import { figures } from '../../contract/figures.ts'
import { anomalyMetric } from '../../contract/annotations.ts'
import { period } from '../../contract/metrics.ts'
import { type PeriodicReport, reportKind, type ReportRow } from '../../contract/reports/periodic.ts'
import { incomparableMetrics } from '../../core/analytics/anomalies.ts'
import type { ListOf } from '../../core/reports/copy.ts'
import { together } from '../../core/reports/together.ts'
import type { BrandInForce } from './brands.ts'

const mover = z.object({
  property: z.string(),
  what: z.enum(['page', 'keyword']),
  name: z.string(),
  clicks: z.number(),
  previous: z.number(),
})

/** The content of a run's emails, stored with it so that every attempt sends the same. */
export const mailContent = z.object({
  title: z.string(),
  kind: reportKind,
  period,
  properties: z.array(z.string()),
  /** Those within another one, which are excluded from sums. */
  within: z.array(z.string()).default([]),
  /** Those with less data than the ones within them, which are counted instead. */
  partial: z.array(z.string()).default([]),
  totals: figures,
  /** Null unless every counted property has all days of the previous period. */
  previousTotals: figures.nullable(),
  /** Totals that Google counted differently in the previous period. */
  notComparable: z.array(anomalyMetric).default([]),
  movers: z.array(mover),
  alertCount: z.number(),
  missing: z.array(z.string()),
  /** Properties for which pages or keywords aren't stored for all days. */
  notStored: z.object({ pages: z.array(z.string()), keywords: z.array(z.string()) }).default({ pages: [], keywords: [] }),
  /**
   * The brand in force when it was made; null: ours. Its logo is loaded when sending. `colour`, since emails of an earlier version may be
   * waiting, and processes of one send those of this version during an upgrade.
   */
  brand: z.object({ name: z.string(), colour: z.string(), senderName: z.string(), replyTo: z.string().nullable() }).nullable(),
})
export type MailContent = z.infer<typeof mailContent>

const shownMovers = 3

/** What gained or lost the most clicks over all properties. */
function moversOf(reports: readonly PeriodicReport[]): MailContent['movers'] {
  const all = reports.flatMap(({ property, advanced }) => {
    if (!advanced) return []
    const of = (what: 'page' | 'keyword', rows: readonly ReportRow[]) =>
      rows.map(({ name, clicks, previous }) => ({ property, what, name, clicks, previous: previous?.clicks ?? 0 }))
    const { pages, keywords } = advanced
    return [...of('page', [...pages.rising, ...pages.falling]), ...of('keyword', [...keywords.rising, ...keywords.falling])]
  })
  const change = ({ clicks, previous }: MailContent['movers'][number]) => Math.abs(clicks - previous)
  return all.toSorted((a, b) => change(b) - change(a)).slice(0, shownMovers)
}

type Made = Pick<MailContent, 'title' | 'kind' | 'period' | 'missing'> & {
  brand: Omit<BrandInForce, 'logo' | 'updatedAt'> | null
  reports: readonly PeriodicReport[]
}

export function mailContentOf({ title, kind, period: days, missing, brand, reports }: Made): MailContent {
  const { totals, previousTotals, counted, within, partial } = together(reports)
  const notStored = (what: ListOf) => reports.filter((report) => !report[what].stored).map(({ property }) => property)
  return {
    title,
    kind,
    period: days,
    properties: reports.map(({ property }) => property),
    within,
    partial,
    totals,
    previousTotals,
    notComparable: counted[0] && previousTotals ? incomparableMetrics(counted[0].period, counted[0].previous) : [],
    movers: moversOf(counted),
    alertCount: counted.reduce((sum, { advanced }) => sum + (advanced?.alertCount ?? 0), 0),
    missing,
    notStored: { pages: notStored('pages'), keywords: notStored('keywords') },
    brand: brand && { name: brand.name, colour: brand.color, senderName: brand.senderName, replyTo: brand.replyTo },
  }
}
