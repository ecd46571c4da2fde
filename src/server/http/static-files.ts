import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { ApiError } from '../../contract/common.ts'
import { isScreen } from '../../contract/screens.ts'

/** Where `npm start` builds the browser part. */
export const webRoot = fileURLToPath(new URL('../../../dist/web', import.meta.url))

/** Serves the browser part; every address that is no file and no API is the app's own to route. */
export async function addStaticFiles(app: FastifyInstance): Promise<void> {
  const built = existsSync(webRoot)
  if (built) {
    await app.register(fastifyStatic, {
      root: webRoot,
      wildcard: false,
      index: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        // Names under assets/ hold a hash of their content; everything else is asked for again each time.
        const forever = path.includes('/assets/')
        void reply.header('cache-control', forever ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
  }
  app.setNotFoundHandler((request, reply) => {
    if (request.url.startsWith('/api/') || request.method !== 'GET') {
      const body: ApiError = { message: `There is no ${request.method} ${request.url.split('?')[0]}` }
      return reply.status(404).send(body)
    }
    if (!built) return reply.status(503).type('text/plain').send('The browser part is not built. Run `npm run build`.')
    // The app shows its own not-found page; for everyone else it has to be one as well.
    return reply.status(isScreen(request.url.split('?')[0] ?? '') ? 200 : 404).sendFile('index.html')
  })
}
