import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { apiDocsEndpoints as endpoints } from '../../contract/api-v1/common.ts'
import { serve } from '../accounts/service.ts'
import { etagOf, isKnown } from './etag.ts'
import { type OpenApiDocument, openApiOf } from './openapi/document.ts'
import type { Operation } from './operation.ts'
import { requestsOfAccount, requestsPerMinute } from './rate-limit.ts'
import { html } from './reference/html.ts'
import { contentsOf, referenceOf } from './reference/reference.ts'

export type DocsRoutesDeps = {
  operations: readonly Operation[]
  /** This installation's URL, without a trailing slash. */
  baseUrl: () => string
  /** The page around the reference from the browser build; null without one. */
  readFrame: () => Promise<string | null>
}

/** The API's description, for programs and for people. Neither needs a key. */
export const docsRoutes =
  ({ operations, baseUrl, readFrame }: DocsRoutesDeps): FastifyPluginAsync =>
  async (app) => {
    app.addHook('onSend', async (_request, reply) => void reply.header('cache-control', 'no-cache'))
    // The URL is known once the server listens, and never changes.
    let described: { address: string; document: OpenApiDocument; json: Encoded } | null = null
    const describe = async (): Promise<{ document: OpenApiDocument; json: Encoded }> => {
      const address = baseUrl()
      if (described?.address === address) return described
      const document = openApiOf(operations, address)
      described = { address, document, json: await encoded(JSON.stringify(document)) }
      return described
    }
    const fromMemory = { limit: { unlimited: 'the same for everybody, from memory' } } as const
    let page: { document: OpenApiDocument; html: Encoded } | null = null

    serve(
      app,
      endpoints.document,
      async ({ request, reply }) => answer(request, reply.type('application/json; charset=utf-8'), (await describe()).json),
      fromMemory,
    )

    serve(
      app,
      endpoints.page,
      async ({ request, reply }) => {
        const { document } = await describe()
        if (page?.document !== document) {
          const frame = await readFrame()
          if (frame === null) return reply.status(503).type('text/plain').send('The web app has not been built. Run `npm run build`.')
          page = { document, html: await encoded(filled(frame, operations, document, baseUrl())) }
        }
        return answer(request, reply.type('text/html; charset=utf-8'), page.html)
      },
      fromMemory,
    )
  }

/** The response, also in the gzipped form that most clients request: a tenth of the size. */
type Encoded = { etag: string; raw: Buffer; zipped: Buffer }

async function encoded(text: string): Promise<Encoded> {
  const raw = Buffer.from(text)
  return { etag: `W/${etagOf(text)}`, raw, zipped: await promisify(gzip)(raw, { level: 9 }) }
}

/** Fills in the frame's placeholders. */
function filled(frame: string, operations: readonly Operation[], document: OpenApiDocument, address: string): string {
  const parts: Record<string, string> = {
    contents: contentsOf(operations).html,
    reference: referenceOf(operations, document).html,
    address: html`${address}`.html,
    requests: String(requestsPerMinute),
    accountRequests: String(requestsOfAccount),
  }
  return frame.replaceAll(/\{\{(\w+)\}\}/g, (place, name: string) => parts[name] ?? place)
}

/** Both change only with the code, so clients learn that their copy is still valid. */
function answer(request: FastifyRequest, reply: FastifyReply, { etag, raw, zipped }: Encoded): FastifyReply {
  void reply.headers({ etag, vary: 'accept-encoding' })
  if (isKnown(request.headers['if-none-match'], etag.slice('W/'.length))) return reply.status(304).send()
  const zip = /\bgzip\b/.test(request.headers['accept-encoding']?.toString() ?? '')
  return zip ? reply.header('content-encoding', 'gzip').send(zipped) : reply.send(raw)
}
