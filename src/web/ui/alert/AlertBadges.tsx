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
import { verdictLabels } from '../../../core/alerting/words.ts'
import { formatUntil } from '../../lib/dates.ts'
import { Badge } from '../Badge.tsx'

type Mark = { word: string; tone: 'critical' | 'warning' | 'positive' | 'unknown'; Icon: LucideIcon }

/** Icons and colours of SPEC §4. */
const marks: Record<Severity, Mark> = {
  critical: { word: 'Critical', tone: 'critical', Icon: TriangleAlert },
  warning: { word: 'Warning', tone: 'warning', Icon: CircleAlert },
  info: { word: 'Info', tone: 'positive', Icon: Info },
  positive: { word: 'Positive', tone: 'positive', Icon: TrendingUp },
}

/** One that we do not know is grey, with its own word. */
function markOf(name: string): Mark {
  const known = severities.safeParse(name)
  if (known.success) return marks[known.data]
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

type Life = Pick<Alert, 'state' | 'snoozedUntil' | 'hours'>

/** What became of an alert; nothing for one that is simply there. */
export function StateBadge({ alert: { state, snoozedUntil, hours }, now }: { alert: Life; now: Date }) {
  switch (state) {
    case 'firing':
      return null
    case 'acknowledged':
      return <Badge icon={<Check aria-hidden />}>Acknowledged</Badge>
    case 'snoozed':
      return (
        // Long enough to need two lines in a table.
        <Badge icon={<AlarmClock aria-hidden />} className="h-auto! min-h-6 rounded-xl! py-0.5 whitespace-normal! [&_svg]:shrink-0">
          {snoozedUntil === null ? 'Snoozed' : `Snoozed until ${formatUntil(new Date(snoozedUntil), now)}`}
        </Badge>
      )
    case 'recovered':
      return (
        <Badge tone="positive" icon={<CircleCheck aria-hidden />}>
          {hours?.status === 'withdrawn' ? 'Withdrawn' : 'Recovered'}
        </Badge>
      )
  }
}

/** What somebody said of an alert. */
export function VerdictBadge({ verdict }: Pick<Alert, 'verdict'>) {
  if (verdict === null) return null
  return <Badge icon={verdict === 'useful' ? <ThumbsUp aria-hidden /> : <ThumbsDown aria-hidden />}>{verdictLabels[verdict]}</Badge>
}
