import type { RowFigures } from '../../contract/figures.ts'
import { domainOf } from '../accounts/property-name.ts'
import { totalsOf } from '../analytics/totals.ts'

/**
 * A key that sorts a property directly after the one whose domain or URL it is part of, and begins with that one's key:
 * `shop.a.example` has `example.a.shop.`, a URL its host's key followed by itself. Null for a freely named one, which is part of nothing.
 */
function keyOf(name: string): string | null {
  const domain = domainOf(name)?.toLowerCase()
  if (domain !== undefined) return hostKey(domain)
  if (!/^https?:/i.test(name) || !URL.canParse(name)) return null
  const { hostname, href } = new URL(name)
  return `${hostKey(hostname)}\0${href}`
}

const hostKey = (host: string): string => `${host.split('.').toReversed().join('.')}.`

/** What a property has of the requested days: the number of days with impressions, and their clicks. */
type Shown = { days: number; clicks: number }

type Parted<T> = {
  counted: T[]
  /** Those within a counted one. */
  within: T[]
  /** Those of which less is known than of the ones within them, which are counted instead. */
  partial: T[]
}

/** @param parts what its parts have together @param isPartial whether they count instead */
type Node<T> = { each: T; key: string; shown: Shown; parent: Node<T> | undefined; parts: Shown; isPartial: boolean; isWithin: boolean }

/**
 * Chooses the properties whose figures can be added up: each click counts once, as part of the widest property. One that has just begun,
 * or whose older days aren't fetched yet, would hide what its parts have: they count instead if they have more days and more clicks. An
 * account may have thousands, so they aren't compared in pairs.
 */
export function withoutParts<T>(
  all: readonly T[],
  nameOf: (each: T) => string,
  shownOf: (each: T) => Shown = () => ({ days: 0, clicks: 0 }),
): Parted<T> {
  const nodes = inTree(all, nameOf, shownOf)
  // Parts come after what they are part of: in reverse, they are decided first.
  for (const node of nodes.toReversed()) {
    const { shown, parts, parent } = node
    node.isPartial = parts.days > shown.days && parts.clicks > shown.clicks
    if (!parent) continue
    const best = node.isPartial ? parts : shown
    parent.parts = { days: Math.max(parent.parts.days, best.days), clicks: parent.parts.clicks + best.clicks }
  }
  for (const node of nodes) node.isWithin = node.parent !== undefined && (node.parent.isWithin || !node.parent.isPartial)
  const within = new Set(nodes.filter(({ isWithin }) => isWithin).map(({ each }) => each))
  const partial = new Set(nodes.filter(({ isWithin, isPartial }) => isPartial && !isWithin).map(({ each }) => each))
  return {
    counted: all.filter((each) => !within.has(each) && !partial.has(each)),
    within: all.filter((each) => within.has(each)),
    partial: all.filter((each) => partial.has(each)),
  }
}

/** In order of their keys, whatever is part of a property directly follows it. */
function inTree<T>(all: readonly T[], nameOf: (each: T) => string, shownOf: (each: T) => Shown): Node<T>[] {
  const nodes = all
    .flatMap((each): Node<T>[] => {
      const key = keyOf(nameOf(each))
      if (key === null) return []
      return [{ each, key, shown: shownOf(each), parent: undefined, parts: { days: 0, clicks: 0 }, isPartial: false, isWithin: false }]
    })
    .toSorted((a, b) => (a.key === b.key ? 0 : a.key < b.key ? -1 : 1))
  // Each of these is part of the one before it.
  const holders: Node<T>[] = []
  for (const node of nodes) {
    while (holders.length > 0 && !node.key.startsWith(holders.at(-1)?.key ?? '')) holders.pop()
    node.parent = holders.at(-1)
    holders.push(node)
  }
  return nodes
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

/** @param days how many of its days have impressions */
type Reported = { property: string; totals: RowFigures; previousTotals: RowFigures | null; days: readonly unknown[] }

export type Together<Report extends Reported> = {
  totals: RowFigures
  /** Null unless every counted property has all days of the previous period. */
  previousTotals: RowFigures | null
  counted: Report[]
} & LeftOut

/** Names of properties that aren't added: those within another one, and those with less data than the ones within them. */
type LeftOut = { within: string[]; partial: string[] }

/** The totals of properties reported together, with each click counted once. Email, page and PDF use the same. */
export function together<Report extends Reported>(reports: readonly Report[]): Together<Report> {
  const { counted, within, partial } = withoutParts(
    reports,
    ({ property }) => property,
    ({ days, totals }) => ({ days: days.length, clicks: totals.clicks }),
  )
  const previous = counted.map(({ previousTotals }) => previousTotals).filter((each) => each !== null)
  return {
    totals: summed(counted.map(({ totals }) => totals)),
    previousTotals: previous.length === counted.length ? summed(previous) : null,
    counted,
    within: within.map(({ property }) => property),
    partial: partial.map(({ property }) => property),
  }
}

/** The note on properties that aren't added; null without any. @param named how many to name at most */
export function leftOutWords({ within, partial }: LeftOut, nameOf: (property: string) => string, named = 10): string | null {
  const sentence = (reason: string, some: readonly string[]): string[] => {
    const more = some.length > named ? ` and ${some.length - named} more` : ''
    return some.length === 0 ? [] : [`${reason}: ${some.slice(0, named).map(nameOf).join(', ')}${more}.`]
  }
  const sentences = [
    ...sentence('Counted once, as part of another property listed here', within),
    ...sentence('Not added, because the properties within it have data for more days', partial),
  ]
  return sentences.length === 0 ? null : sentences.join(' ')
}
