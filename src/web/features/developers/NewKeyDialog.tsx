import { useState } from 'react'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { KeyOnce } from './KeyOnce.tsx'
import { NewKeyForm } from './NewKeyForm.tsx'

/** Makes a key and shows it, this once; with the dialog it is gone. */
export function NewKeyDialog({ writeLocked, onClose }: { writeLocked: string | null; onClose: () => void }) {
  const [key, setKey] = useState<string | null>(null)
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={key === null ? 'New key' : 'Your new key'}
      description={key === null ? "You'll see the key only once, right after you create it." : "Copy it now. You won't see it again."}
    >
      {key === null ? <NewKeyForm writeLocked={writeLocked} onMade={setKey} /> : <KeyOnce apiKey={key} onDone={onClose} />}
    </Dialog>
  )
}
