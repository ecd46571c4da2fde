import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { Refusal } from '../errors.ts'

/** Mail programs may unsubscribe from wherever they run (RFC 8058); what they send says itself whose mail it is about, and no cookie is read. */
const fromAnywhere = '/api/unsubscribe'

/** Headers, cookies, rate limits and the origin check that every request goes through. */
export async function addSecurity(app: FastifyInstance, options: { https: boolean; stripe: Config['stripe'] }): Promise<void> {
  await app.register(cookie)
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        // Everything comes from here, or from Stripe: neither scripts nor styles from markup, no addresses made up by anyone.
        ...stripeSources(options.stripe),
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: options.https,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  })
  await app.register(rateLimit, { global: false })

  app.addHook('onRequest', async (request) => {
    if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS') return
    if (request.routeOptions.url === fromAnywhere) return
    const { origin } = request.headers
    const site = request.headers['sec-fetch-site']
    const foreign = origin === undefined ? site !== undefined && site !== 'same-origin' && site !== 'none' : hostOf(origin) !== request.host
    if (foreign) throw new Refusal(403, 'This request comes from another site and was not carried out.')
  })
}

/** What the card form needs, by Stripe's integration security guide; on an installation with a stand-in, only that. */
function stripeSources(stripe: Config['stripe']): Record<string, string[]> {
  if (!stripe) return {}
  const standIn = stripe.scriptUrl === null ? null : new URL(stripe.scriptUrl).origin
  const script = standIn === null ? ['https://js.stripe.com', 'https://*.js.stripe.com'] : [standIn]
  return {
    scriptSrc: ["'self'", ...script],
    frameSrc: ["'self'", ...script, ...(standIn === null ? ['https://hooks.stripe.com'] : [])],
    connectSrc: ["'self'", standIn ?? 'https://api.stripe.com'],
    // Stripe's own script writes style attributes on what it mounts; style elements stay forbidden.
    ...(standIn === null && { styleSrcAttr: ["'unsafe-inline'"] }),
  }
}

function hostOf(origin: string): string | null {
  try {
    return new URL(origin).host
  } catch {
    return null
  }
}
