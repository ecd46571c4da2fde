import type { PeriodicReport } from '../../contract/reports/periodic.ts'

export type ListOf = 'pages' | 'keywords'
type List = PeriodicReport['pages']

const names = { pages: 'Pages', keywords: 'Keywords' } as const
const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** What a list of pages or keywords holds of those that there were, or why it holds none. */
export function coverageWords(what: ListOf, list: List): string {
  const missing = notStoredWords(what, list)
  const held = heldWords(what, list)
  return [list.count === 0 && missing !== null ? null : held, missing].filter((each) => each !== null).join(' ')
}

function heldWords(what: ListOf, { count, top }: List): string {
  if (count === 0) return what === 'pages' ? 'No pages were shown.' : 'Google reports no keywords for these days.'
  if (count === 1) return what === 'pages' ? 'The only page shown.' : 'The only keyword Google reports.'
  const named = what === 'keywords' ? ' that Google reports' : ''
  return top.length < count
    ? `Top ${number.format(top.length)} by clicks, of ${number.format(count)}${named}.`
    : `All ${number.format(count)}${named}, by clicks.`
}

/** That totals are stored without pages or keywords, say because they were imported so; null where these are stored as well. */
export function notStoredWords(what: ListOf, { stored, count }: Pick<List, 'stored' | 'count'>): string | null {
  if (stored) return null
  return count === 0 ? `${names[what]} aren't stored for these days.` : `${names[what]} aren't stored for all of these days.`
}

/** Why it is not known what rose and fell; null where it is. */
export function notComparedWords(what: ListOf, report: Pick<PeriodicReport, 'kind' | 'previousTotals' | ListOf>): string | null {
  const { compared, stored } = report[what]
  if (compared) return null
  if (report.previousTotals === null) return `The previous ${report.kind} isn't stored, so there's no comparison.`
  const when = stored ? `all days of the previous ${report.kind}` : 'all of these days'
  return `${names[what]} aren't stored for ${when}, so there's no comparison.`
}
