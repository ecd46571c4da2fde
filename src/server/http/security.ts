import { isIP } from 'node:net'
import cookie from '@fastify/cookie'
import rateLimit, { type FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'
import { apiBase } from '../../contract/api-v1/common.ts'
import type { Config } from '../config.ts'
import { Refusal } from '../common/errors.ts'

const refusedPermissions = [
  'accelerometer',
  'autoplay',
  'camera',
  'display-capture',
  'encrypted-media',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'picture-in-picture',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
] as const

export type SecurityDeps = {
  https: boolean
  /** This installation's URL, without a trailing slash. */
  baseUrl: () => string
  /** Undefined if nothing is sold. */
  stripe: Config['stripe']
  /** Where requests to routes with their own limit are counted. */
  routeLimits: FastifyRateLimitStoreCtor
}

/** Headers, cookies, rate limits and the origin check for every request. */
export async function addSecurity(app: FastifyInstance, options: SecurityDeps): Promise<void> {
  await app.register(cookie)
  // Created once; @fastify/helmet would create it for every request.
  const setHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        // Everything comes from here, or from Stripe: no scripts or styles in markup, and no made-up URLs.
        ...stripeSources(options.stripe),
        // A brand's logo is embedded in the answer about the brand.
        imgSrc: ["'self'", 'data:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: options.https,
    // frame-ancestors for browsers that don't support it.
    xFrameOptions: { action: 'deny' },
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  })
  app.addHook('onRequest', (request, reply, done) => setHeaders(request.raw, reply.raw, (error) => done(error as Error | undefined)))
  await app.register(rateLimit, { global: false, store: options.routeLimits })

  const permissions = permissionsPolicy(options.stripe)
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('permissions-policy', permissions)
    if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS') return
    const { url: route, config } = request.routeOptions
    // Mail programs may unsubscribe from anywhere (RFC 8058), and pages linked in emails send no origin. Programs use a key (SPEC §6).
    if (config.endpoint?.fromAnywhere || route?.startsWith(`${apiBase}/`)) return
    const { origin } = request.headers
    const site = request.headers['sec-fetch-site']
    const foreign =
      origin === undefined
        ? site !== undefined && site !== 'same-origin' && site !== 'none'
        : // An eavesdropper on http:// must not speak for https://.
          hostOf(origin) !== request.host || (options.https && !origin.startsWith('https://'))
    if (foreign) throw new Refusal(403, 'This request came from another site, so it was refused.')
    if (origin !== undefined && !isOurs(new URL(origin), new URL(options.baseUrl())))
      throw new Refusal(403, `Changes from ${origin} are refused: this installation's address is ${options.baseUrl()} (BASE_URL).`)
  })
}

/** Suffixes that the public DNS doesn't have: RFC 6761, 6762 and 8375, ICANN's `internal`, and routers' own network names. */
const ownNames = /\.(localhost|local|home\.arpa|internal|lan)$/

/**
 * Whether pages from there are ours, provided this server answers there: anybody may point their own name here (DNS rebinding), which makes
 * their page and our answers one site to a browser. That is impossible with an IP address, or with names that only one's own network
 * assigns.
 */
function isOurs({ host, hostname }: URL, home: URL): boolean {
  return host === home.host || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || !hostname.includes('.') || ownNames.test(hostname)
}

/** We need no browser permissions; the card form may offer the browser's own wallets. */
function permissionsPolicy(stripe: Config['stripe']): string {
  const stripes = !stripe || stripe.scriptUrl === null ? 'https://js.stripe.com' : new URL(stripe.scriptUrl).origin
  return [...refusedPermissions.map((name) => `${name}=()`), stripe ? `payment=(self "${stripes}")` : 'payment=()'].join(', ')
}

/** Sources that the card form needs, by Stripe's integration security guide; with a stand-in, only that. */
function stripeSources(stripe: Config['stripe']): Record<string, string[]> {
  if (!stripe) return {}
  const standIn = stripe.scriptUrl === null ? null : new URL(stripe.scriptUrl).origin
  const script = standIn === null ? ['https://js.stripe.com', 'https://*.js.stripe.com'] : [standIn]
  return {
    scriptSrc: ["'self'", ...script],
    frameSrc: ["'self'", ...script, ...(standIn === null ? ['https://hooks.stripe.com'] : [])],
    connectSrc: ["'self'", standIn ?? 'https://api.stripe.com'],
    // Stripe's own script sets style attributes on what it mounts; style elements stay forbidden.
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
