import { callbackify } from 'node:util'
import pg from 'pg'
import { PostgresError } from './embedded-postgres/errors.ts'
import { type Connection, startEmbeddedPostgres } from './embedded-postgres/server.ts'
import { createFairShare } from './fair-share.ts'
import type { Log } from './log.ts'
import { checkPatienceMs, type StoreCheck } from './store-outages.ts'
import { abandonedNow, holdsSlotNow, isServersNow, tenantNow } from './tenant.ts'

export { DirectoryInUseError } from './directory-lock.ts'

export type PostgresOptions = {
  /** The operator's own PostgreSQL. If absent, one runs on `dataDir`. */
  databaseUrl?: string | undefined
  dataDir: string
  log: Log
  /** The embedded server died and can't be brought back. */
  onLost: (error: Error) => void
  /** Maximum number of connections in the pool (10 by default; the embedded server allows 50 in all). */
  poolSize?: number
}

export type Postgres = {
  /** Recovers by itself after a server outage: the next query replaces broken connections. */
  readonly pool: pg.Pool
  readonly check: StoreCheck<pg.Pool>
  /** For libraries that open their own connections. Contains the password. */
  readonly url: string
  /** The embedded server's process; undefined with the operator's own server. */
  readonly pid: number | undefined
  /** Waits for running queries, ends the pool, then the embedded server. Calling it again awaits the same end. */
  close(): Promise<void>
}

const CONNECT_TIMEOUT = 10_000
const IDLE_TIMEOUT = 30_000

/**
 * Stops a statement that keeps one of few connections for too long, or waits for a row or lock longer than half the time for which others
 * wait for a connection (`CONNECT_TIMEOUT`), unless the operator has set a limit. What may take longer lifts it for itself.
 */
export const limitStatements = `SELECT set_config(name, value, false)
  FROM (VALUES ('statement_timeout', '60s'), ('lock_timeout', '5s')) AS limits (name, value) WHERE current_setting(name) = '0'`
/** Lifts these limits until the transaction ends. */
export const withoutLimits = `SELECT set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true)`

/**
 * The number of one of the installation's locks, as SQL. Texts with a wanted number are easy to find, so a name contains nothing that
 * people choose, only constants and ids that the server makes (docs/decisions/0123).
 * @param name as SQL
 */
export const lockNumber = (name: string): string => `hashtextextended(${name}, 0)`
/**
 * The numbers of a lock that is named by a person, as SQL. PostgreSQL keeps pairs apart from single numbers, and its first one is the
 * owner's, so whatever they choose meets only their own locks.
 * @param ownerId as SQL, like `text`
 */
export const ownersLockNumbers = (ownerId: string, text: string): string => `hashtext(${ownerId}), hashtext(${text})`

/**
 * Errors with which PostgreSQL closes a connection: it was ended, timed out, or is out of sync. By code, because the word FATAL is
 * translated.
 */
const lastWords = /^(57P|25P0[34]|08)/

/**
 * Opens the database and checks that it answers.
 * @throws PostgresError or DirectoryInUseError, each with one clear line
 */
export async function openPostgres({ databaseUrl, dataDir, log, onLost, poolSize = 10 }: PostgresOptions): Promise<Postgres> {
  const server = databaseUrl === undefined ? await startEmbeddedPostgres(dataDir, log, onLost) : undefined
  const url = server ? urlOf(server.connection) : String(databaseUrl)
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    idleTimeoutMillis: IDLE_TIMEOUT,
    application_name: 'ranklark',
    onConnect: async (client) => void (await client.query(limitStatements)),
  })
  shareConnections(pool, CONNECT_TIMEOUT)
  // The pool discards an idle connection that breaks; without a listener it would end the process.
  pool.on('error', (error) => closing ?? log.warn({ reason: error.message }, 'a database connection broke'))
  // So would one that breaks while somebody holds it between two statements; its next statement fails, which is enough.
  pool.on('connect', (client) => client.on('error', (error) => log.debug({ reason: error.message }, 'a database connection in use broke')))
  // The statement in progress fails before the socket is closed. Released in between, the connection would look healthy and fail its next
  // user; one that is closing is discarded.
  const ended = new WeakSet<pg.PoolClient>()
  pool.on('connect', (client) =>
    client.connection.on('errorMessage', ({ code }: pg.DatabaseError) => {
      if (code !== undefined && lastWords.test(code)) ended.add(client)
    }),
  )
  pool.on('release', (_error, client) => {
    if (ended.has(client)) void client.end()
  })
  const checking = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: checkPatienceMs,
    idleTimeoutMillis: IDLE_TIMEOUT,
    application_name: 'ranklark',
  })
  checking.on('error', () => {})
  let answeredAt = performance.now()
  for (const each of [pool, checking]) {
    each.on('connect', (client) => client.connection.on('readyForQuery', () => (answeredAt = performance.now())))
  }
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => (closing ??= Promise.all([pool.end(), checking.end()]).then(() => server?.stop()))
  try {
    await pool.query('SELECT 1')
  } catch (error) {
    await close()
    throw new PostgresError(`PostgreSQL is not responding: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
  return {
    pool,
    check: { client: checking, answeredAt: () => answeredAt },
    url,
    close,
    // Changes after a restart.
    get pid() {
      return server?.pid
    },
  }
}

function urlOf({ host, port, user, password, database }: Connection): string {
  return `postgresql://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/${database}`
}

/** Connections that one tenant always leaves to others. It may hold seven while it asks for another: two imports, two evaluations, a password. */
const leftToOthers = 2
const waitingPerTenant = 500

/**
 * Lets tenants take turns at a pool's connections (docs/decisions/0032): changes to one account wait for each other with a connection in
 * hand, and many of them would keep everybody from the database. The server's own work takes connections as they come.
 * Reads stop waiting once nobody waits for them.
 * @param ms how long a request waits, as for a connection that can't be made
 */
function shareConnections(pool: pg.Pool, ms: number): void {
  const places = pool.options.max
  const share = createFairShare({ places, perTenant: Math.max(1, places - leftToOthers), waitingPerTenant })
  const connect = pool.connect.bind(pool)
  const held = new WeakMap<pg.PoolClient, () => void>()
  pool.on('release', (_error, client) => held.get(client)?.())

  async function connectInTurn(): Promise<pg.PoolClient> {
    if (isServersNow()) return connect()
    const tenant = tenantNow()
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
