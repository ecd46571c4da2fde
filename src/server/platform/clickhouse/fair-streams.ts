import { createFairShare } from '../fair-share.ts'

/** Limits of what is read at its reader's pace. */
export type StreamLimits = {
  places: number
  perTenant: number
  waitingPerTenant?: number
  /** How often the slowest reader is cut off while a tenant with less than its share waits. */
  everyMs?: number
  /** Readers are measured for at least this long before they can be cut off. */
  graceMs?: number
  /** Whoever reads this fast is never made to leave. */
  leastBytesASecond?: number
}

/**
 * What a reader has taken since the last measurement, and how long they took: not the time in which the next piece was being made, since the
 * engine may be busy with others' questions. `takingSince` is null meanwhile, and before the first piece.
 */
type Held = { tenant: string; ms: number; bytes: number; takingSince: number | null; speed: number; end(): void }

/** A place for one stream. */
export type StreamPlace = {
  /** The same pieces, counted; `end` breaks the stream off if its reader has to leave. */
  watch<Piece extends { length: number }>(pieces: AsyncIterable<Piece>, end: () => void): AsyncGenerator<Piece, void, undefined>
  /** Gives the place back; harmless if called again. */
  leave(): void
}

/**
 * Shares places between streams, which hold theirs for as long as somebody reads them: tenants take turns, and none gets more than its share.
 * Reading a few hundred bytes a second would be enough to hold a place for days, and a few accounts could hold all of them; so the slowest
 * readers are cut off while all places are taken and another tenant waits.
 */
export function createFairStreams({ everyMs = 30_000, graceMs = 60_000, leastBytesASecond = 16 * 1024, ...limits }: StreamLimits) {
  const share = createFairShare(limits)
  const streams = new Set<Held>()
  /** Bytes a second in the last finished measurement; infinite before there is one. */
  function speedOf(held: Held): number {
    const now = performance.now()
    const ms = held.ms + (held.takingSince === null ? 0 : now - held.takingSince)
    if (ms < graceMs) return held.speed
    held.speed = (held.bytes * 1000) / ms
    Object.assign(held, { ms: 0, bytes: 0, takingSince: held.takingSince === null ? null : now })
    return held.speed
  }

  function makeRoomFor(tenant: string): void {
    const speeds = new Map([...streams].map((held) => [held, speedOf(held)]))
    const own = [...streams].filter((held) => held.tenant === tenant).length
    if (streams.size < limits.places || own >= limits.perTenant) return
    const [slowest] = [...speeds].filter(([, speed]) => speed < leastBytesASecond).toSorted(([, a], [, b]) => a - b)
    slowest?.[0].end()
  }

  /** @throws the signal's reason, TooManyWishes */
  return async function enter(tenant: string, signal?: AbortSignal): Promise<StreamPlace> {
    const looks = setInterval(makeRoomFor, everyMs, tenant)
    const free = await share.enter(tenant, { signal }).finally(() => clearInterval(looks))
    const held: Held = { tenant, ms: 0, bytes: 0, takingSince: null, speed: Infinity, end: () => {} }
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
        streams.delete(held)
        free()
      },
    }
  }
}
