import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { unsubscribeAnswer, unsubscribeQuery } from '../../contract/delivery-channels.ts'
import type { Unsubscribe } from './unsubscribe.ts'

/** More than any mail program sends, which is `List-Unsubscribe=One-Click`. */
const bodyLimit = 4096

/**
 * `/api/unsubscribe?token=…`: `GET` says what it would turn off, `POST` does it, for our own screen and for mail
 * programs with one click (RFC 8058), which send a form. The token alone counts: no session is asked for, and where
 * the request comes from does not matter (http/security.ts).
 */
export const unsubscribeRoutes =
  ({ unsubscribe }: { unsubscribe: Unsubscribe }): FastifyPluginAsyncZod =>
  async (app) => {
    // Holds for this plugin alone: what the body says is known, and is not looked at.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'string', bodyLimit }, (_request, _body, done) => done(null))

    const path = '/api/unsubscribe'
    const schema = { querystring: unsubscribeQuery, response: { 200: unsubscribeAnswer } }
    app.get(path, { schema }, async (request) => unsubscribe.of(request.query.token))
    app.post(path, { schema }, async (request) => unsubscribe.end(request.query.token))
  }
