import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { ApiError } from '../../contract/common.ts'
import { apiRoot } from '../../contract/endpoint.ts'
import type { Billing } from '../../contract/user.ts'
import { isScreen, screens } from '../../contract/screens.ts'
import { addSitePages, type SitePagesDeps } from './site-pages.ts'

/** Where `npm start` builds the browser part. */
export const webRoot = fileURLToPath(new URL('../../../dist/web', import.meta.url))

const sharedReports = screens.sharedReport.replace(':token', '')

/** Screens that only links of emails lead to. Their addresses hold what the mail allows. */
const ofMails: readonly string[] = [screens.alertVerdict, screens.unsubscribe, screens.confirmDelivery]

/** The page around the reference of the API, which its routes fill in; null while the browser part is not built. */
export async function readApiDocsFrame(billing: Billing): Promise<string | null> {
  const file = join(webRoot, `site/${billing}/api-docs.html`)
  return existsSync(file) ? readFile(file, 'utf8') : null
}

/** Serves the browser part: the static pages, and the app, whose own to route is every address that is no file and no API. */
export async function addStaticFiles(app: FastifyInstance, deps: SitePagesDeps): Promise<void> {
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
    addSitePages(app, deps)
  }
  app.setNotFoundHandler((request, reply) => {
    if (request.url.startsWith(apiRoot) || request.method !== 'GET') {
      const body: ApiError = { message: `There is no ${request.method} ${request.url.split('?')[0]}` }
      return reply.status(404).send(body)
    }
    if (!built) return reply.status(503).type('text/plain').send('The browser part is not built. Run `npm run build`.')
    // The app shows its own not-found page; for everyone else it has to be one as well.
    const path = request.url.split('?')[0] ?? ''
    // Meant for whoever has the link, not for search engines, and without a word of ours.
    if (isScreen(path) && path.startsWith(sharedReports))
      return reply.header('x-robots-tag', 'noindex, nofollow').header('referrer-policy', 'no-referrer').sendFile('shared.html')
    if (ofMails.includes(path)) void reply.header('x-robots-tag', 'noindex, nofollow').header('referrer-policy', 'no-referrer')
    return reply.status(isScreen(path) ? 200 : 404).sendFile('index.html')
  })
}
