import pg from 'pg'
import { createLeases } from '../../src/server/database/leases.ts'
import { openDatabase } from '../../src/server/database/open.ts'
import { createLog } from '../../src/server/platform/log.ts'

// A process that holds one property until it is killed: `lease-holder.ts DATABASE_URL PROPERTY PERSON TIMES`.

const [url, property, userId = '', times = ''] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: url, max: 2 })
const leases = createLeases(
  openDatabase(pool),
  { table: 'sync_leases', kind: 'days' },
  createLog('silent'),
  JSON.parse(times) as { heldMs: number; renewEveryMs: number },
)
const lease = await leases.claim({ key: property ?? '', userId }, { perPerson: 99 })
process.stdout.write(lease ? 'held\n' : 'refused\n')
// The parent may be gone.
setTimeout(() => process.exit(), 60_000)
