import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createFairShare, type FairShare } from '../platform/fair-share.ts'
import { Abandoned, tenancyNow } from '../platform/tenant.ts'
import { onResponseEnd } from '../common/on-response-end.ts'
import { healthPaths } from './health-routes.ts'

/** Limits on requests in progress, from the first header until the answer is sent and its work is done, and on those that wait for one to end. */
type Most = { atOnce: number; waiting: number }

/**
 * For a person, from each network: somebody else with a copy of their session must not take all their places. Even if the queues for long
 * lists (2 + 60), or numbers of many days (4 + 60), and files (2 + 30) are full, there is room for thirty more. A screen asks for twenty to
 * forty things at once; those of ten tabs opened together wait, but are answered. For a network: visitors' requests, and everyone's until
 * their session is read, so an office behind one address hardly waits.
 */
const mostInProgress = { person: { atOnce: 128, waiting: 256 }, network: { atOnce: 256, waiting: 1_024 } } as const

/**
 * Limits requests in progress, so that a thousand at once from one person or network don't keep the process, its memory or its connections
 * from everybody else. Whoever hangs up keeps their place until the work they asked for is done: a read is abandoned (tenants.ts), a change is
 * carried out. Register it after the tenants, and before the routes.
 * @throws TooManyRequests, Abandoned
 */
export function limitInProgress(app: FastifyInstance, most: { person: Most; network: Most } = mostInProgress): void {
  const networks = shareOf(most.network)
  const people = shareOf(most.person)
  const places = new WeakMap<FastifyRequest, Place>()
  app.addHook('onRequest', async (request, reply) => {
    const tenancy = tenancyNow()
    if (!tenancy || healthPaths.includes(request.routeOptions.url ?? '')) return
    const ended = new AbortController()
    const place: Place = { ended: ended.signal, working: false, leave() {} }
    places.set(request, place)
    let counted = ''
    onResponseEnd(reply.raw, () => {
      ended.abort(new Abandoned())
      if (!place.working) place.leave()
    })
    async function enter(share: FairShare, requester: string): Promise<void> {
      if (requester === counted) return
      // First: whoever waits for their own turn doesn't hold up their network.
      place.leave()
      counted = requester
      place.leave = await share.enter(requester, { signal: ended.signal })
      if (!ended.signal.aborted) return
      place.leave()
      throw new Abandoned()
    }
    tenancy.admit = (person) => enter(people, `${person} ${tenancy.origin}`)
    await enter(networks, tenancy.requester)
  })
  app.addHook('onRoute', (route) => {
    const { handler } = route
    route.handler = function handleInPlace(request, reply) {
      const place = places.get(request)
      return place ? work(place, () => handler.call(this, request, reply)) : handler.call(this, request, reply)
    }
  })
}

/** A request's place: of its network, or its person. */
type Place = { readonly ended: AbortSignal; working: boolean; leave(): void }

/** Keeps the place while a handler works, even for nobody. What isn't begun when its client leaves is never begun. */
function work<T>(place: Place, handle: () => T): T {
  place.ended.throwIfAborted()
  place.working = true
  const settled = (): void => {
    place.working = false
    if (place.ended.aborted) place.leave()
  }
  try {
    const answer = handle()
    if (answer instanceof Promise) answer.then(settled, settled)
    else settled()
    return answer
  } catch (error) {
    settled()
    throw error
  }
}

const shareOf = ({ atOnce, waiting }: Most): FairShare =>
  createFairShare({ places: Infinity, perTenant: atOnce, waitingPerTenant: waiting })
