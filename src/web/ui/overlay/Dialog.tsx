import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { proofStore } from '../../lib/proof.ts'
import { iconButtonClass } from '../Button.tsx'

type DialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: ReactNode
  children: ReactNode
  /** Appears above everything open, which stays as it is. */
  asksForProof?: boolean
  /** Gets the focus on closing; by default what had it before, nothing with `false`. */
  finalFocus?: () => HTMLElement | false | null
  /** Gets the focus on opening; by default the first control. */
  initialFocus?: RefObject<HTMLElement | null>
}

export const backdropClass =
  'fixed inset-0 bg-backdrop transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0'

export function Dialog({ open, onOpenChange, title, description, children, asksForProof = false, finalFocus, initialFocus }: DialogProps) {
  return (
    <BaseDialog.Root open={open} onOpenChange={(next) => (asksForProof || !proofStore.isAsked()) && onOpenChange(next)}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={backdropClass} />
        <BaseDialog.Viewport className="fixed inset-0 flex items-end justify-center overflow-y-auto p-4 sm:items-center">
          <BaseDialog.Popup
            data-keeps-keys
            {...(finalFocus ? { finalFocus } : {})}
            {...(initialFocus ? { initialFocus } : {})}
            className="relative max-h-full w-full max-w-lg overflow-y-auto rounded-card border border-line bg-surface p-5 shadow-float transition-[opacity,translate] duration-150 data-ending-style:translate-y-2 data-ending-style:opacity-0 data-starting-style:translate-y-2 data-starting-style:opacity-0 sm:p-6"
          >
            <BaseDialog.Title className="pr-10 text-base font-semibold">{title}</BaseDialog.Title>
            {description && <BaseDialog.Description className="mt-1 text-muted">{description}</BaseDialog.Description>}
            <div className="mt-5">{children}</div>
            <BaseDialog.Close className={iconButtonClass('absolute top-3 right-3')} aria-label="Close">
              <X aria-hidden />
            </BaseDialog.Close>
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}
