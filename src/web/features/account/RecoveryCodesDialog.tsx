import { useState } from 'react'
import { newRecoveryCodes, type Proof } from '../../api/account.ts'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { ProofForm } from './proof-form.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import type { TwoFactorDialogProps } from './two-factor-dialog.ts'

export function RecoveryCodesDialog({ onClose, finalFocus }: TwoFactorDialogProps) {
  const [codes, setCodes] = useState<readonly string[] | null>(null)

  async function make(proof: Proof) {
    const answer = await newRecoveryCodes(proof)
    if (answer === null) throw new Error('There are no recovery codes')
    setCodes(answer)
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose(false)
      }}
      finalFocus={finalFocus}
      title={codes === null ? 'New recovery codes' : 'Save your recovery codes'}
      description={
        codes === null
          ? 'Create new codes for logging in without your phone. Your current codes stop working.'
          : "Each code logs you in once. They're shown only now, and your old codes no longer work."
      }
    >
      {codes === null ? (
        <ProofForm action="Create new codes" pending="Creating new codes..." prove={make} />
      ) : (
        <RecoveryCodes codes={codes} onDone={() => onClose(false)} />
      )}
    </Dialog>
  )
}
