import type { MouseEvent, ReactNode } from 'react'
import { generatePath, Link } from 'react-router'
import type { Alert } from '../../contract/alerts/alerts.ts'
import { alertInSearchConsole } from '../../core/alerting/search-console.ts'
import { paths } from '../paths.ts'

type AlertLinkProps = {
  alert: Alert
  /** Called when somebody follows it: the alert is no longer New then. */
  onView: () => void
  className: string
  /** The accessible name, if the content isn't enough. */
  label?: string
  children: ReactNode
}

/** Opens what the alert is about in Search Console, in a new tab. */
export function SearchConsoleLink({ alert, onView, className, label, children }: AlertLinkProps) {
  return (
    <a
      href={alertInSearchConsole(alert)}
      target="_blank"
      rel="noreferrer"
      className={className}
      {...(label === undefined ? {} : { 'aria-label': `${label} (new tab)`, title: label })}
      {...following(onView)}
    >
      {children}
      {label === undefined && <span className="sr-only"> (new tab)</span>}
    </a>
  )
}

/** Opens the alert's full report. `isItem`: it represents the alert when keys move through a list. */
export function ReportLink({ alert, onView, className, label, isItem = false, children }: AlertLinkProps & { isItem?: boolean }) {
  return (
    <Link
      to={generatePath(paths.alertReport, { id: alert.id })}
      className={className}
      {...(label === undefined ? {} : { 'aria-label': label, title: label })}
      {...(isItem ? { 'data-alert-link': '' } : {})}
      {...following(onView)}
    >
      {children}
    </Link>
  )
}

function following(onView: () => void) {
  return {
    onClick: onView,
    onAuxClick: (event: MouseEvent) => {
      // The middle button opens it too; the right one only opens a menu.
      if (event.button === 1) onView()
    },
  }
}
