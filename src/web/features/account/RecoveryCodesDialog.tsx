import { useState } from 'react'
import { newRecoveryCodes, type Proof } from '../../api/account.ts'
import { Dialog } from '../../ui/Dialog.tsx'
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
      title={codes === null ? 'New recovery codes' : 'Keep your recovery codes'}
      description={
        codes === null
          ? 'Makes new codes for logging in without your phone. The ones you have now stop working.'
          : 'Each of these codes lets you log in once. They are shown only now; the earlier ones no longer work.'
      }
    >
      {codes === null ? (
        <ProofForm action="Make new codes" pending="Making new codes..." prove={make} />
      ) : (
        <RecoveryCodes codes={codes} onDone={() => onClose(false)} />
      )}
    </Dialog>
  )
}
