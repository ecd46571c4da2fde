import { CircleAlert, Info, TrendingUp, TriangleAlert, type LucideIcon } from 'lucide-react'
import type { Severity } from '../../../contract/alerts.ts'
import { Badge } from '../Badge.tsx'

type Mark = { word: string; tone: 'critical' | 'warning' | 'positive'; Icon: LucideIcon }

/** Icons and colours of SPEC §4. */
const marks: Record<Severity, Mark> = {
  critical: { word: 'Critical', tone: 'critical', Icon: TriangleAlert },
  warning: { word: 'Warning', tone: 'warning', Icon: CircleAlert },
  info: { word: 'Info', tone: 'positive', Icon: Info },
  positive: { word: 'Positive', tone: 'positive', Icon: TrendingUp },
}

export function SeverityBadge({ severity }: { severity: Severity }) {
  const { word, tone, Icon } = marks[severity]
  return (
    <Badge tone={tone} icon={<Icon aria-hidden />}>
      {word}
    </Badge>
  )
}

export function ViewedBadge({ viewed }: { viewed: boolean }) {
  return viewed ? <Badge>Viewed</Badge> : <Badge tone="brand">New</Badge>
}
