import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { unsubscribeQuery } from '../../contract/delivery-channels.ts'
import { escapeMarkup } from '../../core/alerting/words.ts'
import { createSignedTokens, type SigningKeys } from '../platform/signed-token.ts'
import type { Schedules } from './schedules.ts'

/** More than any mail program sends, which is `List-Unsubscribe=One-Click`. */
const bodyLimit = 4096
export const unsubscribePath = '/api/report-unsubscribe'

/** Whose mail of which schedule. It never expires, since old mails lie in mailboxes for years. */
export const createUnsubscribeTokens = (...keys: SigningKeys) =>
  createSignedTokens(keys, z.object({ schedule: z.number(), address: z.string() }))

export type UnsubscribeDeps = { schedules: Schedules; tokens: ReturnType<typeof createUnsubscribeTokens> }

/**
 * An end of reports for whoever has one of their mails: `GET` is a page that asks, since programs that look into mails open
 * every link, `POST` does it, also for mail programs with one click (RFC 8058). The token alone counts. Recipients know the
 * sender's brand and not us, so the page bears no name, and works without the app.
 */
export const unsubscribeRoutes =
  ({ schedules, tokens }: UnsubscribeDeps): FastifyPluginAsyncZod =>
  async (app) => {
    // Holds for this plugin alone: what the body says is known, and is not looked at.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'string', bodyLimit }, (_request, _body, done) => done(null))
    const schema = { querystring: unsubscribeQuery }
    const config = { rateLimit: { max: 60, timeWindow: '1 minute' } }

    app.get(unsubscribePath, { schema, config }, async (request, reply) => {
      const known = tokens.read(request.query.token)
      if (!known) return incomplete(reply)
      const address = `<strong>${escapeMarkup(known.address)}</strong>`
      return (await schedules.hasUnsubscribed(known.schedule, known.address))
        ? page(reply, 'Unsubscribed', `<p>No more of these reports go to ${address}.</p>`)
        : page(
            reply,
            'Unsubscribe',
            `<p>This ends reports by mail to ${address}.</p><form method="post"><button>Send no more of these reports</button></form>`,
          )
    })

    app.post(unsubscribePath, { schema, config }, async (request, reply) => {
      const known = tokens.read(request.query.token)
      if (!known) return incomplete(reply)
      await schedules.unsubscribe(known.schedule, known.address)
      return page(reply, 'Unsubscribed', `<p>No more of these reports go to <strong>${escapeMarkup(known.address)}</strong>.</p>`)
    })
  }

const style = `body{margin:15vh auto;max-width:28rem;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif;color:#151b24;background:#fff;overflow-wrap:anywhere}
button{font:inherit;min-height:44px;padding:0 1rem;border:1px solid #151b24;border-radius:8px;background:#151b24;color:#fff;cursor:pointer}
@media (prefers-color-scheme:dark){body{color:#e9ebef;background:#0c1016}button{background:#e9ebef;color:#0c1016}}`
const styleHash = createHash('sha256').update(style).digest('base64')

const incomplete = (reply: FastifyReply): FastifyReply =>
  page(reply.status(400), 'This link does not work', '<p>It is not complete. Open it from the mail once more.</p>')

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
