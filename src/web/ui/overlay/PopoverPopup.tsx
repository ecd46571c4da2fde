import { Popover as BasePopover } from '@base-ui/react/popover'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { iconButtonClass } from '../Button.tsx'
import { unlessAbove } from './keeps-keys.ts'

type PopoverPopupProps = {
  anchor: HTMLButtonElement
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  align: 'start' | 'end'
  children: ReactNode
}

export function PopoverPopup({ anchor, open, onOpenChange, title, align, children }: PopoverPopupProps) {
  return (
    // Modal: otherwise a press on the button would close it and open it again.
    <BasePopover.Root modal open={open} onOpenChange={unlessAbove(onOpenChange)}>
      <BasePopover.Portal>
        <BasePopover.Positioner
          anchor={anchor}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          // Beside the sidebar, not over it.
          collisionBoundary={anchor.closest('main')?.parentElement ?? undefined}
          className="z-20"
        >
          <BasePopover.Popup
            finalFocus={() => anchor}
            className="max-h-[min(var(--available-height),36rem)] max-w-[calc(100vw-1rem)] overflow-y-auto rounded-card border border-line bg-surface px-4 pb-3 shadow-float outline-none transition-opacity duration-120 data-ending-style:opacity-0 data-starting-style:opacity-0"
          >
            <div className="sticky top-0 -mr-2 flex items-center justify-between gap-4 bg-surface py-2">
              <BasePopover.Title className="font-semibold">{title}</BasePopover.Title>
              <BasePopover.Close className={iconButtonClass()} aria-label="Close">
                <X aria-hidden />
              </BasePopover.Close>
            </div>
            {children}
          </BasePopover.Popup>
        </BasePopover.Positioner>
      </BasePopover.Portal>
    </BasePopover.Root>
  )
}
