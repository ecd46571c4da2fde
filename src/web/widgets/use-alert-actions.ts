import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { Alert, AlertVerdict } from '../../contract/alerts/alerts.ts'
import { acknowledge, alertReportQuery, alertsKeys, markViewed, rate, reloadAlerts, snooze, unsnooze } from '../api/alerts.ts'
import { rulesKey } from '../api/alert-conditions.ts'
import { ApiFailure, failureText } from '../api/client.ts'
import { afterAction, type AlertAction, withLifeOf } from '../lib/alert/alert-life.ts'
import { formatUntil } from '../lib/dates.ts'
import { toast } from '../ui/overlay/toast.ts'

const mutationKey = ['alert-action']

/**
 * Actions on alerts, shown at once wherever these are on screen. Actions that the server refuses are reverted, with a message that says
 * why.
 */
export function useAlertActions() {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationKey,
    mutationFn: perform,
    async onMutate(action) {
      // An answer under way doesn't include it yet.
      await Promise.all(action.ids.map((id) => client.cancelQueries(alertReportQuery(id))))
      await client.cancelQueries({ queryKey: alertsKeys.lists })
      const before = shownAlerts(client, action.ids)
      changeShown(client, (alert) => afterAction(alert, action), action.ids)
      return before
    },
    onSuccess: (_answer, action) => toastSuccess(action),
    onError(error, action, before) {
      changeShown(client, (alert) => withLifeOf(alert, before?.get(alert.id) ?? alert), action.ids)
      toastFailure(error, action)
    },
    onSettled(_answer, error, action) {
      // An unreachable server has nothing new to say; asking it while another action is under way would undo that on screen.
      const isReached = error === null || error instanceof ApiFailure
      if (isReached && client.isMutating({ mutationKey }) === 1) void reloadAlerts(client)
      // Rules show how useful their alerts were.
      if (error === null && action.kind === 'rate') void client.invalidateQueries({ queryKey: rulesKey })
    },
  })
  return {
    acknowledge: (ids: readonly string[]) => mutate({ kind: 'acknowledge', ids }),
    snooze: (id: string, until: Date) => mutate({ kind: 'snooze', ids: [id], until }),
    unsnooze: (id: string) => mutate({ kind: 'unsnooze', ids: [id] }),
    /** Null removes it. */
    rate: (id: string, verdict: AlertVerdict | null) => mutate({ kind: 'rate', ids: [id], verdict }),
    /** Until then they are New. */
    view: (ids: readonly string[]) => mutate({ kind: 'view', ids }),
    isPending,
  }
}
export type AlertActions = ReturnType<typeof useAlertActions>

async function perform(action: AlertAction): Promise<void> {
  switch (action.kind) {
    case 'acknowledge':
      await acknowledge(action.ids)
      return
    case 'view':
      await markViewed(action.ids)
      return
    case 'rate':
      await rate(action.ids[0], action.verdict)
      return
    case 'snooze':
      await snooze(action.ids[0], action.until)
      return
    case 'unsnooze':
      await Promise.all(action.ids.map(unsnooze))
  }
}

/** The alerts with these ids as currently shown in lists and reports. */
function shownAlerts(client: QueryClient, ids: readonly string[]): Map<string, Alert> {
  const lists = client.getQueriesData<Alert[]>({ queryKey: alertsKeys.lists }).flatMap(([, alerts]) => alerts ?? [])
  const reports = ids.flatMap((id) => client.getQueryData(alertReportQuery(id).queryKey) ?? [])
  return new Map([...lists, ...reports].filter(({ id }) => ids.includes(id)).map((alert) => [alert.id, alert]))
}

function changeShown(client: QueryClient, change: <A extends Alert>(alert: A) => A, ids: readonly string[]): void {
  client.setQueriesData<Alert[]>({ queryKey: alertsKeys.lists }, (alerts) =>
    alerts?.map((alert) => (ids.includes(alert.id) ? change(alert) : alert)),
  )
  for (const id of ids) client.setQueryData(alertReportQuery(id).queryKey, (report) => report && change(report))
}

function toastSuccess(action: AlertAction): void {
  const { length } = action.ids
  if (action.kind === 'acknowledge') toast.success(length === 1 ? 'Alert Acknowledged' : `${length} Alerts Acknowledged`)
  if (action.kind === 'snooze') toast.success('Alert Snoozed', `It reopens ${formatUntil(action.until, new Date())}.`)
  if (action.kind === 'unsnooze') toast.success('Snooze Ended')
}

const failures: Record<AlertAction['kind'], { one: string; several: string; could: string }> = {
  acknowledge: { one: 'Alert Not Acknowledged', several: 'Alerts Not Acknowledged', could: 'be acknowledged' },
  snooze: { one: 'Alert Not Snoozed', several: 'Alerts Not Snoozed', could: 'be snoozed' },
  unsnooze: { one: 'Snooze Not Ended', several: 'Snoozes Not Ended', could: 'be reopened' },
  rate: { one: 'Alert Not Rated', several: 'Alerts Not Rated', could: 'be rated' },
  view: { one: 'Alert Not Marked as Viewed', several: 'Alerts Not Marked as Viewed', could: 'be marked as viewed' },
}

function toastFailure(error: Error, { kind, ids }: AlertAction): void {
  const { one, several, could } = failures[kind]
  const subject = ids.length === 1 ? 'The alert' : 'The alerts'
  toast.error(ids.length === 1 ? one : several, failureText(error, `${subject} could not ${could}. Please try again.`))
}
