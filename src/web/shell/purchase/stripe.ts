import type { Stripe } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/dist/pure.mjs'

/** The server's data on how to reach Stripe; `scriptUrl` overrides the URL of Stripe's script. */
type Checkout = { publishableKey: string; scriptUrl: string | null }

const loaded = new Map<string, Promise<Stripe>>()

/** Stripe's browser object. Its script loads on first use, and again after a failure. */
export function stripeOf({ publishableKey, scriptUrl }: Checkout): Promise<Stripe> {
  const known = loaded.get(publishableKey)
  if (known !== undefined) return known
  const loading = load(publishableKey, scriptUrl).catch((error: unknown) => {
    loaded.delete(publishableKey)
    throw error
  })
  loaded.set(publishableKey, loading)
  return loading
}

async function load(publishableKey: string, scriptUrl: string | null): Promise<Stripe> {
  // Stripe's loader uses an existing object.
  if (scriptUrl !== null) await addScript(scriptUrl)
  const stripe = await loadStripe(publishableKey)
  if (stripe === null) throw new Error('Stripe works in a browser only')
  return stripe
}

function addScript(address: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const script = document.createElement('script')
  script.src = address
  script.addEventListener('load', () => resolve())
  script.addEventListener('error', () => {
    script.remove()
    reject(new Error(`${address} could not be loaded`))
  })
  document.head.append(script)
  return promise
}
