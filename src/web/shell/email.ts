import { useMutation, useQuery } from '@tanstack/react-query'
import { sendVerification } from '../api/account.ts'
import { failureText } from '../api/client.ts'
import { sessionQuery } from '../api/session.ts'
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
