import { FaultPlan, type Lasting } from '../../lib/faults.ts'
import {
  apiDisabled,
  forbiddenSite,
  internalError,
  LOAD_QUOTA_MESSAGE,
  quotaExceeded,
  rateLimited,
  scopeMissing,
  unauthorized,
  unavailable,
} from '../api/errors.ts'
import type { ApiError } from '../api/errors.ts'
import { PROJECT_NUMBER } from '../options.ts'
import type { CallInfo } from './call-log.ts'

/** Errors that are a response with a body. */
const ANSWERS = [
  'unauthorized',
  'forbiddenSite',
  'apiDisabled',
  'scopeMissing',
  'quota403',
  'rate429',
  'loadQuota',
  'internal500',
  'unavailable503',
  'invalidGrant',
  'notJson',
] as const
/** Connection errors: cut off in mid-body, cut off but ended properly, never answered, reset. */
const BREAKS = ['truncatedBody', 'truncatedClean', 'hang', 'connectionReset'] as const

/** The usual response, but only once faults are ended. */
const WAITS = ['held'] as const

export const FAULT_NAMES = [...ANSWERS, ...BREAKS, ...WAITS] as const
export type FaultName = (typeof FAULT_NAMES)[number]

/** Calls that are to fail, and how. Missing conditions match everything. */
export interface Fault extends Lasting {
  readonly error: FaultName
  readonly kind?: CallInfo['kind'] | undefined
  readonly siteUrl?: string | undefined
  readonly dims?: readonly string[] | undefined
  readonly type?: string | undefined
  /** true: only calls for a later page of rows. */
  readonly laterPages?: boolean | undefined
  readonly retryAfter?: number | undefined
}

export interface Delay {
  readonly ms: number
  readonly kind?: CallInfo['kind'] | undefined
}

/** The faults that tests have requested. */
export class GoogleFaults extends FaultPlan<Fault> {
  /** The only kind that is delayed; undefined: all are. */
  #delayed: CallInfo['kind'] | undefined
  #held = Promise.withResolvers<void>()

  setDelay({ ms, kind }: Delay): void {
    this.delay = ms
    this.#delayed = kind
  }

  delayFor(info: CallInfo): number {
    return this.#delayed === undefined || this.#delayed === info.kind ? this.delay : 0
  }

  /** When held calls may continue. */
  get released(): Promise<void> {
    return this.#held.promise
  }

  override clear(): void {
    super.clear()
    this.#held.resolve()
    this.#held = Promise.withResolvers<void>()
  }
}

/** Whether a fault is for this call. */
export const isFor =
  (info: CallInfo) =>
  (fault: Fault): boolean => {
    // The dashboard is read on its own schedule: only faults meant for it apply.
    if (info.kind === 'status' && fault.kind !== 'status') return false
    if (fault.kind !== undefined && fault.kind !== info.kind) return false
    if (fault.siteUrl !== undefined && fault.siteUrl !== info.siteUrl) return false
    if (fault.type !== undefined && fault.type !== info.type) return false
    if (fault.dims !== undefined && fault.dims.join(',') !== info.dims?.join(',')) return false
    return !fault.laterPages || info.startRow > 0
  }

/** The response of a fault, or null for a connection error, which needs the socket. */
export function answerOf(fault: Fault, info: CallInfo): ApiError | null {
  switch (fault.error) {
    case 'unauthorized':
      return unauthorized()
    case 'forbiddenSite':
      return forbiddenSite(info.siteUrl ?? '')
    case 'apiDisabled':
      return apiDisabled(PROJECT_NUMBER)
    case 'scopeMissing':
      return scopeMissing()
    case 'quota403':
      return quotaExceeded(
        "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute per user' of service 'searchconsole.googleapis.com'.",
      )
    case 'loadQuota':
      return quotaExceeded(LOAD_QUOTA_MESSAGE)
    case 'rate429':
      return rateLimited('Rate Limit Exceeded', fault.retryAfter)
    case 'internal500':
      return internalError()
    case 'unavailable503':
      return unavailable(fault.retryAfter)
    case 'invalidGrant':
      return { status: 400, body: { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' } }
    case 'notJson':
      return {
        status: 200,
        headers: { 'content-type': 'text/html; charset=UTF-8' },
        body: '<!DOCTYPE html><title>Sorry</title><p>We are sorry, something went wrong.',
      }
    case 'truncatedBody':
    case 'truncatedClean':
    case 'hang':
    case 'connectionReset':
    case 'held':
      return null
  }
}
