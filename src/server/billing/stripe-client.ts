import type { Stripe } from 'stripe'
import type { Config } from '../config.ts'

export type StripeConfig = NonNullable<Config['stripe']>

/** The API version for requests to Stripe; its answers keep this shape whatever the account's setting. */
const apiVersion = '2026-10-28.endive'

/** For one answer; a person waits for it. Two retries for network failures. */
const timeoutMs = 8_000
const retries = 2

export type StripeClient = () => Promise<Stripe>

/** Stripe's SDK for the configured URL, loaded on first use: installations without payment save its memory. */
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

/** The id from either Stripe form, an id or the expanded object. */
export const idOf = (value: string | { id: string }): string => (typeof value === 'string' ? value : value.id)
