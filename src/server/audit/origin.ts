import { AsyncLocalStorage } from 'node:async_hooks'

/** The request that the current work is done for. */
export type Origin = {
  address: string
  agent: string | undefined
  /** The name of the program's key; null for a person in a browser. */
  key: string | null
}

/** Whoever opened a link in an email: their address and browser aren't for the account's owner to see. */
export const reader = 'reader'

const underWay = new AsyncLocalStorage<Origin | typeof reader | undefined>()

/**
 * Runs `work` on behalf of a request. The origin reaches everything called from there without being passed through every service, since
 * only the log needs it. Jobs have none: what they do counts as done by the server.
 */
export const withOrigin = <T>(origin: Origin, work: () => T): T => underWay.run(origin, work)

/** Runs work that the affected user hasn't asked for, though a request triggered it. */
export const asServer = <T>(work: () => T): T => underWay.run(undefined, work)

/** Runs work for the reader of an email, who may not be the owner of the account that it is about. */
export const asReader = <T>(work: () => T): T => underWay.run(reader, work)

export const originUnderWay = (): Origin | typeof reader | undefined => underWay.getStore()

/** Notes that the current request used this key. */
export function noteKey(name: string): void {
  const origin = underWay.getStore()
  if (origin && origin !== reader) origin.key = name
}
