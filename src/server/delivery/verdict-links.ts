import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import { type AlertVerdict, type VerdictByLink, verdictLinkEndpoints as endpoints } from '../../contract/alerts/alerts.ts'
import { screens } from '../../contract/screens.ts'
import { serve } from '../accounts/service.ts'
import type { AlertsService, Judged } from '../alerts/service.ts'
import { Refusal } from '../common/errors.ts'
import { createSignedTokens, type SigningKeys } from '../platform/signed-token.ts'

/** Which alert of whom: after a restore its number may be another's, its owner and the moment it was opened are not. */
const claim = z.tuple([z.number().int(), z.string(), z.number().int()])

/** Whoever has the mail may say of this alert whether it was useful, and nothing else. It never expires, like its mail. */
export const createVerdictTokens = (...keys: SigningKeys) => createSignedTokens(keys, claim)
export type VerdictTokens = ReturnType<typeof createVerdictTokens>

type Told = { alertId: string; openedAt: string }

/** The link of a mail that asks whether `verdict` is what its reader wants to say. */
export function verdictLink(
  tokens: VerdictTokens,
  baseUrl: string,
  userId: string,
  { alertId, openedAt }: Told,
  verdict: AlertVerdict,
): string {
  const token = tokens.make([Number(alertId), userId, Date.parse(openedAt)])
  return `${baseUrl}${screens.alertVerdict}?say=${verdict}&token=${encodeURIComponent(token)}`
}

type VerdictRoutesDeps = { alerts: Pick<AlertsService, 'judge' | 'toBeJudged'>; tokens: Pick<VerdictTokens, 'read'> }

/**
 * A link says what there is to judge and stores a verdict. Reading changes nothing, since programs that look into mails open every
 * link. The token alone counts: no session is asked for, and none is begun.
 */
export const verdictRoutes =
  ({ alerts, tokens }: VerdictRoutesDeps): FastifyPluginAsync =>
  async (app) => {
    app.addHook('onRequest', async (_request, reply) => {
      void reply.header('x-robots-tag', 'noindex').header('referrer-policy', 'no-referrer').header('cache-control', 'no-store')
    })
    const limit = { max: 60 }

    /** @throws Refusal 400 for what we did not make */
    function read(token: string): Judged {
      const known = tokens.read(token)
      if (!known) throw new Refusal(400, 'This link is incomplete. Open it again from the email.', 'token')
      const [id, userId, openedAt] = known
      return { id, userId, openedAt: new Date(openedAt) }
    }

    /** @throws Refusal 404 when it is gone */
    async function told(of: Judged): Promise<VerdictByLink> {
      const found = await alerts.toBeJudged(of)
      if (!found) throw new Refusal(404, 'This alert no longer exists.', 'token')
      return found
    }

    serve(app, endpoints.read, ({ query }) => told(read(query.token)), { limit })
    serve(
      app,
      endpoints.judge,
      async ({ query, body }) => {
        const of = read(query.token)
        await told(of)
        await alerts.judge(of, body.verdict, 'email')
        return told(of)
      },
      { limit },
    )
  }
