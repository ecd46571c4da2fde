import type { Endpoint } from '../../contract/endpoint.ts'
import { createFairShare } from '../platform/fair-share.ts'
import { abandonedNow, requesterNow } from '../platform/tenant.ts'

/**
 * What is read for an answer, the answer itself and its text are in memory together, before anybody knows how long it is. Numbers for each
 * day are shorter, and a screen asks for several of them: they and lists of names don't wait for each other.
 */
const beingBuilt = {
  names: createFairShare({ places: 32, perTenant: 2, waitingPerTenant: 60 }),
  days: createFairShare({ places: 32, perTenant: 4, waitingPerTenant: 60 }),
}

/**
 * Builds an answer that may be long: only a few at a time for one user or, for visitors, one network, whether requested on screen or
 * through the API. What then waits to be read is limited in bytes (http/slow-readers.ts).
 * @throws TooManyRequests
 */
export async function buildInTurn<T>({ isLong }: Pick<Endpoint, 'isLong'>, build: () => Promise<T>): Promise<T> {
  if (!isLong) return build()
  const requester = requesterNow()
  const buildAndShow = async (): Promise<T> => {
    const answer = await build()
    await awaitWriteTurn(requester)
    return answer
  }
  return beingBuilt[isLong].run(requester, buildAndShow, { signal: abandonedNow() })
}

const shown = createFairShare({ places: 1, perTenant: 1 })

/**
 * Turns of the event loop from one long answer to the next. Node accepts one new connection per turn, and somebody's may be behind a hundred of
 * the person who is requesting the long answers; turns without work take microseconds.
 */
const turnsBetween = 64
/** As many answers as a screen asks for at once come without these pauses. */
const ofScreen = 24
const screenMs = 2_000
/** Each requester's answers since the first of them; the oldest entries come first. */
const lately = new Map<string, { since: number; answers: number }>()

/** How many turns others get after this answer. */
function turnsAfter(requester: string): number {
  const now = performance.now()
  const of = lately.get(requester)
  if (of && now - of.since < screenMs) {
    of.answers += 1
    return of.answers <= ofScreen ? 1 : turnsBetween
  }
  for (const [each, { since }] of lately) {
    if (now - since < screenMs) break
    lately.delete(each)
  }
  lately.delete(requester)
  lately.set(requester, { since: now, answers: 1 })
  return 1
}

/**
 * Call it when nothing is left to wait for before a long answer is checked and written in one go, which may take tens of milliseconds. They
 * are written one after another with pauses for everything else, and people take turns.
 */
export async function awaitWriteTurn(requester: string): Promise<void> {
  const leave = await shown.enter(requester, { signal: abandonedNow() })
  passTurns(turnsAfter(requester), leave)
}

const passTurns = (turns: number, then: () => void): void => void setImmediate(() => (turns === 1 ? then() : passTurns(turns - 1, then)))
