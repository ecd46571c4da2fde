import type { Lease, Leases } from './leases.ts'

/** Something that waits to be handed to somebody outside. `lane`: what of its owner goes one after the other, so that one that is stuck keeps back no other. */
export type Waiting = { id: number; userId: string; lane: string }

export type Place = { name: string; most: number }

export type HandOutDeps<W extends Waiting> = {
  leases: Leases
  /** Things that are handed over at the same time in one process. None of them holds a database connection meanwhile. */
  places: number
  /** How many of them one person has over all processes. */
  perPerson: number
  /** Of each lane what has been due the longest, as far as nobody has it in hand; lanes named are left out. */
  next(without: readonly string[]): Promise<W[]>
  /** Whether something is due that nobody but another process has in hand. */
  heldElsewhere(): Promise<boolean>
  /** Whom it will keep busy, and how much of that there may be at once; null where nobody is asked. */
  placeOf(waiting: W): Promise<Place | null>
  /** Hands it over and notes what became of it. It may be done already, or no longer be wanted. */
  work(waiting: W, signal: AbortSignal): Promise<void>
}

/** Another process that died lets go of what it held within this time (leases.ts). */
const heldMs = 12_000
const againMs = 1_000
/** A job has an end: by then nothing more is begun. */
const longestMs = 10 * 60_000

/**
 * Works off what waits to be handed to somebody outside. People take turns: of each lane one is taken before any gets
 * another. Whoever is slow has as many places as one person, or one place outside, gets, and keeps nobody else waiting.
 */
export function createHandOut<W extends Waiting>(deps: HandOutDeps<W>) {
  const { leases, places, perPerson } = deps
  const inHand = new Set<Promise<void>>()
  /** Lanes that cannot go on until somebody is done, and who that is. */
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

  /** Waits for what is in hand. */
  async function settle(): Promise<void> {
    await Promise.all(inHand)
    round = []
    const [first] = problems.splice(0)
    if (first !== undefined) throw first
  }

  /** Answers whether everything is done; what takes longer stays in hand. */
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

  /** Hands over all that is due. `look` is called first, and once a second while something takes longer, for what has come meanwhile. */
  return async (signal: AbortSignal, look: () => Promise<void> = async () => {}): Promise<void> => {
    const began = performance.now()
    let done = began
    try {
      while (!signal.aborted && performance.now() - began < longestMs) {
        await look()
        if (!(await some(signal))) {
          done = performance.now()
          continue
        }
        // What a process that died had in hand is free in a moment.
        if (performance.now() - done > heldMs || !(await deps.heldElsewhere())) return
        await pause(againMs)
      }
    } finally {
      await settle()
    }
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref())
