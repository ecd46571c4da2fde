import { useMutation, useQuery } from '@tanstack/react-query'
import { failureText } from '../api/client.ts'
import { sendVerification, sessionQuery } from '../api/session.ts'
import { toast } from '../ui/overlay/toast.ts'

/** Sends the confirmation email again. */
export function useSendVerification(email: string) {
  return useMutation({
    mutationFn: sendVerification,
    onSuccess: () => toast.success('Email Sent', `We sent a confirmation email to ${email}.`),
    onError: (error) => toast.error('Email Not Sent', failureText(error, "Couldn't send the email. Please try again.")),
  })
}

/** Whether this installation has a mail server. Without one, no text may say that email was or will be sent. */
export const useSendsMail = (): boolean => useQuery(sessionQuery).data?.mail ?? true

/** What an unconfirmed address holds back. */
export function waitingAlertsText(alerts: number): string {
  if (alerts === 0) return 'Alert emails are held until you open it.'
  return alerts === 1 ? '1 alert will be emailed when you open it.' : `${alerts} alerts will be emailed when you open it.`
}
