import { randomInt } from 'node:crypto'

/** `FUZZ_RUNS=500` tries every route and parser that often; regular test runs try less. */
const asked = Number(process.env['FUZZ_RUNS'])
const isLong = Number.isInteger(asked) && asked > 0

/** The number of tries, given that of the short run. */
export const runs = (short: number): number => (isLong ? asked : short)

/**
 * Once always the same, so that what worked keeps working, and once randomly. `FUZZ_SEED` repeats a run with the seed from its failure
 * message.
 */
export const seeds: readonly number[] = process.env['FUZZ_SEED'] ? [Number(process.env['FUZZ_SEED'])] : [7, randomInt(2 ** 31)]

export const timeout = isLong ? 3_600_000 : 600_000

/** Per series. Between two series, what was tested is restored. */
const inSeries = 20

/** How fast-check runs a number of tries, given that of the short run: in series, each with its own seed. */
export function series(short: number, seed: number) {
  const tries = Math.max(1, Math.ceil(runs(short) / seeds.length))
  return Array.from({ length: Math.ceil(tries / inSeries) }, (_, index) => ({
    numRuns: Math.min(inSeries, tries - index * inSeries),
    seed: seed + index,
    // A server that doesn't answer is a separate failure.
    timeout: 20_000,
    endOnFailure: true,
  }))
}
