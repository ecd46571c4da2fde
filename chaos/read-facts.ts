// Run by `embedded.ts`: prints what is stored in the data directory of a stopped server, as JSON.
import { openClickHouse } from '../src/server/platform/clickhouse/clickhouse.ts'
import { createLog } from '../src/server/platform/log.ts'
import { sumsStored } from '../test/support/grain-sums.ts'
import type { FactsQuestion } from './installation.ts'

const [dataDir = '', asked = '[]'] = process.argv.slice(2)
const clickhouse = await openClickHouse({ dataDir, memoryBytes: 1024 ** 3, log: createLog('silent') })
const sums = []
for (const { property, start, end } of JSON.parse(asked) as FactsQuestion[]) {
  sums.push(await sumsStored(clickhouse.client, { property }, { start, end }))
}
await clickhouse.close()
process.stdout.write(JSON.stringify(sums))
