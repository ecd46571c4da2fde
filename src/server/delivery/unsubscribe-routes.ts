import type { FastifyPluginAsync } from 'fastify'
import { unsubscribeEndpoints as endpoints } from '../../contract/delivery/channels.ts'
import { serve } from '../accounts/service.ts'
import type { Unsubscribe } from './unsubscribe.ts'

/** More than any mail program sends, which is `List-Unsubscribe=One-Click`. */
const bodyLimit = 4096

/** For our own screen, and for mail programs with one click (RFC 8058), which send a form. The token alone counts: no session is asked for. */
export const unsubscribeRoutes =
  ({ unsubscribe }: { unsubscribe: Unsubscribe }): FastifyPluginAsync =>
  async (app) => {
    // Holds for this plugin alone: what the body says is known, and is not looked at.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'string', bodyLimit }, (_request, _body, done) => done(null))

    serve(app, endpoints.read, ({ query }) => unsubscribe.of(query.token))
    serve(app, endpoints.stop, ({ query }) => unsubscribe.end(query.token))
  }
