import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReportSchedule } from '../../../../contract/publishing.ts'
import { failureText } from '../../../api/client.ts'
import { askRecipients, reloadPublished, saveSchedule } from '../../../api/publishing.ts'
import { toast } from '../../../ui/overlay/toast.ts'
import { useRun } from '../use-run.ts'

/** Switches a schedule on or off, as the rest of it is. */
export function useEnable({ id, subject, kind, paper, recipients }: ReportSchedule) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (enabled: boolean) => saveSchedule(id, { subject, kind, paper, recipients, enabled }),
    onSuccess: () => reloadPublished(client, 'schedules'),
    onError: (error) => toast.error('Schedule Not Saved', failureText(error, "Couldn't save the schedule. Please try again.")),
  })
}

/** Writes again to recipients who have not agreed yet. */
export function useAskAgain({ id }: ReportSchedule) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => askRecipients(id),
    onSuccess: async () => {
      await reloadPublished(client, 'schedules')
      toast.success('Confirmation Sent', "Everyone who hasn't confirmed yet gets another email with a link.")
    },
    onError: (error) => toast.error('Confirmation Not Sent', failureText(error, 'Please try again.')),
  })
}

/** Sends the latest report to the recipients of a schedule. */
export function useSendNow({ id, title, subject, kind, paper }: ReportSchedule) {
  const { start, ...making } = useRun({
    onDone: ({ recipients, detail }) => {
      const to = `${title} is on its way to ${recipients} ${recipients === 1 ? 'recipient' : 'recipients'}.`
      toast.success('Report Sent', detail === null ? to : `${to} ${detail}`)
    },
    onFailed: (error) => toast.error('Report Not Sent', failureText(error)),
  })
  return { ...making, send: () => start({ subject, kind, paper, schedule: id }) }
}
