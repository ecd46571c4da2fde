import type { GrainSums } from '../test/support/grain-sums.ts'
import type { Sql } from '../test/support/stores.ts'
import type { Dice } from './dice.ts'
import type { Service } from './service.ts'

/** What is stored of a property, and for which days. */
export type FactsQuestion = { property: number; start: string; end: string }

/** Something that can be killed at any time. */
export type Victim = {
  name: string
  /** Its weight among the victims. */
  weight: number
  /** kill -9. Returns false if there was nothing to kill. */
  strike(dice: Dice): Promise<boolean>
}

/** Ranklark as an operator runs it, with a supervisor for its processes. */
export type Installation = {
  name: string
  /** Stays the same across restarts. */
  url: string
  sql: Sql
  victims: readonly Victim[]
  services: readonly Service[]
  /** The environment of an operator who runs Ranklark's commands here. */
  settings: Readonly<Record<string, string>>
  /** Every file it writes is in here. */
  directory: string
  /** The stored facts, in the order of the queries. May stop the server for a moment, gracefully. */
  readFacts(questions: readonly FactsQuestion[]): Promise<GrainSums[]>
  /** Stops everything gracefully. @throws if something doesn't end in time */
  close(): Promise<void>
}

const backMs = 120_000

/** Waits until every process is ready and reports working stores. Returns the milliseconds it took. */
export async function back({ url, services }: Pick<Installation, 'url' | 'services'>, ms = backMs): Promise<number> {
  const begun = performance.now()
  const end = Date.now() + ms
  await Promise.all(services.map((service) => service.ready(ms)))
  for (;;) {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(10_000) }).catch(() => null)
    const isReady = answer?.status === 200
    await answer?.body?.cancel()
    if (isReady && services.every((service) => service.isReady())) return performance.now() - begun
    if (Date.now() > end)
      throw new Error(`${url}/readyz did not answer 200 within ${ms / 1000} s: ${services.map((each) => each.tail()).join('\n')}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
