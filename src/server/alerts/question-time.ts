import { awayStore } from '../platform/store-outages.ts'
import { TookTooLong } from '../platform/clickhouse/clickhouse-errors.ts'
import { limitOf, measured } from '../platform/active-time.ts'
import { abandonedNow, forTenantInTime, partOfThis, runAs, tenantNow } from '../platform/tenant.ts'

/** How long an account's questions may take in one evaluation, and how much longer for each of its properties. */
const mostMs = 60_000
const moreMsPerProperty = 5_000
/** An account whose questions took this long rests ten times as long before its new data is evaluated, so that others have their time. */
const longMs = 10_000
const restsTimes = 10

/** Why a rule whose account has used up its time isn't evaluated. */
const outOfTime = (): TookTooLong => new TookTooLong("This account's rules take too long in total")

/** For a person who asks for an evaluation by hand. */
export const tooSlow = "Your rules take too long to evaluate right now. They'll be evaluated when new data arrives."

/** The property that a question is about, and its owner. */
type Asker = { id: number; userId: string }

/** Measures how long accounts' questions take in one evaluation, from getting a slot to the answer. */
export type QuestionTime = {
  /** Whether the owner of this property may ask no more questions. */
  isUsedUp(property: Asker): boolean
  /** Whether anything was asked for the owner of this property. */
  hasAsked(property: Asker): boolean
  /**
   * Asks a question about some properties; its time is split among their owners. If it takes too long or is abandoned, which may be due to
   * a single one of them, it costs nothing until it is asked for one owner alone. @throws TookTooLong, also if all have used up theirs
   */
  ask<T>(properties: readonly Asker[], question: () => Promise<T>): Promise<T>
  /** How long each account has to rest, in milliseconds; those that need not are absent. */
  rests(): Map<string, number>
}

export function createQuestionTime(): QuestionTime {
  const spent = new Map<string, number>()
  const properties = new Map<string, Set<number>>()

  function isUsedUp({ userId }: Asker): boolean {
    return (spent.get(userId) ?? 0) >= mostMs + moreMsPerProperty * (properties.get(userId)?.size ?? 0)
  }

  return {
    isUsedUp,
    hasAsked: ({ userId }) => spent.has(userId),
    async ask(of, question) {
      for (const { id, userId } of of) properties.set(userId, (properties.get(userId) ?? new Set()).add(id))
      if (of.every(isUsedUp)) throw outOfTime()
      const owners = new Set(of.map(({ userId }) => userId))
      return measured(async (time) => {
        let isTheirs = true
        try {
          return await question()
        } catch (error) {
          isTheirs = owners.size === 1 || !(error instanceof TookTooLong || abandonedNow()?.aborted)
          throw error
        } finally {
          // Time spent waiting behind other accounts' queries is charged to nobody.
          const each = isTheirs ? time.activeMs() / owners.size : 0
          for (const owner of owners) spent.set(owner, (spent.get(owner) ?? 0) + each)
        }
      })
    },
    rests: () => new Map([...spent].flatMap(([userId, ms]) => (ms < longMs ? [] : [[userId, ms * restsTimes] as const]))),
  }
}

/** When accounts whose questions took a long time may be evaluated again. */
export function createRests() {
  const until = new Map<string, number>()
  return {
    isResting: (userId: string): boolean => (until.get(userId) ?? 0) > performance.now(),
    note(time: QuestionTime): void {
      for (const [userId, at] of until) if (at <= performance.now()) until.delete(userId)
      for (const [userId, ms] of time.rests()) until.set(userId, Math.max(until.get(userId) ?? 0, performance.now() + ms))
    },
  }
}

/** Does some of an evaluation's work in a limited time, not counting waits; then its questions are abandoned, and what is done stays. */
export const withinTime = (activeMs: number, work: () => Promise<void>): Promise<void> =>
  measured(async (time) => {
    const { signal: late, over } = limitOf(time, { activeMs, waitMs: Number.POSITIVE_INFINITY })
    const outer = abandonedNow()
    try {
      await runAs(partOfThis(outer ? AbortSignal.any([late, outer]) : late), work)
    } catch (error) {
      if (!late.aborted || outer?.aborted) throw error
    } finally {
      over()
    }
  })

/** Limits of the small questions about what a rule covers, which don't wait in anybody else's line. */
const ofScope = { activeMs: 20_000, waitMs: 60_000 }

/** What a property's rule covers, for the evaluation that needs to know. @throws TookTooLong, WaitedTooLong */
export const scopeInTime = <T>(property: Asker, time: QuestionTime, question: () => Promise<T>): Promise<T> =>
  time.ask([property], async () => {
    try {
      return await forTenantInTime(tenantNow(), ofScope, question)
    } catch (error) {
      throw error instanceof DOMException && error.name === 'TimeoutError' ? outOfTime() : error
    }
  })

/** The answer; null if it takes too long, for callers that can do without it. */
export async function unlessTooSlow<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof TookTooLong) return null
    throw error
  }
}

/**
 * Answers about everything whose account has time left, and a failure for the rest. A question that fails is asked again for each half, so
 * that one bad rule stops no other.
 * @throws errors that aren't any rule's fault
 */
export async function askInHalves<T extends { property: Asker }, Answer>(
  all: readonly T[],
  time: QuestionTime,
  ask: (some: readonly [T, ...T[]]) => Promise<readonly Answer[]>,
  failed: (each: T, error: unknown) => Answer,
): Promise<Answer[]> {
  const { late = [], inTime = [] } = Object.groupBy(all, ({ property }) => (time.isUsedUp(property) ? 'late' : 'inTime'))
  const answers = late.map((each) => failed(each, outOfTime()))
  const [first, ...more] = inTime
  if (!first) return answers
  const properties = inTime.map(({ property }) => property)
  try {
    return [...answers, ...(await time.ask(properties, () => ask([first, ...more])))]
  } catch (error) {
    if (isNoFault(error)) throw error
    if (more.length === 0) return [...answers, failed(first, error)]
    const half = inTime.length >> 1
    for (const some of [inTime.slice(0, half), inTime.slice(half)]) answers.push(...(await askInHalves(some, time, ask, failed)))
    return answers
  }
}

/** Whether an error isn't any rule's fault: a store is unavailable, or nobody is waiting for the answer anymore. */
export const isNoFault = (error: unknown): boolean => awayStore(error) !== null || abandonedNow()?.aborted === true

/** Like Promise.all, but waits for everything to finish before it throws: the caller may then release the properties' locks. */
export async function allOf<T extends readonly unknown[]>(running: { readonly [K in keyof T]: Promise<T[K]> }): Promise<T> {
  await Promise.allSettled(running)
  return (await Promise.all(running)) as unknown as T
}
