import { Badge } from '../../ui/Badge.tsx'
import { type Priority, priorityOf } from '../../../core/analytics/priority.ts'

const tones = { High: 'critical', Medium: 'warning', Low: 'positive' } as const satisfies Record<Priority, string>

export function PriorityBadge({ score }: { score: number }) {
  const priority = priorityOf(score)
  return <Badge tone={tones[priority]}>{priority}</Badge>
}
