import type { PagePerformance } from '../../../core/analytics/page-performance.ts'
import { Badge } from '../../ui/Badge.tsx'

const tones = {
  Excellent: 'positive',
  Good: 'brand',
  Average: 'warning',
  'Needs Work': 'critical',
} as const satisfies Record<PagePerformance, string>

export function PerformanceBadge({ performance }: { performance: PagePerformance }) {
  return <Badge tone={tones[performance]}>{performance}</Badge>
}
