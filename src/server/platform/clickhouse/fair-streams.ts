import { createFairShare } from '../fair-share.ts'

/** Limits of what is read at its reader's pace. */
export type StreamLimits = {
  places: number
  perTenant: number
  waitingPerTenant?: number
  /** How often a tenant that waits, though it has less than its part, makes the slowest reader leave. */
  everyMs?: number
  /** Nobody is judged by less time than this. */
  graceMs?: number
  /** Whoever reads this fast is never made to leave. */
  leastBytesASecond?: number
}

/**
 * `since` and `bytes` begin anew with each measurement, and with the first piece: what was read quickly long ago says nothing about now.
 * Null before its answer is there: until then, it is the engine that its reader waits for.
 */
type Held = { tenant: string; reading: { since: number; bytes: number; speed: number } | null; end(): void }

const beginning = () => ({ since: performance.now(), bytes: 0, speed: Infinity })

/** A place for one stream. */
export type StreamPlace = {
  /** The same pieces, counted; `end` breaks the stream off if its reader has to leave. */
  watch<Piece extends { length: number }>(pieces: AsyncIterable<Piece>, end: () => void): AsyncGenerator<Piece, void, undefined>
  /** Gives the place back; harmless if called again. */
  leave(): void
}

/**
 * Shares places between streams, which hold theirs for as long as somebody reads them: tenants take turns, and none gets more than its part.
 * As a few hundred bytes a second would do to hold a place for days, and a few accounts to hold them all, the slowest readers leave while
 * all places are taken and another tenant waits.
 */
export function createFairStreams({ everyMs = 30_000, graceMs = 60_000, leastBytesASecond = 16 * 1024, ...limits }: StreamLimits) {
  const share = createFairShare(limits)
  const streams = new Set<Held>()
  /** Bytes a second in the last finished measurement; infinite before there is one. */
  function speedOf({ reading }: Held): number {
    if (reading === null) return Infinity
    const ms = performance.now() - reading.since
    if (ms < graceMs) return reading.speed
    const speed = (reading.bytes * 1000) / ms
    Object.assign(reading, { since: performance.now(), bytes: 0, speed })
    return speed
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
    const held: Held = { tenant, reading: null, end: () => {} }
    streams.add(held)
    return {
      watch(pieces, end) {
        Object.assign(held, { reading: beginning(), end })
        return counted(pieces, held)
      },
      leave() {
        streams.delete(held)
        free()
      },
    }
  }
}

async function* counted<Piece extends { length: number }>(
  pieces: AsyncIterable<Piece>,
  held: Held,
): AsyncGenerator<Piece, void, undefined> {
  let reading: Held['reading'] = null
  for await (const piece of pieces) {
    reading ??= held.reading = beginning()
    reading.bytes += piece.length
    yield piece
  }
}
