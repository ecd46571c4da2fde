/** Where the present moment comes from: an argument everywhere, so that tests can choose it. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }
