import type { Stripe } from 'stripe'
import type { Config } from '../config.ts'

export type StripeConfig = NonNullable<Config['stripe']>

/** What Stripe is asked in; its answers keep this shape however the account is set. */
const apiVersion = '2026-10-28.endive'

/** One answer; a person waits for it. With two retries for what failed on the way. */
const timeoutMs = 8_000
const retries = 2

export type StripeClient = () => Promise<Stripe>

/** Stripe's SDK against the configured address, loaded when it is first needed: it costs memory that an installation without payment has better use for. */
export function createStripeClient(config: StripeConfig): StripeClient {
  let client: Promise<Stripe> | undefined
  return () => (client ??= load(config))
}

async function load({ secretKey, apiUrl }: StripeConfig): Promise<Stripe> {
  const { Stripe: Sdk } = await import('stripe')
  const { hostname, port, protocol } = new URL(apiUrl)
  return new Sdk(secretKey, {
    apiVersion,
    timeout: timeoutMs,
    maxNetworkRetries: retries,
    telemetry: false,
    host: hostname,
    protocol: protocol === 'http:' ? 'http' : 'https',
    ...(port !== '' && { port }),
  })
}

/** The id of what Stripe gives as an id or, expanded, as the object itself. */
export const idOf = (value: string | { id: string }): string => (typeof value === 'string' ? value : value.id)
