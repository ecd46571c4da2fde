import { residentOf } from './processes.ts'

const everyMs = 5_000

/** Looks every five seconds at what a process has resident; answers all of it, in MiB, when it is stopped. */
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
 * What memory grew by over the last half of the samples, as a share of what it was there at first: of the straight line
 * that lies closest to them, so that neither a garbage collection at the end nor one at the beginning decides.
 */
export function growthOfLastHalf(samples: readonly number[]): number {
  const half = samples.slice(Math.floor(samples.length / 2))
  const middle = (half.length - 1) / 2
  const mean = half.reduce((sum, each) => sum + each, 0) / half.length
  const spread = half.reduce((sum, _each, at) => sum + (at - middle) ** 2, 0)
  const slope = half.reduce((sum, each, at) => sum + (at - middle) * (each - mean), 0) / spread
  return (slope * (half.length - 1)) / (mean - slope * middle)
}
