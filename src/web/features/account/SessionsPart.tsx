import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { failureText } from '../../api/client.ts'
import { sessionsQuery, signOutOthers } from '../../api/user.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/overlay/ConfirmDialog.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { SecurityPart } from './SecurityPart.tsx'
import { SessionList } from './SessionList.tsx'

export function SessionsPart() {
  const sessions = useQuery(sessionsQuery)
  const others = sessions.data?.filter(({ current }) => !current).length ?? 0
  return (
    <SecurityPart
      title="Where you're logged in"
      description="If you don't recognize one, sign out other sessions and change your password."
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
  const [asking, setAsking] = useState(false)
  const signOut = useMutation({
    mutationFn: signOutOthers,
    onSuccess: async () => {
      await client.invalidateQueries(sessionsQuery)
      toast.success('Other Sessions Signed Out', "You're now logged in only here.")
    },
    onError: (error) => toast.error('Error', failureText(error, "Couldn't sign out your other sessions. Please try again.")),
    onSettled: () => setAsking(false),
  })
  return (
    <>
      <Button className="mt-4" aria-haspopup="dialog" onClick={() => setAsking(true)}>
        Sign out other sessions
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Sign out other sessions?"
        description="Every other browser and device will have to log in again. You stay logged in here."
        confirm="Sign out other sessions"
        pending={signOut.isPending}
        onConfirm={() => signOut.mutate()}
      />
    </>
  )
}
