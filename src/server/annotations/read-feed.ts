import { z } from 'zod'
import type { Incident } from '../../contract/annotations.ts'
import { oneLine } from '../../contract/common.ts'
import { pacificDay } from '../../core/analytics/days.ts'

const moment = z.iso.datetime({ offset: true }).refine((text) => /^20\d\d-/.test(text))

/** An entry of the dashboard's `incidents.json`, as far as it is of use; whatever else it has is left alone. */
const entry = z.object({
  id: z.string().regex(/^[\w-]{1,100}$/),
  external_desc: z
    .string()
    .transform((text) => oneLine(text).slice(0, 200))
    .pipe(z.string().min(1)),
  begin: moment,
  // Left out while it lasts.
  end: moment.nullish(),
  service_name: z.string().nullish(),
  affected_products: z.array(z.object({ title: z.string() })).nullish(),
  uri: z.string().nullish(),
})

/** More than Google ever had; whatever follows is not looked at. */
const mostEntries = 1_000

/**
 * The incidents of ranking in a feed. An entry that cannot be read is left out, and so is one about something else
 * (crawling, indexing, serving). Null when it is no feed at all.
 * @param base the dashboard's address, which theirs begin with
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
  // The first one of an id is the newest that Google says of it.
  return [...new Map(incidents.toReversed().map((each) => [each.id, each])).values()].toReversed()
}

const isAboutRanking = ({ service_name: service, affected_products: products }: z.infer<typeof entry>): boolean =>
  [service ?? '', ...(products ?? []).map(({ title }) => title)].some((name) => name.trim().toLowerCase() === 'ranking')

/** An address at the dashboard; nothing that the feed says leads anywhere else. */
function addressOf(uri: string, base: string): string {
  const home = `${base}/`
  const address = URL.canParse(uri, home) ? new URL(uri, home).href : home
  return address.startsWith(home) ? address : home
}
