import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import type { AlertVerdict } from '../../contract/alerts/alerts.ts'
import { type VerdictByLink, verdictLinkEndpoints as endpoints } from '../../contract/alerts/verdict-link.ts'
import { screens } from '../../contract/screens.ts'
import { serve } from '../accounts/service.ts'
import type { AlertsService, AlertToRate } from '../alerts/service.ts'
import { Refusal } from '../common/errors.ts'
import { createSignedTokens, type SigningKeys } from '../platform/signed-token.ts'

/**
 * Whose alert it is, and the address it was emailed to, which links in older emails lack. After a restore its number may belong to another
 * alert, but its owner and the moment it opened don't change.
 */
const claim = z.tuple([z.number().int(), z.string(), z.number().int(), z.string().optional()])

/** Lets an email's reader say whether this alert was useful, and nothing else, as long as the account's alert emails go there. */
export const createVerdictTokens = (...keys: SigningKeys) => createSignedTokens(keys, claim)
export type VerdictTokens = ReturnType<typeof createVerdictTokens>

type Rated = { alertId: string; openedAt: string }
type Mailed = { userId: string; address: string }

/** The link in an email that offers a verdict to its reader. */
export function verdictLink(
  tokens: VerdictTokens,
  baseUrl: string,
  { userId, address }: Mailed,
  { alertId, openedAt }: Rated,
  verdict: AlertVerdict,
): string {
  const token = tokens.make([Number(alertId), userId, Date.parse(openedAt), address])
  return `${baseUrl}${screens.alertVerdict}?say=${verdict}&token=${encodeURIComponent(token)}`
}

type VerdictRoutesDeps = {
  alerts: Pick<AlertsService, 'rate' | 'toBeRated'>
  tokens: Pick<VerdictTokens, 'read'>
  /** Whether an account's alert emails still go to an address. */
  goesTo(mailed: Mailed): Promise<boolean>
}

/**
 * A link shows the alert to rate and stores a verdict. Reading changes nothing, since mail scanners open every link. Only the token counts:
 * no session is needed or started.
 */
export const verdictRoutes =
  ({ alerts, tokens, goesTo }: VerdictRoutesDeps): FastifyPluginAsync =>
  async (app) => {
    app.addHook('onRequest', async (_request, reply) => {
      void reply.header('x-robots-tag', 'noindex').header('referrer-policy', 'no-referrer').header('cache-control', 'no-store')
    })
    /** @throws Refusal 400 for tokens we didn't create */
    function read(token: string): { of: AlertToRate; address: string | undefined } {
      const known = tokens.read(token)
      if (!known) throw new Refusal(400, 'This link is incomplete or too old. Open it again from the email, or from a newer one.', 'token')
      const [id, userId, openedAt, address] = known
      return { of: { id, userId, openedAt: new Date(openedAt) }, address }
    }

    /** @throws Refusal 404 if it is gone, or was sent to an address that has left the account */
    async function ratable({ of, address }: ReturnType<typeof read>): Promise<VerdictByLink> {
      const found = await alerts.toBeRated(of)
      if (!found) throw new Refusal(404, 'This alert no longer exists.', 'token')
      if (address === undefined || !(await goesTo({ userId: of.userId, address })))
        throw new Refusal(404, 'This link no longer works because alert emails are no longer sent to that address.', 'token')
      return found
    }

    serve(app, endpoints.read, ({ query }) => ratable(read(query.token)))
    serve(app, endpoints.rate, async ({ query, body }) => {
      const link = read(query.token)
      await ratable(link)
      await alerts.rate(link.of, body.verdict, 'email')
      return ratable(link)
    })
  }
