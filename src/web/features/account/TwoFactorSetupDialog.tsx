import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { TwoFactorSetup } from '../../../contract/account.ts'
import type { User } from '../../../contract/user.ts'
import { startTwoFactor, type Proof } from '../../api/account.ts'
import { showUser } from '../../api/session.ts'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { ConfirmCodeStep } from './ConfirmCodeStep.tsx'
import { ProofForm } from './proof-form.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import type { TwoFactorDialogProps } from './two-factor-dialog.ts'

/** Password, then the secret and a first code of the app, then the recovery codes. In force only once the code was right. */
export function TwoFactorSetupDialog({ onClose, finalFocus }: TwoFactorDialogProps) {
  const client = useQueryClient()
  const [setup, setSetup] = useState<TwoFactorSetup | null>(null)
  const [done, setDone] = useState(false)

  async function begin(proof: Proof) {
    const answer = await startTwoFactor(proof)
    if (answer === null) throw new Error('There is nothing to set up')
    setSetup(answer)
  }

  async function confirmed(user: User | null) {
    setDone(true)
    await showUser(client, user)
  }

  function close() {
    onClose(done)
    if (done) toast.success('Two-Factor Authentication On', 'Logging in now takes a code from your authenticator app.')
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) close()
      }}
      finalFocus={finalFocus}
      title={done ? 'Save your recovery codes' : 'Set up two-factor authentication'}
      description={
        done
          ? "Two-factor authentication is on. If you lose your phone, each of these codes logs you in once. They're shown only now."
          : setup === null && 'You need an authenticator app on your phone, such as Google Authenticator, 2FAS or 1Password.'
      }
    >
      {setup === null ? (
        <ProofForm action="Continue" pending="Continuing..." prove={begin} />
      ) : done ? (
        <RecoveryCodes codes={setup.recoveryCodes} onDone={close} />
      ) : (
        <ConfirmCodeStep setup={setup} onConfirmed={confirmed} />
      )}
    </Dialog>
  )
}
