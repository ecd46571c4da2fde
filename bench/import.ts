import { createReadStream } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { z } from 'zod'
import { addDays } from '../src/core/analytics/days.ts'
import { parseConfig } from '../src/server/config.ts'
import { createLog } from '../src/server/platform/log.ts'
import { openStores } from '../src/server/stores/stores.ts'
import { createImportService } from '../src/server/sync/import/service.ts'
import { type Figure, scratchDir, startStandIn } from './support.ts'

/** The stand-in's property with more rows per day than Google's API returns. */
const site = 'sc-domain:grandbazaar.example'
const days = 365
const rowsADay = 50_000
const end = '2026-07-10'

const extracted = z.object({ files: z.array(z.object({ path: z.string(), rows: z.number() })) })

/** A year of a large property's bulk export in one import, as `bq extract` writes it: both tables, gzipped, in several files. */
export async function benchImport(): Promise<Figure[]> {
  const scratch = await scratchDir()
  const standIn = await startStandIn()
  const dataDir = path.join(scratch.dir, 'data')
  await mkdir(dataDir)
  const config = parseConfig({ DATA_DIR: dataDir })
  const stores = await openStores(config, createLog('warn', true), (error) => {
    throw error
  })
  try {
    console.error('  exporting a year …')
    await standIn.control('PUT', 'today', { today: '2026-07-15' })
    const job = {
      site,
      start: addDays(end, 1 - days),
      end,
      format: 'csv',
      gzip: true,
      shards: 8,
      rowsADay,
      directory: path.join(scratch.dir, 'export'),
    }
    const { files } = extracted.parse(await standIn.control('POST', 'bulk', job))
    standIn.stop()
    const rows = files.reduce((sum, file) => sum + file.rows, 0)
    const bytes = (await Promise.all(files.map((file) => stat(file.path)))).reduce((sum, { size }) => sum + size, 0)
    await sql`INSERT INTO users (id, name, email) VALUES ('ann', 'ann', 'ann@example.test')`.execute(stores.db)
    await sql`INSERT INTO people (user_id, plan) VALUES ('ann', 'agency')`.execute(stores.db)
    const imports = createImportService({ ...stores, dataDir, offer: config.offer, clock: { now: () => new Date('2026-07-15T20:00:00Z') } })
    console.error(`  importing ${rows.toLocaleString('en')} rows …`)
    const start = performance.now()
    const given = files.map((file) => ({ name: path.basename(file.path), content: createReadStream(file.path) }))
    const result = await imports.importFiles({ userId: 'ann', propertyName: site, files: given })
    const seconds = (performance.now() - start) / 1000
    if (!result.ok) throw new Error(JSON.stringify(result))
    return [
      {
        what: `a year of a large property's bulk export (${rows.toLocaleString('en')} rows, ${(bytes / 1e9).toFixed(1)} GB gzipped) in one import`,
        value: `${(seconds / 60).toFixed(1)} min, ${Math.round(rows / seconds).toLocaleString('en')} rows/s`,
        bar: 'all of it',
        met: result.answer.rows === rows,
      },
      {
        what: 'peak memory of that process',
        value: `${Math.round(process.resourceUsage().maxRSS / 1024)} MiB`,
        bar: '–',
        met: true,
      },
    ]
  } finally {
    standIn.stop()
    await stores.close()
    await scratch.remove()
  }
}
