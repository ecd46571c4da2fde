import { z } from 'zod'
import { type AnalyticsQuery, type AnalyticsSummary, type Gaps, type Grain, mostRowsADay } from '../../../contract/analytics.ts'
import { isoDate } from '../../../contract/common.ts'
import type { Filter } from '../../../contract/explore/explore.ts'
import { period } from '../../../contract/metrics.ts'
import type { SyncStatus } from '../../../contract/sync.ts'
import { nouns } from '../../../core/alerting/copy.ts'
import { grainOfExploration } from '../../../core/analytics/exploration.ts'
import { daysMissing, firstStored } from '../../../core/analytics/gaps.ts'
import type { Person, ReportProperty } from '../../accounts/service.ts'
import { Refusal } from '../../common/errors.ts'
import type { ApiServices } from '../operation.ts'
import { counted, listed } from '../../../core/words.ts'
import { type ComparedDays, notComparable, periodText } from './copy.ts'

/** Context for every answer with figures: their days, how fresh they are, and what is missing. */
export const dataContext = z.object({
  property: z.string(),
  period,
  comparedWith: period.nullable().describe('Null without a comparison.'),
  completeThrough: isoDate.describe('The last day Google has marked final. Later days are never counted.'),
  lastSyncedAt: z.iso.datetime().nullable(),
  missing: z.array(z.string()).describe('What these numbers leave out, and other caveats.'),
})
export type DataContext = z.infer<typeof dataContext>

/** The grain of a list's figures: filters may need both queries and pages. */
export function grainOfList(by: 'page' | 'query', where: readonly Filter[]): Grain {
  const found = grainOfExploration({ by, type: 'web', where })
  return 'problem' in found ? by : found.grain
}

/** What is reported as missing: queries that Google doesn't name, and truncated rows of the lists used. */
type Omissions = readonly ('unnamed' | 'page' | 'query' | 'query_page')[]

export type AskedSite = { property: ReportProperty & { completeThrough: string }; status: SyncStatus | null }

const mostNamed = 30

/** Finds the requested site, and its state. */
export function createDataContexts({ sites, sync, analytics }: Pick<ApiServices, 'sites' | 'sync' | 'analytics'>) {
  /** @throws Refusal 404 listing the existing ones */
  async function propertyOf(person: Person, given: string | undefined): Promise<ReportProperty> {
    if (given === undefined) {
      if (person.selected) return person.selected
      throw new Refusal(409, `No site is selected. Name one with \`property\`: ${await namesOf(person)}`)
    }
    const exact = await sites.reportOn(person, given.replaceAll('\0', ''))
    if (exact) return exact
    const meant = (await sites.list(person.id)).filter(({ name }) => hostOf(name) === hostOf(given))
    const [only, ...others] = meant.some(({ monitored }) => monitored) ? meant.filter(({ monitored }) => monitored) : meant
    if (only && others.length > 0) {
      throw new Refusal(
        409,
        `“${given}” matches several sites. Choose one: ${[only, ...others].map(({ name }) => name).join(', ')}.`,
        'property',
      )
    }
    const found = only && (await sites.reportOn(person, only.name))
    if (found) return found
    throw new Refusal(404, `“${given}” is not a site in this account. Sites: ${await namesOf(person)}`, 'property')
  }

  async function namesOf(person: Person): Promise<string> {
    const names = (await sites.list(person.id)).toSorted((a, b) => Number(b.monitored) - Number(a.monitored)).map(({ name }) => name)
    if (names.length === 0) return 'none. Connect Google Search Console in the app first.'
    return `${names.slice(0, mostNamed).join(', ')}${names.length > mostNamed ? `, and ${names.length - mostNamed} more` : ''}.`
  }

  return {
    propertyOf,

    /** A site with complete days. @throws Refusal 404, 409 without any */
    async siteOf(person: Person, given: string | undefined): Promise<AskedSite> {
      const property = await propertyOf(person, given)
      const [status = null] = await sync.statuses(person.id, property.name)
      const { completeThrough } = property
      if (completeThrough === null) {
        throw new Refusal(
          409,
          `There’s no complete day of data for ${property.name} yet. ${status?.message ?? 'Select it in the app and let it sync.'}`,
        )
      }
      return { property: { ...property, completeThrough }, status }
    },

    /** How to read a period's figures, and the summary behind that. @param grain the figures' grain */
    async ofPeriod(
      { property, status }: AskedSite,
      query: Pick<AnalyticsQuery, 'days' | 'compare'>,
      grain: Grain,
      omissions: Omissions,
    ): Promise<{ dataContext: DataContext; summary: AnalyticsSummary }> {
      const summary = await analytics.overview.summary(property, query)
      const isCompared = summary.comparedGrains.includes(grain)
      const days = { period: summary.current, comparedWith: isCompared ? summary.previous : null }
      return {
        summary,
        dataContext: {
          property: property.name,
          ...days,
          completeThrough: property.completeThrough,
          lastSyncedAt: status?.lastSyncedAt ?? null,
          missing: [
            ...missingOf(summary, grain, isCompared),
            ...incomparableText(days),
            ...omissions.flatMap((omission) => omissionText(summary, omission)),
            ...problemsOf(status),
          ],
        },
      }
    },
  }
}
export type DataContexts = ReturnType<typeof createDataContexts>

/** Reduces `sc-domain:example.com`, `https://www.example.com/shop/` and `Example.com` to the form people say. */
const hostOf = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/^(sc-domain:|https?:\/\/)/, '')
    .replace(/^www\./, '')
    .replace(/(?<!\/)\/+$/, '')

export const problemsOf = (status: SyncStatus | null): string[] =>
  status?.message ? [`The site is not syncing normally: ${status.message}`] : []

/** The days that aren't stored, of figures of this grain. */
function gapsOf(summary: AnalyticsSummary, grain: Grain): Gaps {
  return grain === 'page' || grain === 'query' || grain === 'query_page' ? lists[grain].of(summary) : summary
}

function missingOf(summary: AnalyticsSummary, grain: Grain, isCompared: boolean): string[] {
  const { current, previous } = summary
  const { gaps, previousGaps } = gapsOf(summary, grain)
  const currentFrom = firstStored(current, gaps)
  const said: string[] = []
  if (currentFrom === null) said.push('No data is stored for this period.')
  else if (currentFrom > current.start) said.push(`Data starts on ${currentFrom}, so it doesn’t cover the whole period.`)
  else if (gaps.length > 0) said.push(`Not stored: ${counted(daysMissing(gaps), 'day')} of this period.`)
  if (previous && !isCompared) {
    const before = `figures for ${periodText(previous)}`
    const previousFrom = firstStored(previous, previousGaps)
    if (previousFrom === null) said.push(`No comparison: ${before} are not stored.`)
    else if (previousFrom > previous.start) said.push(`No comparison: ${before} are available only from ${previousFrom} onward.`)
    else said.push(`No comparison: some days of ${periodText(current)} or ${periodText(previous)} are not stored.`)
  }
  return said
}

function incomparableText(days: ComparedDays): string[] {
  const metrics = notComparable(days)
  if (metrics.length === 0) return []
  return [
    `Not comparable between these periods, because Google counted differently during some of these days: ${listed(metrics.map((metric) => nouns[metric]))}.`,
  ]
}

const lists = {
  page: { name: 'pages', of: ({ pages }: AnalyticsSummary) => pages },
  query: { name: 'keywords', of: ({ keywords }: AnalyticsSummary) => keywords },
  query_page: { name: 'queries by page', of: ({ pairs }: AnalyticsSummary) => pairs },
}

function omissionText(summary: AnalyticsSummary, omission: Omissions[number]): string[] {
  if (omission === 'unnamed') return unnamedText(summary)
  const { name, of } = lists[omission]
  const { cutOffDays } = of(summary)
  if (cutOffDays === 0) return []
  return [
    `Google capped its list of ${name} at ${mostRowsADay.toLocaleString('en-US')} rows on ${counted(cutOffDays, 'day')}, so some are missing.`,
  ]
}

function unnamedText({ keywords: { totals, clicks } }: AnalyticsSummary): string[] {
  const unnamed = totals.clicks - clicks
  if (unnamed <= 0) return []
  const share = (100 * unnamed) / totals.clicks
  return [
    `Google does not name the queries behind ${share < 0.1 ? 'less than 0.1' : share.toFixed(1)}% of the clicks (${unnamed.toLocaleString('en-US')} of ${totals.clicks.toLocaleString('en-US')}): rare queries are anonymized.`,
  ]
}

/** The closing paragraph of every answer with figures. */
export const contextText = ({ property, period: days, comparedWith, completeThrough, lastSyncedAt, missing }: DataContext): string =>
  [
    `${property}, ${periodText(days)}${comparedWith ? ` vs ${periodText(comparedWith)}` : ''}. Complete through ${completeThrough}${lastSyncedAt ? `, last synced ${lastSyncedAt.slice(0, 16).replace('T', ' ')} UTC` : ''}.`,
    ...missing,
  ].join(' ')
