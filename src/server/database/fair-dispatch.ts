import type { Lease, Leases } from './leases.ts'

/**
 * An item waiting for delivery to an outside party. `lane`: the owner's items delivered one after another, so that a stuck one blocks no
 * other lane.
 */
export type Waiting = { id: number; userId: string; lane: string }

export type Place = { name: string; most: number }

export type HandOutDeps<W extends Waiting> = {
  leases: Leases
  /** Concurrent deliveries in one process. None of them holds a database connection meanwhile. */
  places: number
  /** Maximum number of them per person, over all processes. */
  perPerson: number
  /** Per lane, the free item that has been due the longest; leaves out the named lanes. */
  next(without: readonly string[]): Promise<W[]>
  /** Whether only other processes hold due items. */
  heldElsewhere(): Promise<boolean>
  /** Whom it will occupy, and how many may do so at once; null if nobody is asked. */
  placeOf(waiting: W): Promise<Place | null>
  /** Delivers it and stores the result. It may be done already, or no longer wanted. */
  work(waiting: W, signal: AbortSignal): Promise<void>
}

/** A dead process's leases end within this time (leases.ts). */
const heldMs = 12_000
const againMs = 1_000
/** A job ends: nothing more is started after this time. */
const longestMs = 10 * 60_000

/**
 * Delivers items to outside parties. People take turns: each lane gets one delivered before any gets another. A slow outside party can't take
 * more places than the limit per person or per party, so it holds up nobody else.
 */
export function createHandOut<W extends Waiting>(deps: HandOutDeps<W>) {
  const { leases, places, perPerson } = deps
  const inHand = new Set<Promise<void>>()
  /** Blocked lanes, and whose completion they wait for. */
  const stuck = new Map<string, { userId: string; place: string }>()
  let round: W[] = []
  const problems: unknown[] = []

  async function claim(waiting: W): Promise<{ lease: Lease; place: string } | null> {
    const { id, userId, lane } = waiting
    const place = await deps.placeOf(waiting)
    const lease = await leases.claim(
      { key: id, userId, ...(place && { place: place.name }) },
      { perPerson, ...(place && { perPlace: place.most }) },
    )
    if (lease) return { lease, place: place?.name ?? '' }
    stuck.set(lane, { userId, place: place?.name ?? '' })
    return null
  }

  async function take() {
    for (;;) {
      const waiting = round.shift()
      if (waiting === undefined) {
        round = await deps.next([...stuck.keys()])
        if (round.length === 0) return null
        continue
      }
      if (stuck.has(waiting.lane)) continue
      const held = await claim(waiting)
      if (held) return { waiting, ...held }
    }
  }

  async function handOver({ waiting, lease, place }: { waiting: W; lease: Lease; place: string }, signal: AbortSignal): Promise<void> {
    try {
      await deps.work(waiting, AbortSignal.any([signal, lease.signal]))
    } catch (error) {
      problems.push(error)
    } finally {
      await lease.release()
      for (const [lane, by] of stuck) if (by.userId === waiting.userId || by.place === place) stuck.delete(lane)
    }
  }

  async function fill(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && problems.length === 0 && inHand.size < places) {
      const taken = await take()
      if (taken === null) return
      const going: Promise<void> = handOver(taken, signal).finally(() => inHand.delete(going))
      inHand.add(going)
    }
  }

  /** Waits for running deliveries. */
  async function settle(): Promise<void> {
    await Promise.all(inHand)
    round = []
    const [first] = problems.splice(0)
    if (first !== undefined) throw first
  }

  /** Returns whether everything is done; slow deliveries keep running. */
  async function some(signal: AbortSignal): Promise<boolean> {
    stuck.clear()
    const enough = performance.now() + againMs
    while (!signal.aborted && problems.length === 0) {
      await fill(signal)
      if (inHand.size === 0) break
      const left = enough - performance.now()
      if (left <= 0) return false
      await Promise.race([...inHand, pause(left)])
    }
    await settle()
    return true
  }

  /**
   * Delivers everything due. Calls `look` first, and once a second while something takes longer, to find new items; it returns whether it
   * may find more right away.
   */
  return async (signal: AbortSignal, look: () => Promise<boolean> = async () => false): Promise<void> => {
    const began = performance.now()
    let done = began
    try {
      while (!signal.aborted && performance.now() - began < longestMs) {
        const more = await look()
        if (!(await some(signal)) || more) {
          done = performance.now()
          continue
        }
        // A dead process's items will be free in a moment.
        if (performance.now() - done > heldMs || !(await deps.heldElsewhere())) return
        await pause(againMs)
      }
    } finally {
      await settle()
    }
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref())
