import { useMutation, useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { CircleCheck, CircleSlash } from 'lucide-react'
import type { ReactNode } from 'react'
import { failureText } from '../../../api/client.ts'
import { disconnectChannel, reloadChannels, testChannel } from '../../../api/delivery.ts'
import { formatMoment } from '../../../lib/dates.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmButton } from '../../../ui/overlay/ConfirmDialog.tsx'
import { toast } from '../../../ui/overlay/toast.ts'
import type { CardProps, ConnectedChannel } from './card-props.ts'

type ConnectedProps = Pick<CardProps, 'draft' | 'destinations' | 'channels'> & {
  channel: ConnectedChannel
  /** The channel's name for people. */
  title: string
  to: string
  /** The channel is off: there is nothing to test. */
  inactive: boolean
  replace: { label: string; onReplace: () => void } | null
  /** Further buttons. */
  children?: ReactNode
  /** What disconnecting loses. */
  loss: string
}

/** A channel's destination, with its actions. */
export function Connected(props: ConnectedProps) {
  const { channels, channel, title, to, inactive, replace, children } = props
  const { lastSentAt, problem } = channels[channel]
  const test = useTestChannel(channel, title)
  return (
    <div className="flex flex-col gap-3">
      <SentTo to={to} lastSentAt={lastSentAt} closed={problem !== null} />
      <div className="flex flex-wrap gap-2">
        <Button disabled={inactive || test.isPending} onClick={() => test.mutate()}>
          {test.isPending ? 'Sending...' : 'Send test message'}
        </Button>
        {replace && (
          <Button disabled={inactive} onClick={replace.onReplace}>
            {replace.label}
          </Button>
        )}
        {children}
        <Disconnect {...props} />
      </div>
    </div>
  )
}

type SentToProps = {
  to: string
  lastSentAt: string | null
  /** Nothing is sent there anymore. */
  closed: boolean
}

/** Where messages go, and when the last one was sent. */
export function SentTo({ to, lastSentAt, closed }: SentToProps) {
  const now = useNow()
  const Icon = closed ? CircleSlash : CircleCheck
  return (
    <p className="flex items-start gap-2">
      <Icon aria-hidden className={clsx('mt-0.5 size-4 shrink-0', closed ? 'text-muted' : 'text-positive')} />
      <span className="min-w-0 wrap-anywhere">
        {closed ? 'Nothing is sent to' : 'Notifications go to'} <strong className="font-medium">{to}</strong>
        {closed && ' right now'}
        <span className="block text-muted">
          {lastSentAt === null ? 'Nothing sent yet' : `Last sent: ${formatMoment(new Date(lastSentAt), now)}`}
        </span>
      </span>
    </p>
  )
}

function Disconnect({ channel, title, to, draft, destinations, loss }: ConnectedProps) {
  const disconnecting = useMutation({
    mutationFn: () => disconnectChannel(channel),
    onSuccess: async (now) => {
      destinations.show(now)
      await draft.reload(`${channel}Enabled`)
      toast.success(`${title} Disconnected`, `Notifications no longer go to ${to}.`)
    },
    onError: (error) => toast.error(`${title} Not Disconnected`, failureText(error, 'Please try again.')),
  })
  return (
    <ConfirmButton
      title={`Disconnect ${title}?`}
      description={`Alerts will no longer go to ${to}. ${loss}`}
      confirm={`Disconnect ${title}`}
      pending={disconnecting.isPending}
      onConfirm={(close) => disconnecting.mutate(undefined, { onSettled: close })}
    >
      Disconnect
    </ConfirmButton>
  )
}

/** Sends a real message through a channel; email has its own test (SPEC §8). */
function useTestChannel(channel: ConnectedChannel, title: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => testChannel(channel),
    onSuccess: (to) => toast.success('Test message sent', `Sent to ${to}`),
    onError: (error) => toast.error(`${title} test failed`, failureText(error, 'Failed to send test message')),
    // It may have shown that nothing is accepted there anymore, or is again.
    onSettled: () => reloadChannels(client),
  })
}
