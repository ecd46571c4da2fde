import pg from 'pg'
import { openDatabase } from '../../src/server/database/open.ts'
import { createLog } from '../../src/server/platform/log.ts'
import { createLeases } from '../../src/server/sync/leases.ts'

// A process that holds one property until it is killed: `lease-holder.ts DATABASE_URL PROPERTY PERSON TIMES`.

const [url, property, userId = '', times = ''] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: url, max: 2 })
const leases = createLeases(openDatabase(pool), 'days', createLog('silent'), JSON.parse(times) as { heldMs: number; renewEveryMs: number })
const lease = await leases.claim({ propertyId: Number(property), userId }, 99)
process.stdout.write(lease ? 'held\n' : 'refused\n')
// The parent may be gone.
setTimeout(() => process.exit(), 60_000)
