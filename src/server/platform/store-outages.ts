import pg from 'pg'
import { ClickHouseUnavailable, TookTooLong } from './clickhouse/clickhouse-errors.ts'

export type AwayStore = 'PostgreSQL' | 'ClickHouse'

/** Which store an error reports as unavailable, so that asking again later helps. Null for every other error. */
export function awayStore(error: unknown): AwayStore | null {
  if (error instanceof ClickHouseUnavailable) return 'ClickHouse'
  return error instanceof Error && isPostgresAway(error) ? 'PostgreSQL' : null
}

/** Text that PostgreSQL can't store: a null byte. */
export const isUnstorable = (error: Error): boolean => 'code' in error && error.code === '22021'

/** Whether a store stopped a statement because it took, or waited for another one, too long. */
export const isOverTime = (error: unknown): boolean =>
  error instanceof TookTooLong || isLockWait(error) || (error instanceof pg.DatabaseError && error.code === '57014')

/** Whether a statement waited too long for a row, or a lock, that another one holds. */
export const isLockWait = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '55P03'

/**
 * PostgreSQL's error codes (appendix A of its manual): failed connections (08), no more room, memory or connections (53), and a server
 * stopping or starting (57P01 to 57P03).
 */
const passing = /^(08|53|57P0[123])/

/** No connection or no memory left, or no answer in time: somebody else has the server's attention. */
export function isPostgresBusy(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(53[23]00|57014)/.test(error.code ?? '')
  return error instanceof Error && tooLate.test(error.message)
}

const tooLate = /^(timeout exceeded when trying to connect|Connection terminated due to connection timeout|Query read timeout)/

/** `pg` messages without a code, for a connection that isn't ready in time or breaks. */
const broken =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout)/

/** Network errors if nobody listens. Clients of servers other than our stores turn these into values. */
const unreachable: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

function isPostgresAway(error: Error): boolean {
  if (error instanceof pg.DatabaseError) return passing.test(error.code ?? '')
  // None of a name's several addresses answered.
  if (error instanceof AggregateError) return error.errors.some((each) => each instanceof Error && isPostgresAway(each))
  if ('syscall' in error && 'code' in error)
    return ['connect', 'read', 'write', 'getaddrinfo'].includes(String(error.syscall)) && unreachable.has(error.code)
  return broken.test(error.message)
}

/**
 * A way to a store for readiness checks only: it has a connection, or a session, of its own, so that a check never stands in line behind
 * people's statements, however many there are.
 */
export type StoreCheck<Client> = {
  readonly client: Client
  /** When the store last answered anybody in this process, as of `performance.now()`. */
  answeredAt(): number
}

/** Longest wait for a check. */
export const checkPatienceMs = 2_000
/** A store that answered somebody this recently is up, even if it is too busy to answer a check. */
const recentMs = 10_000

/**
 * Asks a store whether it is ready; being slow doesn't count as not ready. A check that gets no answer in time, or that the store is too busy
 * for, passes if the store answered anybody a moment ago.
 * @throws why it is not ready
 */
export async function checkStore<Client>(
  { client, answeredAt }: StoreCheck<Client>,
  ask: (client: Client, signal: AbortSignal) => Promise<unknown>,
  isBusy: (error: unknown) => boolean,
): Promise<void> {
  const late = AbortSignal.timeout(checkPatienceMs)
  const noAnswer = new Promise<never>((_resolve, reject) => {
    late.addEventListener('abort', () => reject(new Error(`no answer in ${checkPatienceMs} ms`)), { once: true })
  })
  try {
    await Promise.race([ask(client, late), noAnswer])
  } catch (error) {
    const isThere = (late.aborted || isBusy(error)) && performance.now() - answeredAt() < recentMs
    if (!isThere) throw error
  }
}
