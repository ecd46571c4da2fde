import { AsyncLocalStorage } from 'node:async_hooks'

/** Where what is being done comes from: a request under way. */
export type Origin = {
  address: string
  agent: string | undefined
  /** The name of the key that a program came with; null for a person in a browser. */
  key: string | null
}

const underWay = new AsyncLocalStorage<Origin | undefined>()

/**
 * Does `work` on behalf of a request. It reaches everything called from there without being handed through every service,
 * none of which needs it for anything else than the log; jobs have none, for what they do the house does by itself.
 */
export const withOrigin = <T>(origin: Origin, work: () => T): T => underWay.run(origin, work)

/** Does what the person it happens to has not asked for, though a request brought it. */
export const asHouse = <T>(work: () => T): T => underWay.run(undefined, work)

export const originUnderWay = (): Origin | undefined => underWay.getStore()

/** The request under way came with this key. */
export function noteKey(name: string): void {
  const origin = underWay.getStore()
  if (origin) origin.key = name
}
