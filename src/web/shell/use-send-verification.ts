import { useMutation } from '@tanstack/react-query'
import { sendVerification } from '../api/account.ts'
import { failureText } from '../api/client.ts'
import { toast } from '../ui/toast.ts'

/** Sends the mail that confirms the person's address once more. */
export function useSendVerification(email: string) {
  return useMutation({
    mutationFn: sendVerification,
    onSuccess: () => toast.success('Mail Sent', `A mail to confirm ${email} is on its way.`),
    onError: (error) => toast.error('Mail Not Sent', failureText(error, 'The mail could not be sent. Please try again.')),
  })
}
