import { parseDay, startOfDay } from '../dates.ts'
import type { World } from '../world.ts'

/**
 * The incidents on a stand-in's dashboard. Invented, and named so that nobody mistakes them for Google's own. Days count back from the
 * anchor like those of the figures; times are Los Angeles hours.
 */
const samples: readonly Sample[] = [
  { id: 'SampleRankingUpdate1', title: 'Sample ranking update', service: 'Ranking', from: [8, 9], to: [5, 14] },
  { id: 'SampleServingIssue1', title: 'Sample issue with serving search results', service: 'Serving', from: [7, 4], to: [7, 6] },
  { id: 'SampleSpamUpdate1', title: 'Sample spam update', service: 'Ranking', from: [41, 8], to: [39, 11] },
  { id: 'SampleCoreUpdate1', title: 'Sample core update', service: 'Ranking', from: [152, 10], to: [138, 2] },
]

/** `from` and `to`: days before the anchor, and the hour. */
type Sample = {
  readonly id: string
  readonly title: string
  readonly service: 'Ranking' | 'Serving'
  readonly from: readonly [days: number, hour: number]
  readonly to: readonly [days: number, hour: number]
}

/** An incident in its current state: `end` is null while it lasts. */
export type Published = { readonly id: string; readonly title: string; readonly service: string; begin: string; end: string | null }

/** What has begun so far, newest first. */
export function publishedIncidents(world: Pick<World, 'anchor' | 'clock'>): Published[] {
  const anchor = parseDay(world.anchor) ?? world.clock.today()
  const now = world.clock.now()
  const at = ([days, hour]: Sample['from']): number => startOfDay(anchor - days) + hour * 3_600_000
  return samples
    .filter(({ from }) => at(from) <= now)
    .map(({ id, title, service, from, to }) => ({ id, title, service, begin: iso(at(from)), end: at(to) <= now ? iso(at(to)) : null }))
}

/** Google's format for times. */
const iso = (ms: number): string => new Date(ms).toISOString().replace('.000Z', '+00:00')
