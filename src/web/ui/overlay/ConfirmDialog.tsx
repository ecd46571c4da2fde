import { AlertDialog } from '@base-ui/react/alert-dialog'
import { type ReactNode, useState } from 'react'
import { proofStore } from '../../lib/proof.ts'
import { Button, buttonClass } from '../Button.tsx'
import { backdropClass } from './Dialog.tsx'

type ConfirmDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description: ReactNode
  /** What the confirm button does, naming its object. */
  confirm: string
  pending: boolean
  onConfirm: () => void
}

/** Asks before something is lost; only its buttons or Escape close it. */
export function ConfirmDialog({ open, onOpenChange, title, description, confirm, pending, onConfirm }: ConfirmDialogProps) {
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !proofStore.isAsked() && onOpenChange(next)}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={backdropClass} />
        <AlertDialog.Viewport className="fixed inset-0 flex items-end justify-center p-4 sm:items-center">
          <AlertDialog.Popup
            data-keeps-keys
            className="w-full max-w-md rounded-card border border-line bg-surface p-5 shadow-float transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0 sm:p-6"
          >
            <AlertDialog.Title className="text-base font-semibold">{title}</AlertDialog.Title>
            <AlertDialog.Description className="mt-2 text-muted">{description}</AlertDialog.Description>
            <div className="mt-6 flex flex-wrap justify-end gap-2">
              <AlertDialog.Close className={buttonClass('secondary')}>Cancel</AlertDialog.Close>
              <Button variant="danger" disabled={pending} onClick={onConfirm}>
                {confirm}
              </Button>
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

type ConfirmButtonProps = Omit<ConfirmDialogProps, 'open' | 'onOpenChange' | 'onConfirm'> & {
  /** The label of the button that asks. */
  children: ReactNode
  className?: string
  disabled?: boolean
  onConfirm: (close: () => void) => void
}

/** A button that asks before it does what it says. */
export function ConfirmButton({ children, className, disabled, onConfirm, ...question }: ConfirmButtonProps) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button aria-haspopup="dialog" className={className} disabled={disabled} onClick={() => setAsking(true)}>
        {children}
      </Button>
      <ConfirmDialog {...question} open={asking} onOpenChange={setAsking} onConfirm={() => onConfirm(() => setAsking(false))} />
    </>
  )
}
