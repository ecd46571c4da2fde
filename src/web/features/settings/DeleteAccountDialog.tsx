import { planNames } from '../../lib/plans.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { DeleteAccountForm } from './delete-account-form.tsx'

/** Names all that goes, and has the name of the account typed: this cannot be undone. */
export function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const user = useCurrentUser()
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title="Delete your account?"
      description={
        <>
          This can't be undone. Deleting the account <strong className="font-medium break-all text-text">{user.username}</strong>{' '}
          immediately removes:
        </>
      }
    >
      <ul className="mb-5 flex list-disc flex-col gap-1 pl-5">
        <li>your profile, your settings and all your sessions</li>
        <li>{properties(user.gscProperties?.length ?? 0)} and all stored data, including days Google no longer has</li>
        {user.plan !== null && user.plan !== 'free' && <li>your {planNames[user.plan]} plan (you won't be charged again)</li>}
        {user.accessToken !== null && <li>Ranklark's access to your Google account</li>}
      </ul>
      <DeleteAccountForm username={user.username} hasPassword={user.hasPassword} />
    </Dialog>
  )
}

const properties = (count: number): string => (count === 0 ? 'your properties' : count === 1 ? 'your property' : `your ${count} properties`)
