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

/** The build output of `npm start` for the browser. */
export const webRoot = fileURLToPath(new URL('../../../dist/web', import.meta.url))

const sharedReports = screens.sharedReport.replace(':token', '')

/** Screens reached only through links in emails. Their URLs carry the email's permissions. */
const ofMails: readonly string[] = [
  screens.alertVerdict,
  screens.unsubscribe,
  screens.confirmDelivery,
  screens.resetPassword,
  screens.undoEmail,
  screens.verifyEmail,
]

/** The frame around the API reference, which its routes fill in; null before the browser part is built. */
export async function readApiDocsFrame(billing: Billing): Promise<string | null> {
  const file = join(webRoot, `site/${billing}/api-docs.html`)
  return existsSync(file) ? readFile(file, 'utf8') : null
}

/** Serves the browser part: the static pages, and the app, which routes every path that is neither a file nor the API. */
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
        // Names under assets/ contain a content hash; everything else is revalidated each time.
        const forever = path.includes('/assets/')
        void reply.header('cache-control', forever ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
    addSitePages(app, deps)
  }
  app.setNotFoundHandler((request, reply) => {
    if (request.url.startsWith(apiRoot) || request.method !== 'GET') {
      const body: ApiError = { message: `No such endpoint: ${request.method} ${request.url.split('?')[0]}` }
      return reply.status(404).send(body)
    }
    if (!built) return reply.status(503).type('text/plain').send('The web app has not been built. Run `npm run build`.')
    // The app shows its own not-found page; everyone else needs one as well.
    const path = request.url.split('?')[0] ?? ''
    // Meant for the link's holders, not for search engines, and without our name.
    if (isScreen(path) && path.startsWith(sharedReports))
      return reply.header('x-robots-tag', 'noindex, nofollow').header('referrer-policy', 'no-referrer').sendFile('shared.html')
    if (ofMails.includes(path)) void reply.header('x-robots-tag', 'noindex, nofollow').header('referrer-policy', 'no-referrer')
    return reply.status(isScreen(path) ? 200 : 404).sendFile('index.html')
  })
}
