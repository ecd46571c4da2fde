import { useQueryClient } from '@tanstack/react-query'
import { endTwoFactor, type Proof } from '../../api/account.ts'
import { showUser } from '../../api/session.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { ProofForm } from './proof-form.tsx'
import type { TwoFactorDialogProps } from './two-factor-dialog.ts'

export function TwoFactorOffDialog({ onClose, finalFocus }: TwoFactorDialogProps) {
  const client = useQueryClient()

  async function switchOff(proof: Proof) {
    await showUser(client, await endTwoFactor(proof))
    onClose(true)
    toast.success('Two-Factor Authentication Off', 'Your password alone is enough to log in.')
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose(false)
      }}
      finalFocus={finalFocus}
      title="Switch off two-factor authentication?"
      description="Whoever has your password can then log in. The entry in your authenticator app and your recovery codes stop working."
    >
      <ProofForm action="Switch off" pending="Switching off..." danger prove={switchOff} />
    </Dialog>
  )
}
