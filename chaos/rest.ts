import { syncStatuses } from '../src/contract/sync.ts'
import { until } from '../test/support/until.ts'
import { handInUntilTaken, type ImportedFile } from './imports.ts'
import { back, type Installation } from './installation.ts'
import { insist, type Inhabitant } from './people.ts'

const restMs = 240_000

/**
 * Waits until everything in progress has ended by itself. The only help is what anybody would do: without an answer, ask again. @throws if
 * something doesn't come to rest, saying what it is
 */
export async function comeToRest(at: Installation, people: readonly Inhabitant[], files: readonly ImportedFile[]): Promise<void> {
  await back(at)
  for (const person of people) {
    for (const file of files.filter(({ property, acknowledged }) => property === person.imports && !acknowledged))
      await handInUntilTaken(person, at, file)
    await insist(person, 'POST', '/api/sync', { property: person.site })
  }
  for (const person of people) await until(() => unsynced(person), isNothing, restMs)
  // An interrupted one waits for its next attempt, and would change the figures after they were evaluated.
  await until(() => syncsLeft(at), isNothing, restMs)
  // The evaluation that would happen within a minute anyway.
  for (const person of people) await insist(person, 'POST', `/api/alerts/evaluate?property=${encodeURIComponent(person.site)}`)
  await until(() => unfinished(at), isNothing, restMs)
}

const isNothing = (list: readonly string[]): boolean => list.length === 0

async function unsynced(person: Inhabitant): Promise<string[]> {
  const statuses = syncStatuses.parse(await insist(person, 'GET', '/api/sync'))
  const missing = person.sites.filter((site) => !statuses.some(({ property }) => property === site))
  const left = statuses.filter(({ state, daysLeft, running }) => (state !== 'ok' && state !== 'imported') || daysLeft > 0 || running)
  return [
    ...missing.map((site) => `${site} is not synced though its choice was acknowledged`),
    ...left.map(({ property, state, daysLeft, running }) => `${property}: ${state}, ${daysLeft} days left${running ? ', running' : ''}`),
  ]
}

async function syncsLeft({ sql }: Installation): Promise<string[]> {
  const rows = await sql<{ what: string }>(
    "SELECT name || ' ' || state AS what FROM jobs.job WHERE name = 'sync-slice' AND state IN ('created', 'retry', 'active')",
  )
  return rows.map(({ what }) => what)
}

/** Jobs due now, properties to evaluate, and pending announcements and messages. */
async function unfinished({ sql }: Installation): Promise<string[]> {
  const rows = await sql<{ what: string }>(
    `SELECT 'job ' || name || ' ' || state AS what FROM jobs.job
       WHERE state IN ('retry', 'active') OR (state = 'created' AND start_after < now() + interval '20 seconds')
     UNION ALL SELECT 'evaluation of ' || name FROM properties JOIN property_syncs ON property_syncs.property_id = id
       LEFT JOIN alert_watches ON alert_watches.property_id = id
       WHERE monitored AND detached_at IS NULL AND complete_through IS NOT NULL
         AND (judged_version IS DISTINCT FROM facts_version OR judged_through IS DISTINCT FROM complete_through)
     UNION ALL SELECT 'announcement ' || id FROM delivery_news WHERE state = 'waiting'
     UNION ALL SELECT 'notification ' || id || ' through ' || channel FROM notifications WHERE state = 'waiting'`,
  )
  return rows.map(({ what }) => what)
}
