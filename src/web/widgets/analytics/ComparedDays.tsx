import { createContext, useContext, type ReactNode } from 'react'
import type { Period } from '../../../contract/metrics.ts'
import { whyIncomparable } from '../../../core/analytics/anomalies.ts'
import type { MetricName } from '../../lib/metric.ts'

type Days = { current: Period; previous: Period | null }

const ComparedContext = createContext<Days | null>(null)

/** The days of the figures below, and the compared days; nothing while unknown. */
export function ComparedDays({ of, children }: { of: Days | null | undefined; children: ReactNode }) {
  return <ComparedContext value={of ?? null}>{children}</ComparedContext>
}

/** Why a figure isn't comparable over these days: Google counted it differently; null if it is, or the days are unknown. */
export function useIncomparable(metric: MetricName): string | null {
  const days = useContext(ComparedContext)
  return days?.previous ? whyIncomparable(metric, days.current, days.previous) : null
}
