import { createContext, useContext, type ReactNode } from 'react'
import type { Period } from '../../../contract/metrics.ts'
import { whyIncomparable } from '../../../core/analytics/anomalies.ts'
import type { MetricName } from '../../lib/metric.ts'

type Days = { current: Period; previous: Period | null }

const ComparedContext = createContext<Days | null>(null)

/** Which days the figures below are of, and which they are compared with; nothing while that is not known. */
export function ComparedDays({ of, children }: { of: Days | null | undefined; children: ReactNode }) {
  return <ComparedContext value={of ?? null}>{children}</ComparedContext>
}

/** Why a figure cannot be compared over these days: Google counted it otherwise; null where it can be, or nobody knows the days. */
export function useIncomparable(metric: MetricName): string | null {
  const days = useContext(ComparedContext)
  return days?.previous ? whyIncomparable(metric, days.current, days.previous) : null
}
