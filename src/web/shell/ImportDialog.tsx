import { Dialog } from '../ui/Dialog.tsx'
import { ImportForm } from './ImportForm.tsx'

export function ImportDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title="Import a file"
      description="Search Console data you already have: older days of a connected property, or a property of its own."
    >
      <ImportForm onShown={onClose} />
    </Dialog>
  )
}
