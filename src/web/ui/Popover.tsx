import { lazy, Suspense, useRef, useState, type ReactNode } from 'react'

type PopoverProps = {
  /** The accessible name of the button. */
  label: string
  trigger: ReactNode
  triggerClass: string
  title: string
  children: ReactNode
}

const loadPopup = () => import('./PopoverPopup.tsx')
const PopoverPopup = lazy(async () => ({ default: (await loadPopup()).PopoverPopup }))

/** A button that opens a small panel beside it; like Menu's, its code comes when somebody reaches for it. */
export function Popover({ label, trigger, triggerClass, title, children }: PopoverProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const [wanted, setWanted] = useState(false)
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={open}
        title={label}
        className={triggerClass}
        onPointerEnter={() => void loadPopup()}
        onFocus={() => void loadPopup()}
        onClick={() => {
          setWanted(true)
          setOpen(true)
        }}
      >
        {trigger}
      </button>
      {wanted && (
        <Suspense>
          <PopoverPopup anchor={button} open={open} onOpenChange={setOpen} title={title}>
            {children}
          </PopoverPopup>
        </Suspense>
      )}
    </>
  )
}
