import { randomInt } from 'node:crypto'

/** `FUZZ_RUNS=500` tries every route and parser so often; the tests of every day try less. */
const asked = Number(process.env['FUZZ_RUNS'])
const isLong = Number.isInteger(asked) && asked > 0

/** Tries of one kind, out of so many in the short form. */
export const runs = (short: number): number => (isLong ? asked : short)

/**
 * Once always the same, so that what worked goes on working, and once as chance has it. `FUZZ_SEED` repeats a run by the
 * seed that its failure names.
 */
export const seeds: readonly number[] = process.env['FUZZ_SEED'] ? [Number(process.env['FUZZ_SEED'])] : [7, randomInt(2 ** 31)]

export const timeout = isLong ? 3_600_000 : 600_000

/** Of one series. Between two of them what was tried upon is put right again. */
const inSeries = 20

/** How fast-check is to try something, out of so many tries in the short form: in series, each of a seed of its own. */
export function series(short: number, seed: number) {
  const tries = Math.max(1, Math.ceil(runs(short) / seeds.length))
  return Array.from({ length: Math.ceil(tries / inSeries) }, (_, index) => ({
    numRuns: Math.min(inSeries, tries - index * inSeries),
    seed: seed + index,
    // A server that does not answer is a failure of its own.
    timeout: 20_000,
    endOnFailure: true,
  }))
}
