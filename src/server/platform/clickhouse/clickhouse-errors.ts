/** ClickHouse does not answer, or cannot do now what it can do at other times: asking again later helps. */
export class ClickHouseUnavailable extends Error {
  override name = 'ClickHouseUnavailable'
}

/** What the network says, and the client itself, when there is nobody to talk to or the talk breaks off. */
const brokenConnection: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ERR_STREAM_PREMATURE_CLOSE',
  'Z_BUF_ERROR',
])
const brokenOff = /^(Timeout error\.|socket hang up|aborted|The user aborted a request\.)$/

/** Names that ClickHouse gives to errors which pass. */
const passing: ReadonlySet<string> = new Set([
  'TIMEOUT_EXCEEDED',
  'SOCKET_TIMEOUT',
  'NETWORK_ERROR',
  'DNS_ERROR',
  'ALL_CONNECTION_TRIES_FAILED',
  'ALL_REPLICAS_LOST',
  'TOO_MANY_SIMULTANEOUS_QUERIES',
  'TOO_MANY_PARTS',
  'TOO_SLOW',
  'TABLE_IS_READ_ONLY',
  'KEEPER_EXCEPTION',
  'NO_ZOOKEEPER',
  'TOO_FEW_LIVE_REPLICAS',
  'UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE',
  'UNKNOWN_STATUS_OF_INSERT',
  'QUERY_WAS_CANCELLED',
  'ABORTED',
  'NOT_ENOUGH_SPACE',
])

/** The error as a caller is to see it: one of our own where waiting helps, with the one it was made of as its cause. */
export function ofClickHouse(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ClickHouseUnavailable || !passes(error)) return error
  return new ClickHouseUnavailable(`ClickHouse does not answer: ${reasonOf(error)}`, { cause: error })
}

function passes(error: Error): boolean {
  if ('type' in error && typeof error.type === 'string') return passing.has(error.type)
  if ('code' in error && typeof error.code === 'string' && brokenConnection.has(error.code)) return true
  // Of several addresses of one name none answered.
  if (error instanceof AggregateError) return error.errors.some((each) => each instanceof Error && passes(each))
  return brokenOff.test(error.message) || isFromGateway(error.message)
}

/** A proxy that finds nobody behind it answers in its own words, mostly a page. */
const isFromGateway = (message: string): boolean => /\b50[234]\b.{0,40}(Bad Gateway|Unavailable|Gateway Time-?out)/is.test(message)

/** Its first line; of several addresses that were tried the first one's. */
export function reasonOf(error: unknown): string {
  const told = error instanceof AggregateError && error.message === '' ? error.errors[0] : error
  return (told instanceof Error ? told.message : String(told)).split('\n')[0] ?? ''
}
