import { useMutation } from '@tanstack/react-query'
import { sendVerification } from '../api/account.ts'
import { failureText } from '../api/client.ts'
import { toast } from '../ui/overlay/toast.ts'

/** Sends the mail that confirms the person's address once more. */
export function useSendVerification(email: string) {
  return useMutation({
    mutationFn: sendVerification,
    onSuccess: () => toast.success('Email Sent', `We sent a confirmation email to ${email}.`),
    onError: (error) => toast.error('Email Not Sent', failureText(error, "Couldn't send the email. Please try again.")),
  })
}
