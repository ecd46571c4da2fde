export type ErrorType = 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error' | 'rate_limit_error'

/** A response's `error`, in the shape that the official SDK reads. */
export interface ErrorBody {
  readonly type: ErrorType
  readonly message: string
  readonly code?: string
  readonly decline_code?: string
  readonly param?: string
  readonly doc_url?: string
  readonly charge?: string
  readonly payment_intent?: unknown
  readonly setup_intent?: unknown
  readonly payment_method?: unknown
}

/** An error response. */
export class StripeFailure extends Error {
  readonly status: number
  readonly body: ErrorBody
  /** Found before anything was done: such a response isn't kept for its idempotency key. */
  readonly early: boolean

  constructor(status: number, body: ErrorBody, early = false) {
    super(body.message)
    this.status = status
    this.body =
      body.code === undefined ? body : { ...body, doc_url: `https://stripe.com/docs/error-codes/${body.code.replaceAll('_', '-')}` }
    this.early = early
  }
}

/** An invalid request: 400. */
export function invalid(message: string, more: { code?: string; param?: string; payment_intent?: unknown; setup_intent?: unknown } = {}) {
  return new StripeFailure(400, { type: 'invalid_request_error', message, ...more })
}

/** A malformed parameter: 400, before anything was done. */
export function wrongParam(message: string, param: string, code?: string) {
  return new StripeFailure(400, { type: 'invalid_request_error', message, param, ...(code ? { code } : {}) }, true)
}

const NAMES: Readonly<Record<string, string>> = {
  payment_method: 'PaymentMethod',
  subscription_schedule: 'subscription schedule',
  subscription_item: 'subscription item',
  webhook_endpoint: 'webhook endpoint',
  invoice_payment: 'invoice payment',
}
/** Stripe's name for the path part that names the object, if it isn't `id`. */
const IN_ADDRESS: Readonly<Record<string, string>> = {
  invoice: 'invoice',
  payment_intent: 'intent',
  setup_intent: 'intent',
  price: 'price',
  subscription_schedule: 'schedule',
  payment_method: 'payment_method',
  charge: 'charge',
}

/** An unknown id: 404 in the path of a call, 400 (with its name) among the parameters. */
export function missingObject(kind: string, id: string, param?: string) {
  return new StripeFailure(param === undefined ? 404 : 400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${NAMES[kind] ?? kind}: '${id}'`,
    param: param ?? IN_ADDRESS[kind] ?? 'id',
  })
}

export function unknownAddress(method: string, path: string) {
  return new StripeFailure(
    404,
    {
      type: 'invalid_request_error',
      message: `Unrecognized request URL (${method}: ${path}). If you are trying to list objects, remove the trailing slash. If you are trying to retrieve an object, make sure you passed a valid (non-empty) identifier in your code. Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`,
    },
    true,
  )
}

export function unauthorized(message: string, code?: string) {
  return new StripeFailure(401, { type: 'invalid_request_error', message, ...(code ? { code } : {}) }, true)
}
