import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { ImportForm } from './ImportForm.tsx'

export function ImportDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title="Import a file"
      description="Add Search Console data you've exported: older days for a connected property, or a new property."
    >
      <ImportForm onShown={onClose} />
    </Dialog>
  )
}
