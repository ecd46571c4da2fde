import { useEffect, useRef } from 'react'
import type { AlertReport } from '../../../contract/alerts/alerts.ts'
import { useAlertActions } from '../../widgets/use-alert-actions.ts'

/** Whoever opens a report has looked at its alert: said once, so that a server that refuses is not asked for ever. */
export function useViewed(report: AlertReport | undefined): void {
  const { view } = useAlertActions()
  const said = useRef<string | null>(null)
  useEffect(() => {
    if (report === undefined || report.viewed || said.current === report.id) return
    said.current = report.id
    view([report.id])
  }, [report, view])
}
