import { planNames } from '../../lib/plans.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { Dialog } from '../../ui/Dialog.tsx'
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
          This cannot be undone. With the account <strong className="font-medium break-all text-text">{user.username}</strong> go, at once:
        </>
      }
    >
      <ul className="mb-5 flex list-disc flex-col gap-1 pl-5">
        <li>your profile, your settings and all your sessions</li>
        <li>{properties(user.gscProperties?.length ?? 0)} and every figure stored, also those that Google itself no longer has</li>
        {user.plan !== null && user.plan !== 'free' && <li>your {planNames[user.plan]} plan, which is not charged again</li>}
        {user.accessToken !== null && <li>the access to your Google account, which is given back</li>}
      </ul>
      <DeleteAccountForm username={user.username} hasPassword={user.hasPassword} />
    </Dialog>
  )
}

const properties = (count: number): string => (count === 0 ? 'your properties' : count === 1 ? 'your property' : `your ${count} properties`)
