import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { iconButtonClass } from '../Button.tsx'
import { backdropClass } from './Dialog.tsx'
import { unlessAbove } from './keeps-keys.ts'

type SheetProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Gets the focus back on closing. */
  opener: RefObject<HTMLButtonElement | null>
  title: string
  children: ReactNode
}

/** A dialog that slides in from the left, for the navigation on small screens. */
export function Sheet({ open, onOpenChange, opener, title, children }: SheetProps) {
  return (
    <BaseDialog.Root open={open} onOpenChange={unlessAbove(onOpenChange)}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={backdropClass} />
        <BaseDialog.Popup
          finalFocus={opener}
          className="fixed inset-y-0 left-0 flex w-72 max-w-[85vw] flex-col overflow-y-auto border-r border-line bg-surface shadow-float transition-transform duration-150 ease-out data-ending-style:-translate-x-full data-starting-style:-translate-x-full"
        >
          <div className="flex h-14 shrink-0 items-center justify-between pr-2 pl-5">
            <BaseDialog.Title className="font-semibold">{title}</BaseDialog.Title>
            <BaseDialog.Close className={iconButtonClass()} aria-label="Close menu">
              <X aria-hidden />
            </BaseDialog.Close>
          </div>
          {children}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}
