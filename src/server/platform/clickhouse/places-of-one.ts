/** How many of the questions that ClickHouse answers at a time may be one person's: half. */
export const placesOfOne = (atATime: number): number => Math.max(1, Math.floor(atATime / 2))
