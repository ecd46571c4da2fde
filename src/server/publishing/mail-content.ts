import { z } from 'zod'
import { figures, type RowFigures } from '../../contract/analytics.ts'
import { period } from '../../contract/metrics.ts'
import { type PeriodicReport, reportKind, type ReportRow } from '../../contract/periodic-reports.ts'

const mover = z.object({
  property: z.string(),
  what: z.enum(['page', 'keyword']),
  name: z.string(),
  clicks: z.number(),
  previous: z.number(),
})

/** What the mails of a run say; kept with it, so that each attempt says the same. */
export const mailContent = z.object({
  title: z.string(),
  kind: reportKind,
  period,
  properties: z.array(z.string()),
  totals: figures,
  /** Null where not every property has all days of the period before. */
  previousTotals: figures.nullable(),
  movers: z.array(mover),
  alertCount: z.number(),
  missing: z.array(z.string()),
  /** The brand in force when it was made; null: ours. Its logo is asked for when a mail is sent. */
  brand: z.object({ name: z.string(), colour: z.string(), senderName: z.string(), replyTo: z.string().nullable() }).nullable(),
})
export type MailContent = z.infer<typeof mailContent>

const shownMovers = 3

/** Figures of several properties together; positions weigh by impressions, those without any count for nothing. */
export function summed(all: readonly RowFigures[]): RowFigures {
  const sum = (of: (each: RowFigures) => number): number => all.reduce((total, each) => total + of(each), 0)
  const [clicks, impressions] = [sum((each) => each.clicks), sum((each) => each.impressions)]
  const ranked = sum(({ position, impressions: shown }) => (position === 0 ? 0 : shown))
  return {
    clicks,
    impressions,
    ctr: impressions === 0 ? 0 : clicks / impressions,
    position: ranked === 0 ? 0 : sum(({ position, impressions: shown }) => position * shown) / ranked,
  }
}

/** Whatever gained or lost most clicks, over all properties. */
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

type Made = Pick<MailContent, 'title' | 'kind' | 'period' | 'missing' | 'brand'> & { reports: readonly PeriodicReport[] }

export function mailContentOf({ title, kind, period: days, missing, brand, reports }: Made): MailContent {
  const previous = reports.map(({ previousTotals }) => previousTotals).filter((each) => each !== null)
  return {
    title,
    kind,
    period: days,
    properties: reports.map(({ property }) => property),
    totals: summed(reports.map(({ totals }) => totals)),
    previousTotals: previous.length === reports.length ? summed(previous) : null,
    movers: moversOf(reports),
    alertCount: reports.reduce((sum, { advanced }) => sum + (advanced?.alertCount ?? 0), 0),
    missing,
    brand: brand && { name: brand.name, colour: brand.colour, senderName: brand.senderName, replyTo: brand.replyTo },
  }
}
