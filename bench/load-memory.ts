import { residentOf } from './processes.ts'

const everyMs = 5_000

/** Samples a process's resident memory every five seconds; returns all samples, in MiB, when stopped. */
export function sampleMemory(pid: number): { stop(): number[] } {
  const samples: number[] = []
  const timer = setInterval(() => void residentOf(pid).then((mebibytes) => samples.push(mebibytes)), everyMs)
  return {
    stop() {
      clearInterval(timer)
      return samples
    },
  }
}

/**
 * Memory growth over the last half of the samples, as a fraction of the initial value: along the least-squares line, so that a garbage
 * collection at either end doesn't decide.
 */
export function growthOfLastHalf(samples: readonly number[]): number {
  const half = samples.slice(Math.floor(samples.length / 2))
  const middle = (half.length - 1) / 2
  const mean = half.reduce((sum, each) => sum + each, 0) / half.length
  const spread = half.reduce((sum, _each, at) => sum + (at - middle) ** 2, 0)
  const slope = half.reduce((sum, each, at) => sum + (at - middle) * (each - mean), 0) / spread
  return (slope * (half.length - 1)) / (mean - slope * middle)
}
