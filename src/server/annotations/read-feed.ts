import { z } from 'zod'
import type { Incident } from '../../contract/annotations.ts'
import { oneLine } from '../../contract/common.ts'
import { pacificDay } from '../../core/analytics/days.ts'

const moment = z.iso.datetime({ offset: true }).refine((text) => /^20\d\d-/.test(text))

/** The part we use of an entry in the dashboard's `incidents.json`; other fields are ignored. */
const entry = z.object({
  id: z.string().regex(/^[\w-]{1,100}$/),
  external_desc: z
    .string()
    .transform((text) => oneLine(text).slice(0, 200))
    .pipe(z.string().min(1)),
  begin: moment,
  // Absent while the incident lasts.
  end: moment.nullish(),
  service_name: z.string().nullish(),
  affected_products: z.array(z.object({ title: z.string() })).nullish(),
  uri: z.string().nullish(),
})

/** More than Google ever had; any beyond that are ignored. */
const mostEntries = 1_000

/**
 * The ranking incidents in a feed. Skips entries that can't be read or are about something else (crawling, indexing, serving). Null if it
 * isn't a feed at all.
 * @param base the dashboard's URL, which all of its links begin with
 */
export function readFeed(text: string, base: string): Incident[] | null {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return null
  }
  if (!Array.isArray(body)) return null
  const incidents = body.slice(0, mostEntries).flatMap((each) => {
    const parsed = entry.safeParse(each)
    if (!parsed.success || !isAboutRanking(parsed.data)) return []
    const { id, external_desc: title, begin, end, uri } = parsed.data
    const start = pacificDay(new Date(begin))
    const last = end ? pacificDay(new Date(end)) : null
    return last !== null && last < start ? [] : [{ id, title, start, end: last, url: addressOf(uri ?? `incidents/${id}`, base) }]
  })
  // The first entry for an id is Google's latest.
  return [...new Map(incidents.toReversed().map((each) => [each.id, each])).values()].toReversed()
}

const isAboutRanking = ({ service_name: service, affected_products: products }: z.infer<typeof entry>): boolean =>
  [service ?? '', ...(products ?? []).map(({ title }) => title)].some((name) => name.trim().toLowerCase() === 'ranking')

/** A URL on the dashboard; nothing in the feed can link anywhere else. */
function addressOf(uri: string, base: string): string {
  const home = `${base}/`
  const address = URL.canParse(uri, home) ? new URL(uri, home).href : home
  return address.startsWith(home) ? address : home
}
