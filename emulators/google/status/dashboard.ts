import { escapeHtml, json, type Reply } from '../../lib/http.ts'
import { page, timeTag } from '../../lib/page.ts'
import { notFound } from '../api/errors.ts'
import type { World } from '../world.ts'
import { type Published, publishedIncidents } from './incidents.ts'

/** Product names on Google's dashboard. */
const productIds: Readonly<Record<string, string>> = { Ranking: 'rGHU1u87FJnkP6W2GwMi', Serving: 'pKUD9XkLn3TBLquSpQMD' }

export const FEED_PATH = '/incidents.json'
const PAGES = '/incidents/'

/** Whether a path belongs to the Search Status Dashboard (`status.search.google.com`). */
export const isDashboard = (path: string): boolean => path === FEED_PATH || path.startsWith(PAGES)

/** The feed with its latest incidents, and the page of each. */
export function handleDashboard(world: World, path: string): Reply {
  if (path === FEED_PATH) return world.dashboard.reply ?? json(200, publishedIncidents(world).map(entryOf))
  const incident = publishedIncidents(world).find(({ id }) => path === `${PAGES}${id}`)
  if (!incident) {
    const error = notFound()
    return json(error.status, error.body)
  }
  const { title, service, begin, end } = incident
  return page(
    title,
    `<p>${escapeHtml(service)}. Invented for the sample properties: it never happened at Google.</p>` +
      `<p>${end === null ? `Ongoing since ${timeTag(begin)}` : `From ${timeTag(begin)} until ${timeTag(end)}`} (UTC)</p>`,
  )
}

/** In the shape of the real feed, where ongoing incidents have no `end`. */
function entryOf({ id, title, service, begin, end }: Published) {
  const product = { title: service, id: productIds[service] }
  const update = (when: string, text: string, status: string) => ({ created: when, modified: when, when, text, status })
  const begun = update(begin, `Released the ${title}.`, 'SERVICE_INFORMATION')
  const ended = end === null ? [] : [update(end, 'The rollout was complete.', 'AVAILABLE')]
  return {
    id,
    number: String(Date.parse(begin)),
    begin,
    created: begin,
    ...(end === null ? {} : { end }),
    modified: end ?? begin,
    external_desc: title,
    updates: [...ended, begun],
    most_recent_update: ended[0] ?? begun,
    status_impact: 'SERVICE_INFORMATION',
    severity: 'low',
    service_key: product.id,
    service_name: service,
    affected_products: [product],
    uri: `incidents/${id}`,
  }
}
