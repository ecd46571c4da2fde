import pg from 'pg'
import { ClickHouseUnavailable } from './clickhouse/clickhouse-errors.ts'

export type AwayStore = 'PostgreSQL' | 'ClickHouse'

/** Which of the stores does not answer, where that is what an error says: asking again later helps. Null for every other error. */
export function awayStore(error: unknown): AwayStore | null {
  if (error instanceof ClickHouseUnavailable) return 'ClickHouse'
  return error instanceof Error && isPostgresAway(error) ? 'PostgreSQL' : null
}

/** Text that PostgreSQL cannot store: a null byte. */
export const isUnstorable = (error: Error): boolean => 'code' in error && error.code === '22021'

/**
 * PostgreSQL's own words (appendix A of its manual): connections that failed (08), no more room, memory or connections
 * (53), and a server that stops or starts (57P01 to 57P03).
 */
const passing = /^(08|53|57P0[123])/

/** What `pg` says without any code, when a connection is not had in time or breaks. */
const broken =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout)/

/** What the network says where nobody listens. Other servers than our stores are asked by clients that make values of it. */
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
  // Of several addresses of one name none answered.
  if (error instanceof AggregateError) return error.errors.some((each) => each instanceof Error && isPostgresAway(each))
  if ('syscall' in error && 'code' in error)
    return ['connect', 'read', 'write', 'getaddrinfo'].includes(String(error.syscall)) && unreachable.has(error.code)
  return broken.test(error.message)
}
