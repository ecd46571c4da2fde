import { createHash } from 'node:crypto'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { z } from 'zod'
import { recipientEndpoints as endpoints } from '../../../contract/reports/reports.ts'
import { escapeMarkup } from '../../../core/alerting/copy.ts'
import { serve } from '../../accounts/service.ts'
import { createSignedTokens, type SigningKeys } from '../../platform/signed-token.ts'
import type { Recipients } from './recipients.ts'
import type { Schedules } from './schedules.ts'

/** More than any mail program sends, which is just `List-Unsubscribe=One-Click`. */
const bodyLimit = 4096

/** The account and the address; older emails name the schedule. It never expires, since old emails stay in mailboxes for years. */
export const createUnsubscribeTokens = (...keys: SigningKeys) =>
  createSignedTokens(
    keys,
    z.union([z.object({ user: z.string(), address: z.string() }), z.object({ schedule: z.number(), address: z.string() })]),
  )

export type UnsubscribeDeps = {
  schedules: Pick<Schedules, 'ownerOf'>
  recipients: Recipients
  tokens: ReturnType<typeof createUnsubscribeTokens>
}

/**
 * Starts reports for people who were asked, and ends them for whoever has one of their emails: `GET` is a page that asks, since mail
 * scanners open every link; `POST` does it, also for mail programs' one-click unsubscribe (RFC 8058). Only the token counts. Recipients
 * know the sender's brand and not us, so the page shows no name, and works without the app.
 */
export const unsubscribeRoutes =
  ({ schedules, recipients, tokens }: UnsubscribeDeps): FastifyPluginAsync =>
  async (app) => {
    // For this plugin only: the body's content is known and ignored.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'string', bodyLimit }, (_request, _body, done) => done(null))

    /** Null: not our link. Without a user: its schedule was deleted, maybe with the account. */
    async function read(token: string): Promise<{ user: string | null; address: string } | null> {
      const known = tokens.read(token)
      if (!known || 'user' in known) return known
      return { user: await schedules.ownerOf(known.schedule), address: known.address }
    }

    serve(app, endpoints.askToConfirm, ({ reply }) =>
      page(
        reply,
        'Reports by email',
        '<p>Confirm that you want these reports by email.</p><form method="post"><button>Send me these reports</button></form>',
      ),
    )

    serve(app, endpoints.confirm, async ({ query, reply }) => {
      const address = await recipients.confirm(query.token)
      if (address === null) return expired(reply)
      return page(reply, 'Confirmed', `<p>You'll get reports at <strong>${escapeMarkup(address)}</strong>, starting with the next one.</p>`)
    })

    serve(app, endpoints.askToLeave, async ({ query, reply }) => {
      const known = await read(query.token)
      if (!known) return incomplete(reply)
      const address = `<strong>${escapeMarkup(known.address)}</strong>`
      return (await recipients.hasLeft(known.user, known.address))
        ? page(reply, 'Unsubscribed', `<p>These reports are no longer sent to ${address}.</p>`)
        : page(
            reply,
            'Unsubscribe',
            `<p>Stop sending these reports to ${address}?</p><form method="post"><button>Unsubscribe</button></form>`,
          )
    })

    serve(app, endpoints.leave, async ({ query, reply }) => {
      const known = await read(query.token)
      if (!known) return incomplete(reply)
      await recipients.leave(known.user, known.address)
      return page(reply, 'Unsubscribed', `<p>These reports are no longer sent to <strong>${escapeMarkup(known.address)}</strong>.</p>`)
    })
  }

const style = `body{margin:15vh auto;max-width:28rem;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif;color:#151b24;background:#fff;overflow-wrap:anywhere}
button{font:inherit;min-height:44px;padding:0 1rem;border:1px solid #151b24;border-radius:8px;background:#151b24;color:#fff;cursor:pointer}
@media (prefers-color-scheme:dark){body{color:#e9ebef;background:#0c1016}button{background:#e9ebef;color:#0c1016}}`
const styleHash = createHash('sha256').update(style).digest('base64')

const incomplete = (reply: FastifyReply): FastifyReply =>
  page(reply.status(400), "This link doesn't work", "<p>It's incomplete. Open it again from the email.</p>")

const expired = (reply: FastifyReply): FastifyReply =>
  page(
    reply.status(400),
    "This link doesn't work",
    "<p>It's incomplete or has expired, or reports are no longer sent to this address. Ask the sender for a new one.</p>",
  )

const page = (reply: FastifyReply, title: string, content: string): FastifyReply =>
  reply
    .type('text/html; charset=utf-8')
    .header(
      'content-security-policy',
      `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    )
    .header('x-robots-tag', 'noindex')
    .header('referrer-policy', 'no-referrer')
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${style}</style></head><body><main><h1>${title}</h1>${content}</main></body></html>`,
    )
