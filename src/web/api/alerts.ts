import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { alerts, evaluateAnswer } from '../../contract/alerts.ts'
import { askFor, send } from './client.ts'

const resource = '/api/alerts'

/** An answer that is no list counts as an empty one (SPEC §7). */
const alertsReply = z.preprocess((answer) => (Array.isArray(answer) ? answer : []), alerts)

/** The alerts of a property, the latest first. */
export function alertsQuery(property: string) {
  return queryOptions({
    queryKey: [resource, property],
    queryFn: ({ signal }) => askFor(alertsReply, `${resource}?property=${encodeURIComponent(property)}`, { signal }),
    // The alerts of the property before stay, dimmed, until the new ones are there.
    placeholderData: keepPreviousData,
  })
}

export async function reloadAlerts(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: [resource] })
}

export async function markViewed(ids: readonly string[]): Promise<void> {
  await send(`${resource}/viewed`, { method: 'POST', body: { ids } })
}

/** Judges the rules of a property now; answers how many alerts are new. */
export async function evaluateAlerts(property: string): Promise<number> {
  const answer = await askFor(evaluateAnswer, `${resource}/evaluate?property=${encodeURIComponent(property)}`, { method: 'POST' })
  return answer.count
}
