import type { RowFigures } from '../../contract/analytics.ts'
import { totalsOf } from '../analytics/totals.ts'

const domainPrefix = 'sc-domain:'
const domainOf = (property: string): string | null =>
  property.startsWith(domainPrefix) ? property.slice(domainPrefix.length).toLowerCase() : null

/** Whether all that Google counts of one property it counts of the other as well: a part of a domain, or of an address. */
function liesWithin(inner: string, outer: string): boolean {
  const [innerDomain, outerDomain] = [domainOf(inner), domainOf(outer)]
  if (outerDomain === null) return innerDomain === null && inner !== outer && inner.startsWith(outer)
  const host = innerDomain ?? (URL.canParse(inner) ? new URL(inner).hostname : '')
  return host.endsWith(`.${outerDomain}`) || (innerDomain === null && host === outerDomain)
}

/** Figures of several properties together; positions weigh by impressions, those without any count for nothing. */
const summed = (all: readonly RowFigures[]): RowFigures =>
  totalsOf(
    all.map(({ clicks, impressions, position }) => ({
      clicks,
      impressions,
      positionSum: position * impressions,
      rankedImpressions: position === 0 ? 0 : impressions,
    })),
  )

type Reported = { property: string; totals: RowFigures; previousTotals: RowFigures | null }

export type Together<Report extends Reported> = {
  totals: RowFigures
  /** Null where not every one that is counted has all days of the period before. */
  previousTotals: RowFigures | null
  /** Those that are counted. */
  counted: Report[]
  /** Names of those that lie within another one, whose clicks are counted there. */
  within: string[]
}

/** What properties that are reported on together come to, each click once. Mail, page and PDF say the same. */
export function together<Report extends Reported>(reports: readonly Report[]): Together<Report> {
  const isWithin = ({ property }: Report): boolean => reports.some((other) => liesWithin(property, other.property))
  const counted = reports.filter((report) => !isWithin(report))
  const previous = counted.map(({ previousTotals }) => previousTotals).filter((each) => each !== null)
  return {
    totals: summed(counted.map(({ totals }) => totals)),
    previousTotals: previous.length === counted.length ? summed(previous) : null,
    counted,
    within: reports.filter(isWithin).map(({ property }) => property),
  }
}

/** What is said of those that lie within another one; null where there are none. @param named how many are named at most */
export function withinWords(within: readonly string[], nameOf: (property: string) => string, named = 10): string | null {
  if (within.length === 0) return null
  const more = within.length > named ? ` and ${within.length - named} more` : ''
  const names = within.slice(0, named).map(nameOf).join(', ')
  return `Counted once, because they're part of another of these properties: ${names}${more}.`
}
