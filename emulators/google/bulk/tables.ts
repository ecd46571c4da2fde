import { DEVICES } from '../figures/cells.ts'
import type { View } from '../figures/hours.ts'
import type { SearchType } from '../figures/profiles.ts'
import type { PropertyData } from '../figures/property.ts'
import { formatDay } from '../dates.ts'
import { compileFilters } from '../query/filter.ts'
import { addRows } from '../query/group.ts'
import { Sums } from '../query/sums.ts'

export type Table = 'site' | 'url'

export const TABLE_NAMES: Readonly<Record<Table, string>> = { site: 'searchdata_site_impression', url: 'searchdata_url_impression' }

/** A row of either table, in column order; null is NULL. */
export type BulkRow = readonly (string | number | boolean | null)[]

/** The search appearances used here, and others that Google has retired (NULL) or this property lacks (FALSE). */
const APPEARANCES =
  'is_action is_amp_blue_link is_amp_image_result is_amp_story is_amp_top_stories is_edu_q_and_a is_events_details is_events_listing is_forums is_job_details is_job_listing is_learning_videos is_math_solvers is_merchant_listings is_organic_shopping is_page_experience is_practice_problems is_product_snippets is_recipe_feature is_recipe_rich_snippet is_review_snippet is_search_appearance_android_app is_special_announcement is_subscribed_content is_tpf_faq is_tpf_howto is_tpf_qa is_translated_result is_video is_weblite'.split(
    ' ',
  )
const RETIRED = new Set(['is_learning_videos', 'is_math_solvers', 'is_page_experience', 'is_practice_problems', 'is_special_announcement'])

const KEYS = ['country', 'search_type', 'device']
export const COLUMNS: Readonly<Record<Table, readonly string[]>> = {
  site: ['data_date', 'site_url', 'query', 'is_anonymized_query', ...KEYS, 'impressions', 'clicks', 'sum_top_position'],
  url: [
    'data_date',
    'site_url',
    'url',
    'query',
    'is_anonymized_query',
    'is_anonymized_discover',
    ...KEYS,
    ...APPEARANCES,
    'impressions',
    'clicks',
    'sum_position',
  ],
}

/** One in this many rows is split in two, as Google adds to a day without summing up. */
const PARTED = 7

/** One table's rows for one day and search type: all there are, without a limit, and not summed up. */
export function* bulkRows(property: PropertyData, table: Table, type: SearchType, day: number, view: View): Generator<BulkRow> {
  const rows = day <= property.finalDay(view.today) ? property.rows(type, day, view) : null
  if (!rows) return
  const details = property.cells.countries.length * 3
  const sums = new Sums(details)
  const isFeed = type === 'discover' || type === 'googleNews'
  const hasDevice = type !== 'discover'
  const grouping = { entity: 'row', country: true, device: hasDevice, hours: null, byPage: table === 'url' } as const
  addRows(sums, rows, property, grouping, compileFilters([], property), true)
  const date = formatDay(day)
  const kind = type === 'googleNews' ? 'GOOGLE_NEWS' : type.toUpperCase()
  for (let at = 0; at < sums.count; at++) {
    const from = sums.entity[at] ?? 0
    const detail = sums.detail[at] ?? 0
    const page = rows.page[from] ?? 0
    const query = rows.query[from] ?? -1
    const text = query < 0 || isFeed ? '' : (property.queries.texts[query] ?? '')
    const anonymized = query < 0 && !isFeed
    const device = hasDevice ? (DEVICES[detail % 3] ?? null) : null
    const keys = [
      text,
      anonymized,
      ...(table === 'url' ? [false] : []),
      property.cells.countries[Math.floor(detail / 3)] ?? 'zzz',
      kind,
      device,
    ]
    const row =
      table === 'site'
        ? [date, property.siteUrl, ...keys]
        : [date, property.siteUrl, property.pages.texts[page] ?? '', ...keys, ...flagsOf(property.appearances[page])]
    const [clicks, impressions] = [sums.clicks[at] ?? 0, sums.impressions[at] ?? 0]
    // Positions start at 0 here, and at 1 in the API; feeds have none.
    const positions = isFeed ? 0 : (sums.positions[at] ?? 0) - impressions
    const first = at % PARTED === 0 && impressions > 1 ? Math.ceil(impressions / 2) : impressions
    const part = Math.floor((positions * first) / impressions)
    const firstClicks = Math.min(clicks, first)
    yield [...row, first, firstClicks, part]
    if (first < impressions) yield [...row, impressions - first, clicks - firstClicks, positions - part]
  }
}

const flags = new Map<string, (boolean | null)[]>()

function flagsOf(appearances: readonly string[] = []): readonly (boolean | null)[] {
  const key = appearances.join()
  let known = flags.get(key)
  if (!known) {
    const names = new Set(appearances.map((each) => `is_${each.toLowerCase()}`))
    known = APPEARANCES.map((name) => (RETIRED.has(name) ? null : names.has(name)))
    flags.set(key, known)
  }
  return known
}
