import { createFairShare, type FairShare } from '../fair-share.ts'
import { originNow } from '../tenant.ts'

/** Limits of what is read at its reader's pace. */
export type StreamLimits = {
  places: number
  perTenant: number
  waitingPerTenant?: number
  /** Maximum for all tenants on one network: anybody can have many accounts. Without it, networks don't matter. */
  perNetwork?: number
  /** How often the slowest reader is cut off while a tenant with less than its share waits. */
  everyMs?: number
  /** Readers are measured for at least this long before they can be cut off. */
  graceMs?: number
  /** Whoever reads this fast is never made to leave. */
  leastBytesASecond?: number
}

/**
 * What a reader has taken since the last measurement, and how long they took: not the time in which the next piece was being made, since
 * the engine may be busy with others' questions. `takingSince` is null meanwhile, and before the first piece.
 */
type Held = { tenant: string; origin: string; ms: number; bytes: number; takingSince: number | null; speed: number; end(): void }

/** A place for one stream. */
export type StreamPlace = {
  /** The same pieces, counted; `end` breaks the stream off if its reader has to leave. */
  watch<Piece extends { length: number }>(pieces: AsyncIterable<Piece>, end: () => void): AsyncGenerator<Piece, void, undefined>
  /** Gives the place back; harmless if called again. */
  leave(): void
}

/**
 * Shares places between streams, which hold theirs for as long as somebody reads them: tenants take turns, and none gets more than its
 * share. Reading a few hundred bytes a second would be enough to hold a place for days, and a few accounts could hold all of them; so the
 * slowest readers are cut off while all places are taken, or all of a network, and another tenant waits for one.
 */
export function createFairStreams({
  everyMs = 30_000,
  graceMs = 60_000,
  leastBytesASecond = 16 * 1024,
  perNetwork = Infinity,
  ...limits
}: StreamLimits) {
  const share = createFairShare(limits)
  const streams = new Set<Held>()
  const networks = new Map<string, { share: FairShare; requests: number }>()

  /** A place among those of the tenant's network. */
  async function enterNetwork(origin: string, tenant: string, signal: AbortSignal | undefined): Promise<() => void> {
    const network = networks.get(origin) ?? { share: createFairShare({ ...limits, places: perNetwork }), requests: 0 }
    networks.set(origin, network)
    network.requests += 1
    const leave = () => {
      network.requests -= 1
      if (network.requests === 0) networks.delete(origin)
    }
    try {
      const free = await network.share.enter(tenant, { signal })
      return () => {
        free()
        leave()
      }
    } catch (error) {
      leave()
      throw error
    }
  }

  /** Bytes a second in the last finished measurement; infinite before there is one. */
  function speedOf(held: Held): number {
    const now = performance.now()
    const ms = held.ms + (held.takingSince === null ? 0 : now - held.takingSince)
    if (ms < graceMs) return held.speed
    held.speed = (held.bytes * 1000) / ms
    Object.assign(held, { ms: 0, bytes: 0, takingSince: held.takingSince === null ? null : now })
    return held.speed
  }

  function makeRoomFor(tenant: string, origin: string): void {
    const own = [...streams].filter((held) => held.tenant === tenant).length
    const near = [...streams].filter((held) => held.origin === origin)
    const full = near.length >= perNetwork ? near : streams.size >= limits.places ? [...streams] : []
    // All are measured, or none would have been for long enough once they are full.
    const measured = new Map([...streams].map((held) => [held, speedOf(held)]))
    const speeds = new Map(full.map((held) => [held, measured.get(held) ?? Infinity]))
    if (own >= limits.perTenant) return
    const [slowest] = [...speeds].filter(([, speed]) => speed < leastBytesASecond).toSorted(([, a], [, b]) => a - b)
    slowest?.[0].end()
  }

  async function enterBoth(origin: string, tenant: string, signal: AbortSignal | undefined): Promise<() => void> {
    const leaveNetwork = await enterNetwork(origin, tenant, signal)
    try {
      const free = await share.enter(tenant, { signal })
      return () => {
        free()
        leaveNetwork()
      }
    } catch (error) {
      leaveNetwork()
      throw error
    }
  }

  /** @throws the signal's reason, TooManyRequests */
  return async function enter(tenant: string, signal?: AbortSignal): Promise<StreamPlace> {
    const origin = originNow()
    const looks = setInterval(makeRoomFor, everyMs, tenant, origin)
    const free = await enterBoth(origin, tenant, signal).finally(() => clearInterval(looks))
    const held: Held = { tenant, origin, ms: 0, bytes: 0, takingSince: null, speed: Infinity, end: () => {} }
    streams.add(held)
    return {
      async *watch(pieces, end) {
        held.end = end
        for await (const piece of pieces) {
          held.bytes += piece.length
          held.takingSince = performance.now()
          yield piece
          held.ms += performance.now() - held.takingSince
          held.takingSince = null
        }
      },
      leave() {
        if (streams.delete(held)) free()
      },
    }
  }
}
