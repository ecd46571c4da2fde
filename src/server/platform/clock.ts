/** The source of the current time, passed as an argument everywhere so that tests can control it. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }
