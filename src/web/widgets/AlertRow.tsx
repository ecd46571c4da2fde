import { clsx } from 'clsx'
import { ArrowDown, ArrowRight, ArrowUp, ExternalLink } from 'lucide-react'
import type { Alert } from '../../contract/alerts.ts'
import type { ChangeColour, Direction } from '../lib/change-colour.ts'
import { formatMoment } from '../lib/dates.ts'
import { iconButtonClass } from '../ui/Button.tsx'
import { SeverityBadge, ViewedBadge } from '../ui/alert/AlertBadges.tsx'
import { AlertMarkup } from '../ui/alert/AlertMarkup.tsx'
import { alertChange, type AlertChange, alertFigures, searchConsoleAddress } from '../lib/alert-view.ts'

type AlertRowProps = { alert: Alert; now: Date; onView: () => void }

export function AlertRow({ alert, now, onView }: AlertRowProps) {
  const figures = alertFigures(alert)
  const change = alertChange(alert)
  const label = `Open in Search Console: ${alert.title}`
  return (
    <li className="flex items-start gap-3 py-4 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <SeverityBadge severity={alert.severity} />
          <ViewedBadge viewed={alert.viewed} />
          <time dateTime={alert.timestamp} className="text-xs text-muted">
            {formatMoment(new Date(alert.timestamp), now)}
          </time>
        </div>
        <h3 className="mt-2 font-medium wrap-anywhere">{alert.title}</h3>
        <p className="mt-0.5 max-w-[90ch] text-sm wrap-anywhere text-muted [&_code]:font-sans [&_code]:text-text">
          <AlertMarkup markup={alert.description} />
        </p>
        {figures !== null && (
          <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-0.5 text-sm tabular-nums">
            <span>{figures}</span>
            {change !== null && <Change change={change} />}
          </p>
        )}
      </div>
      <a
        href={searchConsoleAddress(alert.target)}
        target="_blank"
        rel="noreferrer"
        aria-label={`${label} (new tab)`}
        title={label}
        className={iconButtonClass('-mt-2 -mr-2.5 text-muted!')}
        onClick={onView}
        onAuxClick={(event) => {
          // The middle button opens it as well; the right one only a menu.
          if (event.button === 1) onView()
        }}
      >
        <ExternalLink aria-hidden />
      </a>
    </li>
  )
}

const arrows = { up: ArrowUp, down: ArrowDown, level: ArrowRight } satisfies Record<Direction, unknown>
const tones: Record<ChangeColour, string> = { red: 'text-critical', green: 'text-positive', grey: 'text-muted' }

function Change({ change: { text, word, direction, colour, base } }: { change: AlertChange }) {
  const Arrow = arrows[direction]
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5">
      <span data-colour={colour} className={clsx('inline-flex items-center gap-1 font-semibold', tones[colour])}>
        <Arrow aria-hidden className="size-3.5" strokeWidth={2.5} />
        <span>
          <span className="sr-only">{word} </span>
          {text}
        </span>
      </span>
      {base !== null && <span className="text-muted">{base}</span>}
    </span>
  )
}
