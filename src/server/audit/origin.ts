import { AsyncLocalStorage } from 'node:async_hooks'

/** The request that the current work is done for. */
export type Origin = {
  address: string
  agent: string | undefined
  /** The name of the program's key; null for a person in a browser. */
  key: string | null
}

const underWay = new AsyncLocalStorage<Origin | undefined>()

/**
 * Runs `work` on behalf of a request. The origin reaches everything called from there without being passed through every service, since
 * only the log needs it. Jobs have none: what they do counts as done by the server.
 */
export const withOrigin = <T>(origin: Origin, work: () => T): T => underWay.run(origin, work)

/** Runs work that the affected user hasn't asked for, though a request triggered it. */
export const asHouse = <T>(work: () => T): T => underWay.run(undefined, work)

export const originUnderWay = (): Origin | undefined => underWay.getStore()

/** Notes that the current request used this key. */
export function noteKey(name: string): void {
  const origin = underWay.getStore()
  if (origin) origin.key = name
}
