import type { Stripe } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/dist/pure.mjs'

/** How the server says that Stripe is reached; `scriptUrl` is another place of its script than Stripe's own. */
type Checkout = { publishableKey: string; scriptUrl: string | null }

const loaded = new Map<string, Promise<Stripe>>()

/** Stripe's browser object. Its script is fetched when it is first asked for, and asked for again after a failure. */
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
  // Stripe's loader takes the object that is there already.
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
