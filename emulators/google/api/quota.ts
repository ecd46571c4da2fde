import type { Quotas } from '../options.ts'
import { ApiFailure, quotaExceeded, rateLimited } from './errors.ts'

/** Times of the calls in a sliding window. */
class Window {
  readonly #times: number[] = []

  /** How many calls are in the window that ends now. */
  count(now: number, spanMs: number): number {
    while (this.#times.length > 0 && (this.#times[0] ?? 0) <= now - spanMs) this.#times.shift()
    return this.#times.length
  }

  add(now: number): void {
    this.#times.push(now)
  }
}

/** Counts calls per site, user and project over the last minute (or second) and refuses those beyond the quotas. */
export class QuotaMeter {
  #quotas: Quotas
  readonly #windows = new Map<string, Window>()

  constructor(quotas: Quotas) {
    this.#quotas = quotas
  }

  get quotas(): Quotas {
    return this.#quotas
  }

  configure(quotas: Quotas): void {
    this.#quotas = quotas
    this.#windows.clear()
  }

  /** Counts a search analytics query, or throws the quota error. Refused calls don't count. */
  query(siteUrl: string, account: string, now = Date.now()): void {
    const { querySiteMinute, queryUserMinute, queryProjectMinute } = this.#quotas
    this.#take(now, [
      ['site', `query site ${siteUrl}`, querySiteMinute, 60_000],
      ['user', `query user ${account}`, queryUserMinute, 60_000],
      ['project', 'query project', queryProjectMinute, 60_000],
    ])
  }

  /** Counts any other call. */
  other(account: string, now = Date.now()): void {
    this.#take(now, [
      ['user', `second ${account}`, this.#quotas.otherUserSecond, 1_000],
      ['user', `minute ${account}`, this.#quotas.otherUserMinute, 60_000],
    ])
  }

  #take(now: number, limits: readonly (readonly [string, string, number, number])[]): void {
    const windows = limits.map(([level, key, limit, span]) => {
      let window = this.#windows.get(key)
      if (!window) this.#windows.set(key, (window = new Window()))
      if (window.count(now, span) >= limit) {
        const per = span === 1_000 ? 'second' : 'minute'
        const message = `Quota exceeded for quota metric 'Queries' and limit 'Queries per ${per} per ${level}' of service 'searchconsole.googleapis.com'.`
        throw new ApiFailure(this.#quotas.answer === '403' ? quotaExceeded(message) : rateLimited(message))
      }
      return window
    })
    for (const window of windows) window.add(now)
  }
}
