import type { AnomalyMetric } from '../../contract/annotations.ts'
import type { PeriodicReport, ReportKind } from '../../contract/reports/periodic.ts'
import { nouns } from '../alerting/copy.ts'
import { listed } from '../words.ts'

/** What a report is called. */
export const kindTitle = (kind: ReportKind): string => (kind === 'month' ? 'Monthly report' : 'Weekly report')

export type ListOf = 'pages' | 'keywords'
type List = PeriodicReport['pages']

const names = { pages: 'Page data', keywords: 'Keyword data' } as const
const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

const tenths = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** A score above 0 in extra clicks per week, to the tenth as on the screens: on a small site they are well below 1. */
export const extraClicks = (score: number): string => (score < 0.05 ? '<0.1' : `+${tenths.format(score)}`)

/** How much a list of pages or keywords covers, or why it is empty. */
export function coverageWords(what: ListOf, list: List): string {
  const missing = notStoredWords(what, list)
  const held = heldWords(what, list)
  return [list.count === 0 && missing !== null ? null : held, missing].filter((each) => each !== null).join(' ')
}

function heldWords(what: ListOf, { count, top }: List): string {
  if (count === 0) return what === 'pages' ? 'No pages appeared in search results.' : 'Google reports no keywords for these days.'
  if (count === 1) return what === 'pages' ? 'The only page in search results.' : 'The only keyword Google reports.'
  const named = what === 'keywords' ? ' that Google reports' : ''
  return top.length < count
    ? `Top ${number.format(top.length)} of ${number.format(count)}${named}, by clicks.`
    : `All ${number.format(count)}${named}, by clicks.`
}

/** Says that totals are stored without pages or keywords, for example because they were imported that way; null if these are stored too. */
export function notStoredWords(what: ListOf, { stored, count }: Pick<List, 'stored' | 'count'>): string | null {
  if (stored) return null
  return count === 0 ? `${names[what]} isn't available for these days.` : `${names[what]} isn't available for every day of this period.`
}

/** Why these metrics have no change, in a sentence; null if all have one. */
export function countedDifferently(metrics: readonly AnomalyMetric[]): string | null {
  const [first, ...others] = metrics.map((metric) => nouns[metric])
  if (first === undefined) return null
  const all = listed([first, ...others.map((name) => (name === nouns.ctr ? name : name.toLowerCase()))])
  return `${all} can't be compared: Google counted differently on some of these days.`
}

/** Why rises and falls are unknown; null if they are known. */
export function notComparedWords(what: ListOf, report: Pick<PeriodicReport, 'kind' | 'previousTotals' | ListOf>): string | null {
  const { compared, stored } = report[what]
  if (compared) return null
  if (report.previousTotals === null) return `Data for the previous ${report.kind} is incomplete, so there's no comparison.`
  const when = stored ? `all days of the previous ${report.kind}` : 'every day of this period'
  return `${names[what]} isn't available for ${when}, so there's no comparison.`
}
