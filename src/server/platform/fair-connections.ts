import { callbackify } from 'node:util'
import type pg from 'pg'
import { createFairShare } from './fair-share.ts'
import { abandonedNow, holdsSlotNow, serverTenant, tenantNow } from './tenant.ts'

/** Connections that one tenant always leaves to others. It may hold seven while it asks for another: two imports, two evaluations, a password. */
const leftToOthers = 2
const waitingPerTenant = 500

/**
 * Lets tenants take turns at a pool's connections (docs/decisions/0032): changes to one account wait for each other with a connection in
 * hand, and many of them would keep everybody from the database. The server's own work takes connections as they come.
 * Reads stop waiting once nobody waits for them.
 * @param ms how long a request waits, as for a connection that can't be made
 */
export function shareConnections(pool: pg.Pool, ms: number): void {
  const places = pool.options.max
  const share = createFairShare({ places, perTenant: Math.max(1, places - leftToOthers), waitingPerTenant })
  const connect = pool.connect.bind(pool)
  const held = new WeakMap<pg.PoolClient, () => void>()
  pool.on('release', (_error, client) => held.get(client)?.())

  async function connectInTurn(): Promise<pg.PoolClient> {
    const tenant = tenantNow()
    if (tenant === serverTenant) return connect()
    const late = AbortSignal.timeout(ms)
    const abandoned = abandonedNow()
    const signal = abandoned ? AbortSignal.any([late, abandoned]) : late
    const leave = await share.enter(tenant, { rank: holdsSlotNow() ? -1 : 0, signal }).catch((error: unknown) => {
      throw late.aborted && !abandoned?.aborted ? new Error('timeout exceeded when trying to connect') : error
    })
    try {
      const client = await connect()
      held.set(client, leave)
      return client
    } catch (error) {
      leave()
      throw error
    }
  }

  // `pool.query` takes its connection with a callback.
  type Callback = (error: Error | null, client: pg.PoolClient) => void
  const withCallback = callbackify(connectInTurn)
  pool.connect = ((callback?: Callback) => (callback === undefined ? connectInTurn() : withCallback(callback))) as typeof pool.connect
}
