import type { Explored, ExploreRow, Filter, FilterField, Grouping } from '../../../contract/explore/explore.ts'
import type { HistoryGrain } from '../../../contract/history.ts'
import { countryName } from '../../../core/analytics/country-name.ts'
import { deviceName } from '../../../core/analytics/device-name.ts'
import { appearanceName } from '../../../core/analytics/exploration.ts'
import { formatPeriod } from '../../lib/dates.ts'
import { formatCount, formatPart } from '../../lib/format.ts'
import type { NameColumn } from '../../widgets/table/columns.ts'

export const groupingLabels: Record<Grouping, string> = {
  query: 'Keyword',
  page: 'Page',
  folder: 'Folder',
  query_page: 'Keyword and page',
  country: 'Country',
  device: 'Device',
  search_appearance: 'Search appearance',
  date: 'Date',
}
const words: Record<Exclude<Grouping, 'date'>, readonly [one: string, many: string]> = {
  query: ['keyword', 'keywords'],
  page: ['page', 'pages'],
  folder: ['folder', 'folders'],
  query_page: ['keyword–page pair', 'keyword–page pairs'],
  country: ['country', 'countries'],
  device: ['device', 'devices'],
  search_appearance: ['search appearance', 'search appearances'],
}
/** What a row and rows are called. */
export const rowWords = (by: Grouping, grain: HistoryGrain): readonly [one: string, many: string] =>
  by === 'date' ? [grain, `${grain}s`] : words[by]
export const rowsWord = (by: Grouping, grain: HistoryGrain): string => rowWords(by, grain)[1]
export const nameLabel = (by: Grouping, grain: HistoryGrain): string =>
  by === 'date' ? `${grain[0]?.toUpperCase()}${grain.slice(1)}` : groupingLabels[by]

/** The subjects of rows in full, as in the file with these rows; undefined if the name on screen is one. */
export function copiedNames({ by, grain }: { by: Grouping; grain: HistoryGrain }): NameColumn<ExploreRow>['copied'] {
  const first = { label: nameLabel(by, grain), value: ({ name }: ExploreRow) => name }
  if (by === 'page' || by === 'folder' || (by === 'date' && grain === 'day')) return [first]
  if (by === 'query_page')
    return [
      { ...first, label: groupingLabels.query },
      { label: groupingLabels.page, value: ({ page = '' }) => page },
    ]
  if (by !== 'date') return undefined
  return [
    first,
    { label: 'To', value: ({ name, end = name }) => end },
    { label: 'Complete', value: ({ complete }) => (complete === false ? 'no' : 'yes') },
  ]
}

export const fieldLabels: Record<FilterField, string> = {
  query: 'Keyword',
  page: 'Page',
  brand: 'Brand',
  country: 'Country',
  device: 'Device',
  search_appearance: 'Search appearance',
  clicks: 'Clicks',
  impressions: 'Impressions',
  ctr: 'CTR (%)',
  position: 'Position',
}

type Way = Pick<Filter, 'operator' | 'not'>
export const wayLabels: readonly (Way & { label: string })[] = [
  { operator: 'contains', not: false, label: 'contains' },
  { operator: 'contains', not: true, label: 'doesn’t contain' },
  { operator: 'is', not: false, label: 'is' },
  { operator: 'is', not: true, label: 'isn’t' },
  { operator: 'starts', not: false, label: 'starts with' },
  { operator: 'starts', not: true, label: 'doesn’t start with' },
  { operator: 'matches', not: false, label: 'matches regex' },
  { operator: 'matches', not: true, label: 'doesn’t match regex' },
  { operator: 'from', not: false, label: 'at least' },
  { operator: 'to', not: false, label: 'at most' },
]

/** A filter in words: `Query contains “lamp”`, `Clicks at least 10`. */
export function filterWords({ field, not, operator, value }: Filter): string {
  if (field === 'brand') return (value === 'yes') === not ? 'Non-brand keywords' : 'Brand keywords'
  const way = wayLabels.find((each) => each.operator === operator && each.not === not)?.label ?? operator
  if (field === 'ctr') return `CTR ${way} ${value}%`
  if (field === 'device') return `Device ${way} ${deviceName(value)}`
  if (field === 'search_appearance') return `Search appearance ${way} ${appearanceName(value)}`
  if (field === 'country') return `Country ${way} ${countryName(value)}`
  const isText = field === 'query' || field === 'page'
  return `${fieldLabels[field]} ${way} ${isText ? `“${value}”` : value}`
}

const daysWord = (days: number): string => (days === 1 ? '1 day' : `${formatCount(days)} days`)

/** What the rows don't show, in figures. */
export function missingWords({ hidden, cutOffDays, missingDays, compared }: Explored, isComparing: boolean): string[] {
  const isHidden = hidden !== null && (hidden.clicks > 0 || hidden.impressions > 0)
  return [
    isHidden &&
      `${formatPart(hidden.clicks, hidden.totals.clicks)} of clicks (${formatCount(hidden.clicks)}) and ${formatPart(hidden.impressions, hidden.totals.impressions)} of impressions (${formatCount(hidden.impressions)}) are from anonymized queries${cutOffDays > 0 ? ' or rows Google left out' : ''} and aren’t in this table.`,
    cutOffDays > 0 && `Google capped its list at 50,000 rows on ${daysWord(cutOffDays)}, so some rows are missing.`,
    missingDays > 0 && `${daysWord(missingDays)} of this period ${missingDays === 1 ? 'is' : 'are'} missing.`,
    isComparing && compared === null && 'No comparison: some days in these periods are missing.',
  ].filter((each) => typeof each === 'string')
}

/** The days on screen, and the compared ones. */
export const periodWords = ({ period, compared }: Explored): string =>
  `${formatPeriod(period, true)}${compared === null ? '' : ` vs ${formatPeriod(compared, true)}`}`
