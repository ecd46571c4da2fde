import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { iconButtonClass } from '../Button.tsx'
import { backdropClass } from './Dialog.tsx'
import { unlessAbove } from './keeps-keys.ts'

type SidePanelProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The kind of subject, above its title. */
  kind: string
  title: string
  children: ReactNode
}

/**
 * A dialog from the right about one subject, covering all of a small screen. A new subject starts at the top and with the focus there; on
 * closing, focus returns to whatever opened it.
 */
export function SidePanel({ open, onOpenChange, kind, title, children }: SidePanelProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const about = useRef(`${kind} ${title}`)
  useEffect(() => {
    if (about.current === `${kind} ${title}`) return
    about.current = `${kind} ${title}`
    scroller.current?.scrollTo(0, 0)
    if (open) heading.current?.focus({ preventScroll: true })
  }, [kind, title, open])
  return (
    <BaseDialog.Root open={open} onOpenChange={unlessAbove(onOpenChange)}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={backdropClass} />
        <BaseDialog.Popup
          initialFocus={heading}
          className="fixed inset-y-0 right-0 flex w-full max-w-3xl flex-col border-line bg-surface shadow-float outline-none transition-transform duration-150 ease-out data-ending-style:translate-x-full data-starting-style:translate-x-full sm:border-l"
        >
          <div className="flex h-14 shrink-0 items-center justify-between border-b border-line pr-2 pl-5 sm:pr-3 sm:pl-6">
            <p className="text-muted">{kind}</p>
            <BaseDialog.Close className={iconButtonClass()} aria-label="Close">
              <X aria-hidden />
            </BaseDialog.Close>
          </div>
          <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto px-5 py-5 sm:px-6">
            <BaseDialog.Title ref={heading} tabIndex={-1} className="line-clamp-4 text-title font-semibold wrap-anywhere outline-none">
              <bdi>{title}</bdi>
            </BaseDialog.Title>
            {children}
          </div>
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}
