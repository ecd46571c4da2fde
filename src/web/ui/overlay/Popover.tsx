import { lazy, type ReactNode, Suspense, useState } from 'react'

type PopoverProps = {
  /** The accessible name of the button. */
  label: string
  trigger: ReactNode
  triggerClass: string
  title: string
  align?: 'start' | 'end'
  /** Its content; receives a function that closes it, for links that lead elsewhere. */
  children: ReactNode | ((close: () => void) => ReactNode)
}

const loadPopup = () => import('./PopoverPopup.tsx')
const PopoverPopup = lazy(async () => ({ default: (await loadPopup()).PopoverPopup }))

/** A button that opens a small panel. The panel's code loads on hover, focus or press, like Menu's. */
export function Popover({ label, trigger, triggerClass, title, align = 'end', children }: PopoverProps) {
  const [open, setOpen] = useState(false)
  // The button, once the panel has been opened.
  const [anchor, setAnchor] = useState<HTMLButtonElement | null>(null)
  return (
    <>
      <button
        type="button"
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={open}
        title={label}
        className={triggerClass}
        onPointerEnter={() => void loadPopup()}
        onFocus={() => void loadPopup()}
        onClick={(event) => {
          setAnchor(event.currentTarget)
          setOpen(true)
        }}
      >
        {trigger}
      </button>
      {anchor && (
        <Suspense>
          <PopoverPopup anchor={anchor} open={open} onOpenChange={setOpen} title={title} align={align}>
            {typeof children === 'function' ? children(() => setOpen(false)) : children}
          </PopoverPopup>
        </Suspense>
      )}
    </>
  )
}
