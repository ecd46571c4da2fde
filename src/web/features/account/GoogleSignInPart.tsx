import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { failureText } from '../../api/client.ts'
import { showUser } from '../../api/session.ts'
import { removeGoogleSignIns } from '../../api/account.ts'
import { connectGoogle } from '../../shell/connect-google.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/overlay/ConfirmDialog.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { SecurityPart } from './SecurityPart.tsx'

/** The Google accounts that log in here. The one whose data is synced is another matter (GoogleIntegrationCard.tsx). */
export function GoogleSignInPart() {
  const { googleSignIns, hasPassword } = useCurrentUser()
  const isOn = googleSignIns.length > 0
  return (
    <SecurityPart
      title="Log in with Google"
      description={
        isOn
          ? `${googleSignIns.join(' and ')} can log in to this account.${hasPassword ? '' : ' Set a password before you remove it.'}`
          : 'No Google account can log in here. To log in with the one that syncs your Search Console data, add it here.'
      }
    >
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => connectGoogle('/account', 'sign-in')}>{isOn ? 'Add another' : 'Add a Google account'}</Button>
        {isOn && hasPassword && <RemoveSignIns accounts={googleSignIns} />}
      </div>
    </SecurityPart>
  )
}

function RemoveSignIns({ accounts }: { accounts: readonly string[] }) {
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const remove = useMutation({
    mutationFn: removeGoogleSignIns,
    onSuccess: async (user) => {
      await showUser(client, user)
      toast.success('Google Login Removed', 'Log in with your password from now on.')
    },
    onError: (error) => toast.error('Google Login Not Removed', failureText(error, "Couldn't remove the Google login. Please try again.")),
    onSettled: () => setAsking(false),
  })
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setAsking(true)}>
        Remove
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Remove Google login?"
        description={`${accounts.join(' and ')} can no longer log in to this account. Your Search Console data keeps syncing.`}
        confirm="Remove Google login"
        pending={remove.isPending}
        onConfirm={() => remove.mutate()}
      />
    </>
  )
}
