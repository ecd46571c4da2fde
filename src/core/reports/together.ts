import type { RowFigures } from '../../contract/analytics.ts'
import { domainOf } from '../accounts/property-name.ts'
import { totalsOf } from '../analytics/totals.ts'

/** What a property covers: a whole domain, or the URLs on a host that begin with its name. */
type Extent = { name: string; domain: string | null; host: string }

function extentOf(name: string): Extent {
  const domain = domainOf(name)?.toLowerCase() ?? null
  return { name, domain, host: domain ?? (URL.canParse(name) ? new URL(name).hostname : '') }
}

/** `shop.a.example` as `example.a.shop.`: begins with the key of every domain it is part of. */
const hostKey = ({ host }: Extent): string => `${host.split('.').toReversed().join('.')}.`

/**
 * Names of properties for which everything Google counts also counts for another one. An account may have thousands, so they aren't compared
 * in pairs: in order of their keys, whatever begins with a key directly follows it.
 * @param mayHold whether a property can contain others with the same key or a longer one
 */
function heldByOthers(extents: readonly Extent[], keyOf: (extent: Extent) => string, mayHold: (extent: Extent) => boolean): string[] {
  const inOrder = extents
    .map((extent) => ({ name: extent.name, key: keyOf(extent), holds: mayHold(extent) }))
    .sort((a, b) => (a.key === b.key ? Number(b.holds) - Number(a.holds) : a.key < b.key ? -1 : 1))
  // Each begins with the one before it.
  const holders: string[] = []
  const held: string[] = []
  for (const { name, key, holds } of inOrder) {
    while (holders.length > 0 && !key.startsWith(holders.at(-1) ?? '')) holders.pop()
    const [widest] = holders
    if (widest !== undefined && !(holds && widest === key)) held.push(name)
    if (holds) holders.push(key)
  }
  return held
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

/** Those that aren't within another one of them: below its domain, or its URL. */
export function withoutParts<T>(all: readonly T[], nameOf: (each: T) => string): T[] {
  const extents = all.map((each) => extentOf(nameOf(each)))
  const urls = extents.filter(({ domain }) => domain === null)
  const held = new Set([
    ...heldByOthers(extents, hostKey, ({ domain }) => domain !== null),
    ...heldByOthers(
      urls,
      ({ name }) => name,
      () => true,
    ),
  ])
  return all.filter((each) => !held.has(nameOf(each)))
}

/** The totals of properties reported together, with each click counted once. Email, page and PDF use the same. */
export function together<Report extends Reported>(reports: readonly Report[]): Together<Report> {
  const counted = withoutParts(reports, ({ property }) => property)
  const isCounted = new Set(counted)
  const previous = counted.map(({ previousTotals }) => previousTotals).filter((each) => each !== null)
  return {
    totals: summed(counted.map(({ totals }) => totals)),
    previousTotals: previous.length === counted.length ? summed(previous) : null,
    counted,
    within: reports.filter((report) => !isCounted.has(report)).map(({ property }) => property),
  }
}

/** The note on properties within another one; null without any. @param named how many to name at most */
export function withinWords(within: readonly string[], nameOf: (property: string) => string, named = 10): string | null {
  if (within.length === 0) return null
  const more = within.length > named ? ` and ${within.length - named} more` : ''
  const names = within.slice(0, named).map(nameOf).join(', ')
  return `Counted once, as part of another property listed here: ${names}${more}.`
}
