import type { PeriodicReport } from '../../contract/periodic-reports.ts'

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
  if (count === 0) return what === 'pages' ? 'No page was shown.' : 'Google names no keyword of these days.'
  if (count === 1) return what === 'pages' ? 'The one page that was shown.' : 'The one keyword that Google names.'
  const named = what === 'keywords' ? ' that Google names' : ''
  return top.length < count
    ? `The ${number.format(top.length)} with the most clicks, of ${number.format(count)}${named}.`
    : `All ${number.format(count)}${named}, most clicks first.`
}

/** That totals are stored without pages or keywords, say because they were imported so; null where these are stored as well. */
export function notStoredWords(what: ListOf, { stored, count }: Pick<List, 'stored' | 'count'>): string | null {
  if (stored) return null
  return count === 0 ? `${names[what]} are not stored for these days.` : `${names[what]} are not stored for all of these days.`
}

/** Why it is not known what rose and fell; null where it is. */
export function notComparedWords(what: ListOf, report: Pick<PeriodicReport, 'kind' | 'previousTotals' | ListOf>): string | null {
  const { compared, stored } = report[what]
  if (compared) return null
  if (report.previousTotals === null) return `The ${report.kind} before is not stored, so nothing can be compared.`
  const when = stored ? `all days of the ${report.kind} before` : 'all of these days'
  return `${names[what]} are not stored for ${when}, so nothing can be compared.`
}
