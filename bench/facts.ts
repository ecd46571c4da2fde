import { addDays, pacificDay } from '../src/core/analytics/days.ts'
import { createFactsTables } from '../src/server/facts/schema.ts'
import { createFactsStore } from '../src/server/facts/store.ts'
import { openClickHouse } from '../src/server/platform/clickhouse/clickhouse.ts'
import { createLog } from '../src/server/platform/log.ts'
import { benchBackfill } from './backfill.ts'
import { type Figure, scratchDir, type StandIn, startStandIn } from './support.ts'
import { benchSync } from './sync.ts'
import { benchTopRows } from './top-rows.ts'

/** Days of the large property that the list queries cover. */
const days = Number(process.env['BENCH_DAYS'] ?? 90)

/** A backfill's requests and duration; sync rate and list queries, on the facts store alone. */
export async function benchFacts(): Promise<Figure[]> {
  const standIn = await startStandIn()
  try {
    // One after the other: a process can have only one embedded store at a time.
    return [...(await benchBackfill(standIn)), ...(await benchStore(standIn))]
  } finally {
    standIn.stop()
  }
}

async function benchStore({ url, control }: StandIn): Promise<Figure[]> {
  const scratch = await scratchDir()
  const clickhouse = await openClickHouse({ dataDir: scratch.dir, memoryBytes: 1024 ** 3, log: createLog('warn', true) })
  try {
    await createFactsTables(clickhouse.client)
    let load = 0
    const facts = createFactsStore(clickhouse.client, () => Promise.resolve((load += 1)))
    const lastDay = addDays(pacificDay(new Date()), -4)
    const { rows: _rows, ...sync } = await benchSync({ facts, url, control, lastDay, days })
    return [sync, ...(await benchTopRows({ facts, client: clickhouse.client, lastDay, days }))]
  } finally {
    await clickhouse.close()
    await scratch.remove()
  }
}
