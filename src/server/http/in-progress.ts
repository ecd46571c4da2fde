import type { FastifyInstance } from 'fastify'
import { createFairShare, type FairShare } from '../platform/fair-share.ts'
import { Abandoned, tenancyNow } from '../platform/tenant.ts'
import { whenOver } from '../common/when-over.ts'
import { healthPaths } from './health-routes.ts'

/** Most requests in progress, from the first header to the last byte of the answer, and most that wait for one of them to end. */
type Most = { atOnce: number; waiting: number }

/**
 * For a person: the lines for long answers (2 + 60) and files (2 + 30) may be full, and there is still room for thirty others. A screen asks
 * for twenty to forty things at once; those of ten tabs opened together wait, but are answered. For a network, only until its people are
 * known, so that an office behind one address hardly waits: visitors, and reading sessions.
 */
const mostInProgress = { person: { atOnce: 128, waiting: 256 }, network: { atOnce: 256, waiting: 1_024 } } as const

/**
 * Limits requests in progress, so that a thousand at once from one person or network don't keep the process, its memory or its connections
 * from everybody else. Register it after the tenants (tenants.ts).
 * @throws TooManyWishes, Abandoned
 */
export function limitInProgress(app: FastifyInstance, most: { person: Most; network: Most } = mostInProgress): void {
  const networks = shareOf(most.network)
  const people = shareOf(most.person)
  app.addHook('onRequest', async (request, reply) => {
    const tenancy = tenancyNow()
    if (!tenancy || healthPaths.includes(request.routeOptions.url ?? '')) return
    const ended = new AbortController()
    let leave = (): void => {}
    let counted = ''
    whenOver(reply.raw, () => {
      ended.abort(new Abandoned())
      leave()
    })
    async function enter(share: FairShare, requester: string): Promise<void> {
      if (requester === counted) return
      // First: whoever waits for their own turn doesn't hold up their network.
      leave()
      counted = requester
      leave = await share.enter(requester, { signal: ended.signal })
      if (!ended.signal.aborted) return
      leave()
      throw new Abandoned()
    }
    tenancy.admit = (person) => enter(people, person)
    await enter(networks, tenancy.requester)
  })
}

const shareOf = ({ atOnce, waiting }: Most): FairShare =>
  createFairShare({ places: Infinity, perTenant: atOnce, waitingPerTenant: waiting })
