// Run by `openStoresElsewhere`: opens one store, prints one line, and stays until it is stopped.
import { openClickHouse } from '../../src/server/platform/clickhouse/clickhouse.ts'
import { createLog } from '../../src/server/platform/log.ts'
import { openPostgres } from '../../src/server/platform/postgres.ts'

const [dataDir = '', store] = process.argv.slice(2)
const log = createLog('silent')

function onLost(error: Error): void {
  process.stderr.write(`lost: ${error.message}\n`)
  process.exit(1)
}

try {
  const opened =
    store === 'postgres'
      ? await openPostgres({ dataDir, log, onLost })
      : await openClickHouse({ dataDir, memoryBytes: 512 * 1024 ** 2, log })
  process.once('SIGTERM', () => void opened.close().then(() => process.exit(0)))
  process.stdout.write(`ready ${'pid' in opened ? opened.pid : ''}\n`)
  setInterval(() => {}, 60_000)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
