import { articleOf, countryName } from '../analytics/country-name.ts'
import type { RateBreakdown } from '../../contract/alerts/rate-breakdown.ts'
import { changeSize, figure, type Sentence } from './copy.ts'
import { gainOf } from './figures.ts'
import type { Entity, Window } from './rule.ts'
import { beyondItsSize, inSentences, mostly, mostParts, placeName, worthNaming } from './why.ts'

type Split = RateBreakdown['by'][number]
type Item = Split['items'][number]
type RateMetric = 'ctr' | 'position'

/** Smaller changes are not worth explaining. */
const smallest: Record<RateMetric, number> = { ctr: 0.0005, position: 0.1 }

type Explained = {
  entity: Entity
  metric: RateMetric
  /** The days to compare with, if the alert itself compares with something else, such as the expected value. */
  days: Window | null
}

/** What drove a change in CTR or position, in one or two sentences; null if nothing stands out. */
export function rateWhySentence({ entity, metric, days }: Explained, breakdown: RateBreakdown): Sentence | null {
  const change = breakdown.current - breakdown.previous
  if (Math.abs(change) < smallest[metric]) return null
  // A query isn't part of itself.
  const where = entity.kind === 'query' ? null : whereSentence(metric, breakdown)
  return inSentences(where, whatSentence(metric, breakdown), days)
}

/** The splits that say something about the whole: not those that Google counts differently. */
const ofWhole = ({ current, previous, by }: RateBreakdown): Split[] =>
  by.filter((split) => isEqual(split.current, current) && isEqual(split.previous, previous))
const isEqual = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b))

/** "0.51 of the 0.84 percentage points lost are due to oak lamp: its CTR went from 4.00% to 1.10%." */
function whereSentence(metric: RateMetric, breakdown: RateBreakdown): Sentence | null {
  const change = breakdown.current - breakdown.previous
  const verb = gainOf(metric, change) < 0 ? 'lost' : 'gained'
  const [found] = ofWhole(breakdown).flatMap(({ dimension, items: [first] }) => {
    if (!first) return []
    const share = (first.rate + first.mix) / change
    const size = Math.max(first.previousShare, first.currentShare)
    return share >= mostly && share >= size * beyondItsSize ? [{ dimension, first, share }] : []
  })
  if (!found) return null
  const { dimension, first, share } = found
  const moved = sizeOf(metric, first.rate + first.mix)
  const all = `${sizeOf(metric, change)} ${units[metric]} ${verb}`
  const amount = share > 1 ? `${moved} ${units[metric]} were ${verb}` : `${moved} of the ${all} are`
  return [
    `${amount} due to ${dimension === 'country' ? articleOf(countryName(first.name)) : ''}`,
    placeName(dimension, first.name),
    `: ${reasonOf(metric, first)}.`,
  ]
}

/** Which changed more in a part: its own figure, or its share of the impressions. */
function reasonOf(metric: RateMetric, { current, previous, rate, mix, currentShare, previousShare }: Item): string {
  const isOwn = Math.abs(rate) >= Math.abs(mix)
  if (isOwn || current === null || previous === null)
    return previous === null || current === null
      ? `${percent(previousShare)} of impressions before, ${percent(currentShare)} now`
      : `${metric === 'ctr' ? 'CTR' : 'position'} went from ${figure(metric, previous)} to ${figure(metric, current)}`
  return `its share of impressions went from ${percent(previousShare)} to ${percent(currentShare)}`
}

/** "Mainly a lower CTR at the same positions (−0.60 points), then lower positions (−0.20 points)." */
function whatSentence(metric: RateMetric, breakdown: RateBreakdown): Sentence | null {
  const split = ofWhole(breakdown).find(({ dimension }) => dimension === 'query')
  const change = breakdown.current - breakdown.previous
  const sized = ratePartsNamed(metric, split).map((part) => ({ ...part, share: part.moved / change }))
  const named = sized.filter(({ share }) => share >= worthNaming).toSorted((a, b) => b.share - a.share)
  if (named.length === 0) return null
  const against = sized.toSorted((a, b) => a.share - b.share).find(({ share }) => share <= -worthNaming)
  const worded = ({ name, moved }: { name: string; moved: number }) => `${name} (${rateMoved(metric, moved)})`
  const offset = against ? `, partly offset by ${worded(against)}` : ''
  return [`Mainly ${named.slice(0, mostParts).map(worded).join(', then ')}${offset}.`]
}

/** The parts of a change by query, each named for its direction; they add up to the change. */
export function ratePartsNamed(metric: RateMetric, split: Split | undefined): { name: string; moved: number }[] {
  if (!split) return []
  const { rate, mix, position = 0, unnamed = 0 } = split
  const isSplit = split.position !== undefined
  const parts: [keyof typeof names, number][] =
    metric === 'position'
      ? [
          ['positions', rate],
          ['further', mix],
        ]
      : [
          ...(isSplit ? [['position', position] as [keyof typeof names, number]] : []),
          [isSplit ? 'ctrThere' : 'ctr', rate - position],
          ['mix', mix],
        ]
  return [...parts, ['unnamed', unnamed] as [keyof typeof names, number]]
    .filter(([, moved]) => moved !== 0)
    .map(([part, moved]) => ({ name: names[part][gainOf(metric, moved) < 0 ? 0 : 1], moved }))
}

/** Names of the parts, when they make it worse and when they make it better. */
const names = {
  position: ['lower positions', 'higher positions'],
  ctrThere: ['a lower CTR at the same positions', 'a higher CTR at the same positions'],
  ctr: ['a lower CTR for the same keywords', 'a higher CTR for the same keywords'],
  mix: ['a larger share of impressions for low-CTR keywords', 'a larger share of impressions for high-CTR keywords'],
  positions: ['lower positions for the same keywords', 'higher positions for the same keywords'],
  further: ['a larger share of impressions for lower-ranking keywords', 'a larger share of impressions for higher-ranking keywords'],
  unnamed: ['anonymized queries', 'anonymized queries'],
} as const

const units: Record<RateMetric, string> = { ctr: 'percentage points', position: 'positions' }
const sizeOf = (metric: RateMetric, change: number): string =>
  metric === 'ctr' ? (Math.abs(change) * 100).toFixed(2) : Math.abs(change).toFixed(1)

/** `−0.84 points`, `1.2 positions worse`. */
export function rateMoved(metric: RateMetric, change: number): string {
  if (metric === 'position') return `${changeSize('position', change)} ${change < 0 ? 'better' : 'worse'}`
  return `${change < 0 ? '−' : '+'}${sizeOf('ctr', change)} points`
}

const percent = (share: number): string => `${Math.round(share * 100)}%`
