import { CalendarHeart, CircleDashed, ExternalLink, Globe, type LucideIcon, Pencil, RefreshCw, Ruler } from 'lucide-react'
import type { Coincidence } from '../../../contract/alerts/change-breakdown.ts'
import { spanText } from '../../charts/time-series/mark-words.ts'
import { formatDay } from '../../lib/dates.ts'
import { iconButtonClass } from '../../ui/Button.tsx'
import { SectionCard } from '../../ui/Card.tsx'

/** What else happened when the change began; nothing where nothing is known of. */
export function Coincidences({ coincidences }: { coincidences: readonly Coincidence[] }) {
  return (
    <SectionCard title="Around the same time" description="What else happened when this change began. It may be a coincidence.">
      <ul className="divide-y divide-line text-sm">
        {coincidences.map(({ kind, from, to, title, link }) => {
          const { Icon, label } = kinds[kind]
          return (
            <li key={`${kind} ${from} ${title}`} className="flex items-start gap-2.5 py-1">
              <Icon aria-hidden className="mt-2.5 size-4 shrink-0 text-muted" />
              <div className="min-w-0 flex-1 py-2">
                <p className="wrap-anywhere">{title}</p>
                <p className="text-muted tabular-nums">
                  {label} · {from === to ? formatDay(from, true) : spanText({ start: from, end: to })}
                </p>
              </div>
              {link !== undefined && (
                <a
                  href={link}
                  target="_blank"
                  rel="noopener noreferrer"
                  aria-label={`${title}: source (new tab)`}
                  title="View the source"
                  className={iconButtonClass('-mr-2 text-muted!')}
                >
                  <ExternalLink aria-hidden />
                </a>
              )}
            </li>
          )
        })}
      </ul>
    </SectionCard>
  )
}

const kinds: Record<Coincidence['kind'], { Icon: LucideIcon; label: string }> = {
  ranking_incident: { Icon: Globe, label: 'Google ranking incident' },
  measurement: { Icon: Ruler, label: 'Google measurement change' },
  note: { Icon: Pencil, label: 'Your note' },
  holiday: { Icon: CalendarHeart, label: 'Holiday' },
  missing_days: { Icon: CircleDashed, label: 'Missing data' },
  revised_data: { Icon: RefreshCw, label: 'Revised data' },
}
