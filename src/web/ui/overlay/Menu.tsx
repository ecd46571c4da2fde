import { type KeyboardEvent, lazy, type ReactNode, Suspense, useState } from 'react'
import type { MenuEntry } from './menu-entry.ts'

type MenuProps = {
  /** The accessible name of the button. */
  label: string
  /** What the button shows. */
  trigger: ReactNode
  triggerClass: string
  align?: 'start' | 'end'
  entries: readonly MenuEntry[]
}

const loadPopup = () => import('./MenuPopup.tsx')
const MenuPopup = lazy(async () => ({ default: (await loadPopup()).MenuPopup }))

/** A button with a menu. The menu's code is a quarter of the first load's limit, so it loads on hover, focus or press. */
export function Menu({ label, trigger, triggerClass, align = 'end', entries }: MenuProps) {
  const [open, setOpen] = useState(false)
  // The button, once the menu has been opened.
  const [anchor, setAnchor] = useState<HTMLButtonElement | null>(null)

  function show(button: HTMLButtonElement) {
    setAnchor(button)
    setOpen(true)
  }

  function onKeyDown(event: KeyboardEvent<HTMLButtonElement>) {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    show(event.currentTarget)
  }

  return (
    <>
      <button
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        title={label}
        className={triggerClass}
        onPointerEnter={() => void loadPopup()}
        onFocus={() => void loadPopup()}
        onClick={(event) => show(event.currentTarget)}
        onKeyDown={onKeyDown}
      >
        {trigger}
      </button>
      {anchor && (
        <Suspense>
          <MenuPopup anchor={anchor} label={label} open={open} onOpenChange={setOpen} align={align} entries={entries} />
        </Suspense>
      )}
    </>
  )
}
