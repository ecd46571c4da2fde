import type { FastifyInstance, FastifyReply } from 'fastify'
import { screens, sitePages } from '../../contract/screens.ts'
import type { Billing } from '../../contract/user.ts'
import type { AccountsService } from '../accounts/service.ts'

export type SitePagesDeps = { accounts: Pick<AccountsService, 'readSession'>; demo: boolean; billing: Billing }

/** The pages without the app (src/site): the landing page for visitors, with signed-in people redirected; the others for everybody. */
export function addSitePages(app: FastifyInstance, { accounts, demo, billing }: SitePagesDeps): void {
  const send = (reply: FastifyReply, name: string) => reply.sendFile(`site/${billing}/${name}.html`)
  app.get(sitePages.landing, async (request, reply) => {
    if (await accounts.readSession(request.headers.cookie)) {
      return reply.header('cache-control', 'no-store').redirect(screens.dashboard)
    }
    // Browsers revalidate each time, and are redirected once signed in; nobody else may cache it.
    return send(reply.header('vary', 'cookie'), demo ? 'landing-demo' : 'landing')
  })
  for (const name of ['help', 'privacy', 'terms'] as const) app.get(sitePages[name], (_request, reply) => send(reply, name))
}
