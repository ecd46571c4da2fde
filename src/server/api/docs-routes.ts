import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { apiDocsEndpoints as endpoints } from '../../contract/api-v1/common.ts'
import { serve } from '../accounts/service.ts'
import { etagOf, isKnown } from './etag.ts'
import { type OpenApiDocument, openApiOf } from './openapi/document.ts'
import type { Operation } from './operation.ts'
import { requestsPerMinute } from './rate-limit.ts'
import { html } from './reference/html.ts'
import { contentsOf, referenceOf } from './reference/reference.ts'

export type DocsRoutesDeps = {
  operations: readonly Operation[]
  /** Where this installation is reached, without a trailing slash. */
  baseUrl: () => string
  /** The page around the reference, as the build of the browser part made it; null without one. */
  readFrame: () => Promise<string | null>
}

/** What the API is, for programs and for people. Neither needs a key. */
export const docsRoutes =
  ({ operations, baseUrl, readFrame }: DocsRoutesDeps): FastifyPluginAsync =>
  async (app) => {
    app.addHook('onSend', async (_request, reply) => void reply.header('cache-control', 'no-cache'))
    // The address is known once the server listens, and stays.
    let described: { address: string; document: OpenApiDocument; json: Told } | null = null
    const describe = async (): Promise<{ document: OpenApiDocument; json: Told }> => {
      const address = baseUrl()
      if (described?.address === address) return described
      const document = openApiOf(operations, address)
      described = { address, document, json: await toldOf(JSON.stringify(document)) }
      return described
    }
    let page: { document: OpenApiDocument; told: Told } | null = null

    serve(app, endpoints.document, async ({ request, reply }) =>
      answer(request, reply.type('application/json; charset=utf-8'), (await describe()).json),
    )

    serve(app, endpoints.page, async ({ request, reply }) => {
      const { document } = await describe()
      if (page?.document !== document) {
        const frame = await readFrame()
        if (frame === null) return reply.status(503).type('text/plain').send('The browser part is not built. Run `npm run build`.')
        page = { document, told: await toldOf(filled(frame, operations, document, baseUrl())) }
      }
      return answer(request, reply.type('text/html; charset=utf-8'), page.told)
    })
  }

/** What is sent, also as most ask for it: a tenth of the size. */
type Told = { etag: string; plain: Buffer; zipped: Buffer }

async function toldOf(text: string): Promise<Told> {
  const plain = Buffer.from(text)
  return { etag: `W/${etagOf(text)}`, plain, zipped: await promisify(gzip)(plain, { level: 9 }) }
}

/** The frame with what it leaves open. */
function filled(frame: string, operations: readonly Operation[], document: OpenApiDocument, address: string): string {
  const parts: Record<string, string> = {
    contents: contentsOf(operations).html,
    reference: referenceOf(operations, document).html,
    address: html`${address}`.html,
    requests: String(requestsPerMinute),
  }
  return frame.replaceAll(/\{\{(\w+)\}\}/g, (place, name: string) => parts[name] ?? place)
}

/** Both change only when the code does, so that whoever has them is told that they still hold. */
function answer(request: FastifyRequest, reply: FastifyReply, { etag, plain, zipped }: Told): FastifyReply {
  void reply.headers({ etag, vary: 'accept-encoding' })
  if (isKnown(request.headers['if-none-match'], etag.slice('W/'.length))) return reply.status(304).send()
  const zip = /\bgzip\b/.test(request.headers['accept-encoding']?.toString() ?? '')
  return zip ? reply.header('content-encoding', 'gzip').send(zipped) : reply.send(plain)
}
