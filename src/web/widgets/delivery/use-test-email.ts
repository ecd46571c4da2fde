import { useMutation, useQueryClient } from '@tanstack/react-query'
import { failureText } from '../../api/client.ts'
import { reloadChannels, testEmail } from '../../api/delivery.ts'
import { toast } from '../../ui/overlay/toast.ts'

/** Sends the person an email the way alerts are sent (SPEC §8). */
export function useTestEmail() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: testEmail,
    onSuccess: (email) => toast.success('Test email sent', `Email sent successfully to ${email}`),
    onError: (error) => toast.error('Email test failed', failureText(error, 'Failed to send test email')),
    // It may have shown that an address accepts no email, or accepts some again.
    onSettled: () => reloadChannels(client),
  })
}
