import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

/** Seconds, from a cached read to a slow report. */
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export type Metrics = {
  readonly registry: Registry
  counter<L extends string>(name: string, help: string, labels?: readonly L[]): Counter<L>
  gauge<L extends string>(name: string, help: string, labels?: readonly L[]): Gauge<L>
  /** A histogram of durations in seconds. */
  duration<L extends string>(name: string, help: string, labels?: readonly L[]): Histogram<L>
  /** The Prometheus text format. */
  text(): Promise<string>
  readonly contentType: string
  /** Clears every metric and stops collecting the process's own figures. */
  close(): void
}

/** Its own registry (not prom-client's global one), so that two servers in one process don't share counters. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return {
    registry,
    counter: (name, help, labels = []) => new Counter({ name, help, labelNames: labels, registers: [registry] }),
    gauge: (name, help, labels = []) => new Gauge({ name, help, labelNames: labels, registers: [registry] }),
    duration: (name, help, labels = []) =>
      new Histogram({ name, help, labelNames: labels, buckets: DURATION_BUCKETS, registers: [registry] }),
    text: () => registry.metrics(),
    contentType: registry.contentType,
    close: () => registry.clear(),
  }
}
