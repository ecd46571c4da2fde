import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import type { SignedInAt } from '../../../contract/account.ts'
import { failureText } from '../../api/client.ts'
import { sessionsQuery, signOutOthers } from '../../api/account.ts'
import { formatMoment } from '../../lib/dates.ts'
import { deviceOf } from '../../lib/device.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmButton } from '../../ui/overlay/ConfirmDialog.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { SecurityPart } from './SecurityPart.tsx'

export function SessionsPart() {
  const sessions = useQuery(sessionsQuery)
  const others = sessions.data?.filter(({ current }) => !current).length ?? 0
  return (
    <SecurityPart
      title="Where you're logged in"
      description="If you don't recognize a session, log out other sessions and change your password."
    >
      {sessions.isPending ? (
        <Skeleton className="h-14 max-w-md" />
      ) : sessions.isError ? (
        <div className="flex flex-wrap items-center gap-3">
          <p>{failureText(sessions.error, "Couldn't load your sessions.")}</p>
          <Button onClick={() => void sessions.refetch()}>Try again</Button>
        </div>
      ) : (
        <SessionList sessions={sessions.data} />
      )}
      {others > 0 && <SignOutOthers />}
    </SecurityPart>
  )
}

function SignOutOthers() {
  const client = useQueryClient()
  const signOut = useMutation({
    mutationFn: signOutOthers,
    onSuccess: async () => {
      await client.invalidateQueries(sessionsQuery)
      toast.success('Other Sessions Logged Out', "You're now logged in only on this browser.")
    },
    onError: (error) => toast.error('Error', failureText(error, "Couldn't log out your other sessions. Please try again.")),
  })
  return (
    <ConfirmButton
      className="mt-4"
      title="Log out other sessions?"
      description="Every other browser and device will have to log in again. You'll stay logged in here."
      confirm="Log out other sessions"
      pending={signOut.isPending}
      onConfirm={(close) => signOut.mutate(undefined, { onSettled: close })}
    >
      Log out other sessions
    </ConfirmButton>
  )
}

function SessionList({ sessions }: { sessions: readonly SignedInAt[] }) {
  const now = useNow()
  return (
    <ul className="flex flex-col gap-4">
      {sessions.map(({ current, userAgent, ipAddress, signedInAt }, index) => {
        const { name, handheld } = deviceOf(userAgent)
        const Icon = handheld ? Smartphone : Monitor
        const since = `Since ${inSentence(formatMoment(new Date(signedInAt), now))}`
        return (
          // Two logins from one browser can look identical.
          // oxlint-disable-next-line react/no-array-index-key -- the list is replaced as a whole
          <li key={index} className="flex items-start gap-3">
            <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" />
            <div className="min-w-0">
              <div className="flex flex-wrap items-center gap-x-2">
                <span className="font-medium">{name}</span>
                {current && <Badge tone="brand">This browser</Badge>}
              </div>
              <p className="text-sm break-words text-muted">{ipAddress === null ? since : `${since} · ${ipAddress}`}</p>
            </div>
          </li>
        )
      })}
    </ul>
  )
}

/** `Today, 14:05` within a sentence; names of days and months stay capitalized. */
const inSentence = (moment: string): string => moment.replace(/^(Today|Yesterday)/, (word) => word.toLowerCase())
