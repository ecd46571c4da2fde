/** ClickHouse doesn't answer, or is temporarily unable to: asking again later helps. */
export class ClickHouseUnavailable extends Error {
  override name = 'ClickHouseUnavailable'
}

/**
 * A question took longer than anybody would wait, or more memory or temporary files than one may have. ClickHouse is up: a smaller question
 * is answered.
 */
export class TookTooLong extends Error {
  override name = 'TookTooLong'
}

const typeOf = (error: unknown): unknown => {
  const reason = error instanceof ClickHouseUnavailable ? error.cause : error
  return reason instanceof Error && 'type' in reason ? reason.type : undefined
}

/** Whether the engine stopped a question because its time was over (`max_execution_time`). */
export const exceededTime = (error: unknown): boolean => typeOf(error) === 'TIMEOUT_EXCEEDED'

const outOfMemory = 'MEMORY_LIMIT_EXCEEDED'
/** In words of several versions. */
const ofQuery = /Query memory limit exceeded|Memory limit \(for query\) exceeded/

/** Whether a question took more memory than one may have, not only more than others have left. */
export const exceededMemory = (error: unknown): boolean =>
  typeOf(error) === outOfMemory && error instanceof Error && ofQuery.test(error.message)

/** Whether a question's temporary files are more than one may have, or would take the last of the disk, which is kept for others. */
export const exceededDisk = (error: unknown): boolean =>
  (typeOf(error) === 'NOT_ENOUGH_SPACE' || typeOf(error) === tooMuch) && error instanceof Error && /temporary/i.test(error.message)
const tooMuch = 'TOO_MANY_ROWS_OR_BYTES'

/** An answer is larger than what a process holds at once: its names are too long. Asking for less helps. */
export class TooMuchAtOnce extends Error {
  override name = 'TooMuchAtOnce'
  readonly statusCode = 400
  constructor(options?: ErrorOptions) {
    super('These names are too long to load at once. Choose fewer rows, a shorter period, or a single property.', options)
  }
}

/** Errors from the network and the client if the connection fails or breaks. */
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

/** ClickHouse's names for transient errors; so is a lack of memory that isn't a question's own fault. */
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

/** The error for callers: one of ours if waiting helps, with the original as its cause. */
export function ofClickHouse(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ClickHouseUnavailable || !passes(error)) return error
  return new ClickHouseUnavailable(`ClickHouse is not responding: ${reasonOf(error)}`, { cause: error })
}

function passes(error: Error): boolean {
  if ('type' in error && typeof error.type === 'string')
    return (passing.has(error.type) && !exceededDisk(error)) || (error.type === outOfMemory && !exceededMemory(error))
  return isBrokenOff(error)
}

/** Whether an answer never came, or not from ClickHouse, which may still be working on it. */
export function isBrokenOff(error: unknown): boolean {
  if (!(error instanceof Error) || 'type' in error) return false
  if ('code' in error && typeof error.code === 'string' && brokenConnection.has(error.code)) return true
  // None of a name's several addresses answered.
  if (error instanceof AggregateError) return error.errors.some(isBrokenOff)
  return brokenOff.test(error.message) || isFromGateway(error.message)
}

/** A proxy without a backend answers in its own words, usually a page. */
const isFromGateway = (message: string): boolean => /\b50[234]\b.{0,40}(Bad Gateway|Unavailable|Gateway Time-?out)/is.test(message)

/** Whether an answer exceeded the limits of its question (`max_result_bytes`). */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'type' in error && error.type === tooMuch && !exceededDisk(error)

/** A server that refuses a statement, or stops it, because of all the others. */
const tooBusy: ReadonlySet<unknown> = new Set(['TOO_MANY_SIMULTANEOUS_QUERIES', outOfMemory, 'TIMEOUT_EXCEEDED', 'TOO_SLOW'])
export const isClickHouseBusy = (error: unknown): boolean => tooBusy.has(typeOf(error))

/** Its first line; if several addresses were tried, the first one's. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof AggregateError && error.message === '' ? error.errors[0] : error
  return (cause instanceof Error ? cause.message : String(cause)).split('\n')[0] ?? ''
}
