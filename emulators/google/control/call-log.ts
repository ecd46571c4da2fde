/** What a call was about, as far as visible without answering it. */
export interface CallInfo {
  readonly kind: 'authorize' | 'token' | 'revoke' | 'certs' | 'sites' | 'query' | 'status' | 'unknown'
  readonly siteUrl: string | null
  /** A query's dimensions in order, as sent; null for anything else. */
  readonly dims: readonly string[] | null
  readonly startRow: number
  readonly startDate: string | null
  readonly endDate: string | null
  readonly type: string | null
}

export interface LoggedCall extends CallInfo {
  readonly at: string
  readonly method: string
  readonly path: string
  status: number
}

const KEPT = 10_000

/** The latest calls, and how many there were of each kind, site and grouping. Excludes calls to the control API. */
export class CallLog {
  #calls: LoggedCall[] = []
  #counts = new Map<string, number>()
  #total = 0

  add(call: LoggedCall): void {
    this.#total += 1
    this.#calls.push(call)
    if (this.#calls.length > KEPT) this.#calls.splice(0, KEPT / 2)
    const key = [call.kind, call.siteUrl ?? '', call.dims?.join(',') ?? ''].join('\t')
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }

  summary(last: number): unknown {
    return {
      total: this.#total,
      counts: [...this.#counts].map(([key, count]) => {
        const [kind, siteUrl, dims] = key.split('\t')
        return { kind, siteUrl: siteUrl || null, dims: kind === 'query' ? dims?.split(',').filter(Boolean) : null, count }
      }),
      last: last === 0 ? [] : this.#calls.slice(-last),
    }
  }

  clear(): void {
    this.#calls = []
    this.#counts = new Map()
    this.#total = 0
  }
}
