import type { RowFigures } from '../../contract/analytics.ts'
import { domainOf } from '../accounts/property-name.ts'
import { totalsOf } from '../analytics/totals.ts'

/** What a property covers: a whole domain, or the URLs on a host that begin with its name. */
type Extent = { name: string; domain: string | null; host: string }

function extentOf(name: string): Extent {
  const domain = domainOf(name)?.toLowerCase() ?? null
  return { name, domain, host: domain ?? (URL.canParse(name) ? new URL(name).hostname : '') }
}

/** Whether everything Google counts for one property also counts for the other: a part of a domain, or of a URL. */
function liesWithin(inner: Extent, outer: Extent): boolean {
  if (outer.domain === null) return inner.domain === null && inner.name !== outer.name && inner.name.startsWith(outer.name)
  return inner.host.endsWith(`.${outer.domain}`) || (inner.domain === null && inner.host === outer.domain)
}

/** Figures of several properties together; positions are weighted by impressions, so those without any don't count. */
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
  /** Null unless every counted property has all days of the previous period. */
  previousTotals: RowFigures | null
  counted: Report[]
  /** Names of properties within another one, where their clicks are counted. */
  within: string[]
}

/** Those that aren't within another one of them. */
export function withoutParts<T>(all: readonly T[], nameOf: (each: T) => string): T[] {
  const extents = all.map((each) => extentOf(nameOf(each)))
  const inOthers = new Set(extents.filter((inner) => extents.some((outer) => liesWithin(inner, outer))).map(({ name }) => name))
  return all.filter((each) => !inOthers.has(nameOf(each)))
}

/** The totals of properties reported together, with each click counted once. Email, page and PDF use the same. */
export function together<Report extends Reported>(reports: readonly Report[]): Together<Report> {
  const counted = withoutParts(reports, ({ property }) => property)
  const previous = counted.map(({ previousTotals }) => previousTotals).filter((each) => each !== null)
  return {
    totals: summed(counted.map(({ totals }) => totals)),
    previousTotals: previous.length === counted.length ? summed(previous) : null,
    counted,
    within: reports.filter((report) => !counted.includes(report)).map(({ property }) => property),
  }
}

/** The note on properties within another one; null without any. @param named how many to name at most */
export function withinWords(within: readonly string[], nameOf: (property: string) => string, named = 10): string | null {
  if (within.length === 0) return null
  const more = within.length > named ? ` and ${within.length - named} more` : ''
  const names = within.slice(0, named).map(nameOf).join(', ')
  return `Counted once, as part of another property listed here: ${names}${more}.`
}
