import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ChannelName } from '../../../../contract/delivery/channels.ts'
import { failureText } from '../../../api/client.ts'
import { reloadChannels, testChannel } from '../../../api/delivery.ts'
import { toast } from '../../../ui/overlay/toast.ts'

/** Sends a real message through a channel; email has its own test (SPEC §8). */
export function useTestChannel(channel: Exclude<ChannelName, 'email'>, title: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => testChannel(channel),
    onSuccess: (to) => toast.success('Test message sent', `Sent to ${to}`),
    onError: (error) => toast.error(`${title} test failed`, failureText(error, 'Failed to send test message')),
    // It may have shown that nothing is accepted there anymore, or is again.
    onSettled: () => reloadChannels(client),
  })
}
