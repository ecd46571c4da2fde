import type { ChangeBreakdown, ChangePart } from '../../contract/alerts/change-breakdown.ts'
import { articleOf, countryName } from '../analytics/country-name.ts'
import type { Entity, Window } from './rule.ts'
import { daysOf, plainText, type Sentence } from './copy.ts'

/** Changes of fewer clicks or impressions than this are not worth explaining. */
const fewest = 5
/** A page, query, device or country with at least this share of a change is named. */
export const mostly = 0.5
/** But only if it moved more than its size alone explains. */
export const beyondItsSize = 1.3
/** Parts below this share of the change are left out of the sentence. */
export const worthNaming = 0.1
export const mostParts = 3

/** Between the two sentences. */
const between = ' '

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

type Explained = {
  entity: Entity
  metric: 'clicks' | 'impressions'
  /** The days to compare with, if the alert itself compares with something else, such as the expected value. */
  days: Window | null
}

/** What drove a change, in one or two sentences; null if nothing stands out. */
export function whySentence({ entity, metric, days }: Explained, breakdown: ChangeBreakdown): Sentence | null {
  const change = breakdown.current - breakdown.previous
  if (Math.abs(change) < fewest) return null
  return inSentences(whereSentence(entity, metric, breakdown), whatSentence(breakdown), days)
}

/** Both sentences as one text; null without either. */
export function inSentences(where: Sentence | null, what: Sentence | null, days: Window | null): Sentence | null {
  if (where === null && what === null) return null
  const said = [...(where ?? []), ...(where !== null && what !== null ? [between] : []), ...(what ?? [])]
  return days === null ? said : [`Compared with ${daysOf(days)}, `, ...inside(said)]
}

/** What drove a change in at most about as many characters: the first sentence, where both are longer. */
export function shortWhy(why: Sentence, most: number): Sentence {
  const end = why.indexOf(between)
  return end < 0 || plainText(why).length <= most ? why : why.slice(0, end)
}

/** Lowercases the first letter, for use inside a sentence. */
const inside = ([first, ...rest]: Sentence): Sentence =>
  typeof first === 'string' ? [first.charAt(0).toLowerCase() + first.slice(1), ...rest] : first === undefined ? [] : [first, ...rest]

type Dimension = ChangeBreakdown['by'][number]['dimension']

/** "380 of the 412 lost clicks were on /collections/desk-lamp/." */
function whereSentence(entity: Entity, metric: string, { current, previous, by }: ChangeBreakdown): Sentence | null {
  const change = current - previous
  const found = by.flatMap(({ dimension, items: [first] }) => {
    if (!first) return []
    const share = (first.current - first.previous) / change
    const size = (change < 0 ? first.previous : first.current) / Math.max(1, change < 0 ? previous : current)
    return share >= mostly && share >= size * beyondItsSize
      ? [{ dimension, name: first.name, moved: first.current - first.previous, share }]
      : []
  })
  const [first] = found
  if (!first) return spreadSentence(entity, metric, by, change)
  const moved = whole.format(Math.abs(Math.round(first.moved)))
  const all = `${whole.format(Math.abs(Math.round(change)))} ${change < 0 ? 'lost' : 'gained'} ${metric}`
  const amount = first.share > 1 ? `${moved} ${metric} were ${change < 0 ? 'lost' : 'gained'}` : `${moved} of the ${all} were`
  return [`${amount} `, ...placeOf(first.dimension, first.name), '.']
}

const placeOf = (dimension: Dimension, name: string): Sentence => [
  dimension === 'page' || dimension === 'device' ? 'on ' : `from ${dimension === 'country' ? articleOf(countryName(name)) : ''}`,
  placeName(dimension, name),
]

/** A page, query, device, country, or kind of queries, within a sentence. */
export function placeName(dimension: Dimension, name: string): Sentence[number] {
  switch (dimension) {
    case 'page':
    case 'query':
      return { name }
    case 'device':
      return name.toLowerCase()
    case 'country':
      return { name: countryName(name) }
    case 'brand':
      return name === 'brand' ? 'brand keywords' : 'non-brand keywords'
  }
}

function spreadSentence(entity: Entity, metric: string, by: ChangeBreakdown['by'], change: number): Sentence | null {
  const pages = by.find(({ dimension }) => dimension === (entity.kind === 'page' ? 'query' : 'page'))
  if (entity.kind === 'query' || !pages || pages.items.length < 2) return null
  const what = entity.kind === 'page' ? 'keyword' : 'page'
  return [`The ${change < 0 ? 'lost' : 'gained'} ${metric} were spread across several ${what}s.`]
}

/** "Mainly lower positions (−300), then fewer impressions (−80)." */
function whatSentence({ current, previous, parts }: ChangeBreakdown): Sentence | null {
  if (parts === null) return null
  const change = current - previous
  const sized = (Object.entries(parts) as [ChangePart, number][])
    .map(([part, clicks]) => ({ part, clicks, share: clicks / change }))
    .toSorted((a, b) => b.share - a.share)
  const named = sized.filter(({ share }) => share >= worthNaming).slice(0, mostParts)
  const against = sized.findLast(({ share }) => share <= -worthNaming)
  if (named.length === 0) return null
  const causes = named.map(({ part, clicks }) => `${partNames[part][clicks < 0 ? 0 : 1]} (${signed(clicks)})`)
  const offset = against ? `, partly offset by ${partNames[against.part][against.clicks < 0 ? 0 : 1]} (${signed(against.clicks)})` : ''
  return [`Mainly ${causes.join(', then ')}${offset}.`]
}

/** Names of the parts, when they lose and when they gain clicks. */
export const partNames: Record<ChangePart, readonly [string, string]> = {
  demand: ['fewer impressions at the same positions', 'more impressions at the same positions'],
  position: ['lower positions', 'higher positions'],
  ctr: ['a lower CTR at the same positions', 'a higher CTR at the same positions'],
  shown: ['lost keywords', 'new keywords'],
  anonymized: ['anonymized queries', 'anonymized queries'],
}

const signed = (clicks: number): string => `${clicks < 0 ? '−' : '+'}${whole.format(Math.abs(Math.round(clicks)))}`
