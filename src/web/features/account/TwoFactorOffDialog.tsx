import { useQueryClient } from '@tanstack/react-query'
import { endTwoFactor, type Proof } from '../../api/account.ts'
import { showUser } from '../../api/session.ts'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { ProofForm } from './proof-form.tsx'
import type { TwoFactorDialogProps } from './two-factor-dialog.ts'

export function TwoFactorOffDialog({ onClose, finalFocus }: TwoFactorDialogProps) {
  const client = useQueryClient()

  async function switchOff(proof: Proof) {
    await showUser(client, await endTwoFactor(proof))
    onClose(true)
    toast.success('Two-Factor Authentication Off', 'You now log in with just your password.')
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose(false)
      }}
      finalFocus={finalFocus}
      title="Turn off two-factor authentication?"
      description="Anyone with your password will be able to log in. Your authenticator app entry and recovery codes stop working."
    >
      <ProofForm action="Turn off" pending="Turning off..." danger prove={switchOff} />
    </Dialog>
  )
}
