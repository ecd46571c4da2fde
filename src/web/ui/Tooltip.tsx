import { useState, type ReactNode } from 'react'

type TooltipProps = { content: ReactNode; children: ReactNode }

/**
 * Says more about a button on hover and focus, which a tap is too; Escape hides it. Screen readers
 * need not come here: the button says the same in its own name.
 */
export function Tooltip({ content, children }: TooltipProps) {
  const [open, setOpen] = useState(false)
  return (
    <span
      role="presentation"
      className="relative inline-flex"
      onPointerEnter={() => setOpen(true)}
      onPointerLeave={() => setOpen(false)}
      onFocus={() => setOpen(true)}
      onBlur={() => setOpen(false)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setOpen(false)
      }}
    >
      {children}
      {open && (
        // The padding bridges the gap, so that the pointer can reach what it reads. Narrower than the
        // narrowest card, so that it never widens the page.
        <span role="tooltip" className="absolute bottom-full left-0 z-20 w-max max-w-52 pb-1.5">
          <span className="block rounded-md bg-text px-2.5 py-1.5 text-sm whitespace-normal text-page tabular-nums shadow-float">
            {content}
          </span>
        </span>
      )}
    </span>
  )
}
