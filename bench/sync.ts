import { addDays } from '../src/core/analytics/days.ts'
import type { FactsStore } from '../src/server/facts/store.ts'
import { createSearchConsole } from '../src/server/google/search-console.ts'
import { systemClock } from '../src/server/platform/clock.ts'
import { fetchChunk } from '../src/server/sync/fetch-chunk.ts'
import { googleSource } from '../src/server/sync/google-source.ts'
import { createPageFetcher } from '../src/server/sync/page-fetcher.ts'
import type { Control, Figure } from './support.ts'
import { grainsOf } from '../src/server/sync/sync-plan.ts'
import { z } from 'zod'

export const largeProperty = { id: 1, name: 'sc-domain:grandbazaar.example', account: 'bench@ranklark.example' } as const

const grant = z.object({ access_token: z.string() })

/**
 * Fetches and stores `days` days of the large property like a sync, chunk by chunk, and counts rows per second of this process's own CPU
 * time (the stand-in's doesn't count).
 */
export async function benchSync(deps: {
  facts: FactsStore
  url: string
  control: Control
  lastDay: string
  days: number
}): Promise<Figure & { rows: number }> {
  const { access_token: token } = grant.parse(await deps.control('POST', 'grant', { account: largeProperty.account }))
  const pages = createPageFetcher(deps.url)
  const source = googleSource(
    (call) => call(token),
    { searchConsole: createSearchConsole(deps.url, systemClock), pages },
    largeProperty.name,
  )
  const chunkLength = 7
  let rows = 0
  const before = process.cpuUsage()
  const start = performance.now()
  for (let left = deps.days, to = deps.lastDay; left > 0; left -= chunkLength, to = addDays(to, -chunkLength)) {
    const load = await deps.facts.beginLoad(largeProperty.id, 'web')
    const chunk = { from: addDays(to, 1 - Math.min(chunkLength, left)), to }
    const answer = await fetchChunk(source, load, { chunk, searchType: 'web' })
    if (!answer.ok) throw new Error(`${answer.problem.kind}: ${answer.problem.detail}`)
    for (const grain of grainsOf('web')) for (const day of load.written(grain).values()) rows += day.rows
  }
  const { user, system } = process.cpuUsage(before)
  const own = (user + system) / 1e6
  const wall = (performance.now() - start) / 1000
  const rate = rows / own
  await pages.close()
  return {
    what: `sync of the large property: rows stored per second of CPU time (${rows.toLocaleString('en')} rows, ${own.toFixed(1)} s CPU, ${wall.toFixed(1)} s elapsed)`,
    value: `${Math.round(rate).toLocaleString('en')} rows/s`,
    bar: '≥ 100,000 rows/s',
    met: rate >= 100_000,
    rows,
  }
}
