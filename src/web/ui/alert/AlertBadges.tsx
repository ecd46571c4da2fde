import {
  AlarmClock,
  Check,
  CircleAlert,
  CircleCheck,
  CircleQuestionMark,
  Info,
  type LucideIcon,
  ThumbsDown,
  ThumbsUp,
  TrendingUp,
  TriangleAlert,
} from 'lucide-react'
import { type Alert, severity as severities, type Severity } from '../../../contract/alerts/alerts.ts'
import { endingWords, isGoodEnding } from '../../../core/alerting/ending.ts'
import { severityLabels, verdictLabels } from '../../../core/alerting/copy.ts'
import { formatUntil } from '../../lib/dates.ts'
import { Badge } from '../Badge.tsx'

type Mark = { tone: 'critical' | 'warning' | 'positive' | 'unknown'; Icon: LucideIcon }

/** Icons and colors from SPEC §4. */
const marks: Record<Severity, Mark> = {
  critical: { tone: 'critical', Icon: TriangleAlert },
  warning: { tone: 'warning', Icon: CircleAlert },
  info: { tone: 'positive', Icon: Info },
  positive: { tone: 'positive', Icon: TrendingUp },
}

/** An unknown one is gray, with its own word. */
function markOf(name: string): Mark & { word: string } {
  const known = severities.safeParse(name)
  if (known.success) return { word: severityLabels[known.data], ...marks[known.data] }
  return { word: name === '' ? 'Unknown' : name.slice(0, 1).toUpperCase() + name.slice(1), tone: 'unknown', Icon: CircleQuestionMark }
}

export function SeverityBadge({ severity }: { severity: string }) {
  const { word, tone, Icon } = markOf(severity)
  return (
    <Badge tone={tone} icon={<Icon aria-hidden />}>
      {word}
    </Badge>
  )
}

export function ViewedBadge({ viewed }: { viewed: boolean }) {
  return viewed ? <Badge>Viewed</Badge> : <Badge tone="brand">New</Badge>
}

type Life = Pick<Alert, 'state' | 'snoozedUntil' | 'severity' | 'ended'>

/** An alert's state; nothing for a plain open one. */
export function StateBadge({ alert: { state, snoozedUntil, severity, ended }, now }: { alert: Life; now: Date }) {
  switch (state) {
    case 'firing':
      return null
    case 'acknowledged':
      return <Badge icon={<Check aria-hidden />}>Acknowledged</Badge>
    case 'snoozed':
      return (
        // May need two lines in a table.
        <Badge icon={<AlarmClock aria-hidden />} className="h-auto! min-h-6 rounded-xl! py-0.5 whitespace-normal! [&_svg]:shrink-0">
          {snoozedUntil === null ? 'Snoozed' : `Snoozed until ${formatUntil(new Date(snoozedUntil), now)}`}
        </Badge>
      )
    case 'recovered': {
      const { as } = ended ?? { as: 'recovered' }
      const [tone, Icon] = isGoodEnding(as, severity) ? (['positive', CircleCheck] as const) : (['unknown', Check] as const)
      return (
        <Badge tone={tone} icon={<Icon aria-hidden />}>
          {endingWords[as]}
        </Badge>
      )
    }
  }
}

/** Somebody's verdict on an alert. */
export function VerdictBadge({ verdict }: Pick<Alert, 'verdict'>) {
  if (verdict === null) return null
  const Icon = verdict === 'useful' ? ThumbsUp : ThumbsDown
  return <Badge icon={<Icon aria-hidden />}>{verdictLabels[verdict]}</Badge>
}
